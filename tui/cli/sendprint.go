package cli

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"signalbox/tracker"
	"signalbox/tui/prompt"
	"signalbox/tui/style"
)

// SendText prints what came of a send: the lamps of a dry run as a table, else one line for a task
// that was delivered. What went wrong is an error, and printed as such.
func SendText(w io.Writer, snap *tracker.Snapshot, req SendRequest, res SendResult) error {
	if req.DryRun {
		return lampTable(w, paneName(snap, req.Pane), res, StatusOptions{}.forTerminal(w).Style)
	}
	if res.Outcome != SendDelivered {
		return nil
	}
	line := "delivered to " + paneName(snap, req.Pane)
	if r := res.Receipt; r != nil {
		line += fmt.Sprintf(", %s after %.2f s", receiptWords(r.Source), r.After.Round(10*time.Millisecond).Seconds())
	}
	return printed(w, line)
}

func receiptWords(s tracker.Source) string {
	if s == tracker.SourceTranscript {
		return "receipt from the transcript"
	}
	return "receipt from a hook"
}

// lampTable prints one lamp a line: its sign, its name, and why it is red or what there is to
// remark.
func lampTable(w io.Writer, target string, res SendResult, st *style.Style) error {
	paint := func(b []byte, _ style.Role, text string) []byte { return append(b, text...) }
	signs := plain().Signs
	if st != nil {
		paint, signs = st.Append, st.Signs
	}
	longest := 0
	for _, l := range res.Lamps {
		longest = max(longest, len(prompt.LampTitle(l.Name)))
	}
	b := append(paint(nil, style.Strong, target), '\n')
	for _, l := range res.Lamps {
		role, sign := style.Good, signs.On
		if !l.OK {
			role, sign = style.Bad, signs.Off
		}
		b = append(paint(b, role, sign), ' ')
		if l.Reason == "" {
			b = append(append(b, prompt.LampTitle(l.Name)...), '\n')
			continue
		}
		b = style.AppendFit(b, prompt.LampTitle(l.Name), longest+columnGap, style.Ellipsis)
		b = append(append(b, style.Clean(l.Reason)...), '\n')
	}
	_, err := w.Write(b)
	return err
}

// paneName is a pane for people: where it is, who lives there, and its id.
func paneName(snap *tracker.Snapshot, id tracker.PaneID) string {
	sess, win, p := snap.FindPane(id)
	if p == nil {
		return string(id)
	}
	name := sess.Name + ":" + strconv.Itoa(win.Index) + "." + strconv.Itoa(p.Index)
	if p.Agent != nil && p.Agent.Name != "" {
		name += " " + p.Agent.Name
	}
	return style.Clean(name) + " (" + string(id) + ")"
}
