package transcript

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// countAll runs the background count to its end.
func (s *scratch) countAll() {
	s.t.Helper()
	for n := 0; s.file.counting(); n++ {
		s.check(s.file.countHead())
		if n > 10_000 {
			s.t.Fatal("the count does not end")
		}
	}
}

func TestCountingTheRestGivesTheSumOfTheWholeFile(t *testing.T) {
	lines := []string{`{"type":"custom-title","customTitle":"named once"}`, promptLine(0, "the only prompt")}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		id := fmt.Sprint("m", i)
		for range 1 + rng.IntN(3) {
			lines = append(lines, usageLine(id, "m", 7, 1+rng.IntN(5)))
		}
		lines = append(lines, resultLine(5, "x", strings.Repeat("y", rng.IntN(2000))))
	}
	s := newScratch(t, lines...)
	f := s.read()
	if !f.TokensPartial || f.Tokens.Input == 0 || f.Tokens.Input >= 7*3000 || f.CustomTitle != "" {
		t.Fatalf("the tail alone: %+v", f)
	}
	s.countAll()
	f = s.file.facts()
	if f.TokensPartial || f.Tokens.Input != 7*3000 {
		t.Errorf("counted: %+v, want %d", f.Tokens, 7*3000)
	}
	if f.CustomTitle != "named once" || f.Prompt != "the only prompt" {
		t.Errorf("title %q, prompt %q", f.CustomTitle, f.Prompt)
	}
	whole := foldLines(lines...).sum(nil, true)
	if got := f.Tokens.Output - whole.Tokens.Output; got < -5 || got > 5 { // one answer may lie across the border
		t.Errorf("output differs by %d", got)
	}
}

func TestACountStopsWhenTheFileIsReplaced(t *testing.T) {
	s := sparse(t, 10<<20, promptLine(1, "old"))
	s.read()
	s.replace(promptLine(2, "new"))
	if err := s.file.countHead(); err == nil {
		t.Fatal("counting another file")
	}
	if f := s.read(); f.Prompt != "new" || f.TokensPartial {
		t.Errorf("%+v", f)
	}
}
