package summaries

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"signalbox/tracker"
)

const (
	// maxLines and maxCapture bound what the program gets to read of one window: the end of its
	// screen, about a thousand tokens.
	maxLines   = 40
	maxCapture = 4000
	// keepAnswers bounds the answers that are kept for a content that may come back.
	keepAnswers = 1000
)

// mark is what a window looked like when it was last read. As long as it is the same, there is
// nothing to read.
type mark struct {
	pane     tracker.PaneID
	pid      int
	command  string
	agent    tracker.AgentID
	status   tracker.Status
	activity int64 // Unix seconds of its newest output
}

// page is what is known of one window.
type page struct {
	mark    mark
	read    time.Time // when it was last read
	content content
}

// content stands for what was on a screen.
type content [sha256.Size]byte

// answer is what was written of a content. An empty text says that nothing usable was.
type answer struct {
	text string
	kind *tracker.WindowKind
	at   time.Time // last use
}

// book holds what was read and written. It is owned by Run.
type book struct {
	self    tracker.PaneID
	pages   map[tracker.WindowID]page
	answers map[content]*answer
}

func newBook(self tracker.PaneID) *book {
	return &book{self: self, pages: map[tracker.WindowID]page{}, answers: map[content]*answer{}}
}

// candidate is a window that has something new to read.
type candidate struct {
	window *tracker.WindowRow
	target string
	mark   mark
}

// candidates lists the windows with news, those that were read longest ago first. Left out are our
// own pane, what is dead, and agents that need a person: what they want is told in their own words.
func (b *book) candidates(snap *tracker.Snapshot) []candidate {
	var out []candidate
	living := map[tracker.WindowID]bool{}
	snap.Windows(func(s *tracker.SessionRow, w *tracker.WindowRow) bool {
		living[w.ID] = true
		p := w.LeadPane()
		if p == nil || p.ID == b.self || p.Dead || p.Agent != nil && p.Agent.Verdict.NeedsPerson() {
			return true
		}
		m := markOf(w)
		if known, ok := b.pages[w.ID]; !ok || known.mark != m {
			out = append(out, candidate{window: w, target: targetOf(s, w), mark: m})
		}
		return true
	})
	maps.DeleteFunc(b.pages, func(id tracker.WindowID, _ page) bool { return !living[id] })
	slices.SortStableFunc(out, func(x, y candidate) int {
		return b.pages[x.window.ID].read.Compare(b.pages[y.window.ID].read)
	})
	return out
}

func markOf(w *tracker.WindowRow) mark {
	p := w.LeadPane()
	m := mark{pane: p.ID, pid: p.PID, command: p.Command, activity: w.Activity.Unix()}
	if p.Agent != nil {
		m.agent, m.status = p.Agent.ID, p.Agent.Verdict.Status
	}
	return m
}

// turn notes what is on a window's screen now and reports whether an answer to that is known.
func (b *book) turn(c candidate, screen content, now time.Time) bool {
	b.pages[c.window.ID] = page{mark: c.mark, read: now, content: screen}
	a, ok := b.answers[screen]
	if ok {
		a.at = now
	}
	return ok
}

// forget makes a window a candidate again, as the one read longest ago.
func (b *book) forget(id tracker.WindowID) { delete(b.pages, id) }

// write keeps an answer.
func (b *book) write(screen content, a answer) {
	if len(b.answers) >= keepAnswers {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(b.answers)), func(x, y content) int {
			return b.answers[x].at.Compare(b.answers[y].at)
		})
		delete(b.answers, oldest)
	}
	b.answers[screen] = &a
}

// rows lists the summaries that hold, in the order of the windows.
func (b *book) rows(snap *tracker.Snapshot) []tracker.WrittenSummary {
	var out []tracker.WrittenSummary
	snap.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool {
		p, ok := b.pages[w.ID]
		if !ok {
			return true
		}
		if a := b.answers[p.content]; a != nil && a.text != "" {
			out = append(out, tracker.WrittenSummary{
				Window: w.ID, Pane: p.mark.pane, PanePID: p.mark.pid, Command: p.mark.command,
				Agent: p.mark.agent, Status: p.mark.status, Activity: time.Unix(p.mark.activity, 0), Text: a.text, Kind: a.kind,
			})
		}
		return true
	})
	return out
}

// contentOf stands for a screen. Numbers and the signs of spinners and progress bars do not count:
// a clock that ticks is no news.
func contentOf(command, capture string) content {
	var b strings.Builder
	b.WriteString(command)
	b.WriteByte(0)
	digit := false
	for _, r := range capture {
		is := unicode.IsDigit(r)
		switch {
		case is && digit, r > unicode.MaxASCII && !unicode.IsLetter(r), unicode.IsSpace(r) && r != '\n':
		case is:
			b.WriteByte('0')
		default:
			b.WriteRune(r)
		}
		digit = is
	}
	return sha256.Sum256([]byte(b.String()))
}

// trim is what the program gets to read of a screen: its last lines, without controls.
func trim(capture string) string {
	lines := strings.Split(strings.ToValidUTF8(capture, "\uFFFD"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRightFunc(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				return -1
			}
			return r
		}, l), unicode.IsSpace)
	}
	lines = slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" }) // empty ones cost as well
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	lines = lines[max(0, len(lines)-maxLines):]
	text := strings.Join(lines, "\n")
	if n := len(text) - maxCapture; n > 0 {
		text = strings.ToValidUTF8(text[n:], "") // a cut may fall into a character
	}
	return text
}

// nameOf is what a window is called for the program.
func nameOf(w *tracker.WindowRow) string {
	if a := w.Agent(); a != nil {
		return cmp.Or(a.Name, w.Name)
	}
	return w.Name
}
