//go:build linux

package desk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/hookrecv/client"
)

// What an hour of work looks like: ten agents that call a tool every second, which is more than a person
// with ten agents sees, write about it, and draw their progress.
const (
	workers       = 10
	drawPerSecond = 5
	aloneFor      = 5 // seconds of the same work without a board
)

// BenchmarkBoardBusy is what the board costs while agents work. One operation is a second of work.
func BenchmarkBoardBusy(b *testing.B) {
	for _, size := range sizes[1:] {
		b.Run(fmt.Sprintf("windows=%d/agents=%d", size.windows, size.agents), func(b *testing.B) {
			w := newWorld(b, size.windows, size.agents)
			w.transcripts(0)
			ttys := w.terminals()
			alone, began := cpu(b, w.PID()), time.Now()
			for n := range aloneFor {
				draw(n, ttys, func(int) {})
			}
			alone, took := cpu(b, w.PID())-alone, time.Since(began)
			w.start()
			was := w.spent()
			for n := 0; b.Loop(); n++ {
				w.work(n, ttys)
			}
			w.spent().since(was).report(b)
			b.ReportMetric(alone.Seconds()/took.Minutes(), "server-alone-cpu-s/min")
			b.ReportMetric(rssMB(b, w.pid), "RSS-MB")
		})
	}
}

// work is the n-th second of it.
func (w *world) work(n int, ttys []*os.File) {
	draw(n, ttys, func(i int) {
		a, id := w.agents[i], fmt.Sprintf("call-%d-%d", n, i)
		w.sendHook(a, a.call("PreToolUse", id))
		a.says(w.t, "busy", "")
		w.append(a, `{"type":"assistant","message":{"id":"m-`+id+`","role":"assistant","model":"claude-opus","content":[{"type":"tool_use","id":"`+id+`","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":5,"output_tokens":7}}}`)
		w.sendHook(a, a.call("PostToolUse", id))
	})
}

// draw takes a second in which every agent draws its progress, each after it did something.
func draw(n int, ttys []*os.File, something func(i int)) {
	began := time.Now()
	for i, tty := range ttys {
		something(i)
		for k := range drawPerSecond {
			fmt.Fprintf(tty, "\r\x1b[2K* Working (%ds) %d tokens", n, k)
			time.Sleep(time.Until(began.Add(time.Duration(i*drawPerSecond+k+1) * time.Second / time.Duration(len(ttys)*drawPerSecond))))
		}
	}
}

// sendHook runs the hook client without the process around it.
func (w *world) sendHook(a *quietAgent, payload string) {
	w.t.Helper()
	if err := client.Run(client.Call{Begun: time.Now(), Stdin: strings.NewReader(payload), Env: w.lookUp(a)}); err != nil {
		w.t.Fatal(err)
	}
}

// append adds a record to an agent's transcript.
func (w *world) append(a *quietAgent, record string) {
	w.t.Helper()
	f, err := os.OpenFile(filepath.Join(w.projectDir(), a.SessionID+".jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(record + "\n")
	}
	if err != nil {
		w.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		w.t.Fatal(err)
	}
}

// terminals opens the panes of the agents that work: what is written there is output of theirs.
func (w *world) terminals() []*os.File {
	w.t.Helper()
	var ttys []*os.File
	for _, a := range w.agents[:workers] {
		f, err := os.OpenFile(w.Format(a.pane, "#{pane_tty}"), os.O_WRONLY, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		w.t.Cleanup(func() { _ = f.Close() })
		ttys = append(ttys, f)
	}
	return ttys
}
