package tmuxctl

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
)

// BenchmarkListing measures a sweep of 100 and of 500 panes, over both kinds of connection.
func BenchmarkListing(b *testing.B) {
	for _, windows := range []int{25, 125} {
		s := tmuxtest.New(b)
		args := []string{"set-option", "-g", "default-command", "exec sleep 100000"}
		for range windows {
			args = append(args, ";", "new-window", "-d", "-t", "main:")
			args = append(args, strings.Split(strings.Repeat(";|split-window|-d|-t|main:{end}|;|select-layout|-t|main:{end}|tiled|", 3), "|")...)
			s.Run(args[:len(args)-1]...)
			args = nil
			args = append(args, "display-message", "-p", "")
		}
		control := NewControl(execConn(s), inPane(s, s.Main()), nil)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- control.Keep(ctx) }()
		s.Until("the control client", control.Connected)
		for name, c := range map[string]Conn{"exec": execConn(s), "control": control} {
			l := NewLister(c)
			for kind, read := range map[string]func(context.Context) (Listing, error){"full": l.Full, "light": l.Light} {
				b.Run(fmt.Sprintf("panes=%d/%s/%s", 4*windows, name, kind), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := read(ctx); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
		cancel()
		<-done
	}
}

// BenchmarkParse measures our own share of a full listing of 500 panes.
func BenchmarkParse(b *testing.B) {
	rec := fullOne[strings.Index(fullOne, fuzzMark):]
	var in strings.Builder
	in.WriteString(fullOne[:strings.Index(fullOne, fuzzMark)])
	for i := range 500 {
		in.WriteString(strings.NewReplacer("@2", fmt.Sprint("@", i/4), "%3", fmt.Sprint("%", i)).Replace(rec))
	}
	b.ReportAllocs()
	for b.Loop() {
		r, err := parseFull(in.String(), fuzzMark)
		if err != nil || len(r.topology().Sessions[0].Windows) != 125 {
			b.Fatal(err)
		}
	}
}
