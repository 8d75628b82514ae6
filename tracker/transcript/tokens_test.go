package transcript

import (
	"fmt"
	"testing"

	"signalbox/tracker"
)

// usageLine is one line of an API answer.
func usageLine(id, model string, in, out int) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"model":%q,"content":[{"type":"thinking","thinking":"x"}],"usage":{"input_tokens":%d,"output_tokens":%d,"cache_read_input_tokens":2,"cache_creation_input_tokens":3}}}`, id, model, in, out)
}

func TestOneAnswerCountsOnceWhateverItsLines(t *testing.T) { // B60
	for name, c := range map[string]struct {
		lines []string
		want  tracker.Tokens
		model string
	}{
		"three equal lines":              {[]string{usageLine("a", "m", 10, 5), usageLine("a", "m", 10, 5), usageLine("a", "m", 10, 5)}, tracker.Tokens{Input: 10, Output: 5, CacheRead: 2, CacheWrite: 3}, "m"},
		"placeholder first":              {[]string{usageLine("a", "m", 10, 1), usageLine("a", "m", 11, 50)}, tracker.Tokens{Input: 11, Output: 50, CacheRead: 2, CacheWrite: 3}, "m"},
		"placeholder last":               {[]string{usageLine("a", "m", 11, 50), usageLine("a", "x", 10, 1)}, tracker.Tokens{Input: 11, Output: 50, CacheRead: 2, CacheWrite: 3}, "m"},
		"fallback changes the model":     {[]string{usageLine("a", "big", 10, 1), usageLine("a", "small", 11, 50)}, tracker.Tokens{Input: 11, Output: 50, CacheRead: 2, CacheWrite: 3}, "small"},
		"two answers, lines in between":  {[]string{usageLine("a", "m", 10, 5), usageLine("b", "m", 1, 1), usageLine("a", "m", 10, 5)}, tracker.Tokens{Input: 11, Output: 6, CacheRead: 4, CacheWrite: 6}, "m"},
		"subagents count for themselves": {[]string{usageLine("a", "m", 10, 5), sidechain(usageLine("b", "m", 1, 1))}, tracker.Tokens{Input: 10, Output: 5, CacheRead: 2, CacheWrite: 3}, "m"},
		"nonsense":                       {[]string{`{"type":"assistant","message":{"id":"a","usage":{"input_tokens":-5,"output_tokens":1e300,"cache_read_input_tokens":"x","cache_creation_input_tokens":99999999999999}}}`}, tracker.Tokens{CacheWrite: 1 << 40}, ""},
		"no id":                          {[]string{`{"type":"assistant","message":{"usage":{"input_tokens":5}}}`}, tracker.Tokens{}, ""},
	} {
		if f := factsOf(c.lines...); f.Tokens != c.want || f.Model != c.model {
			t.Errorf("%s: %+v by %q", name, f.Tokens, f.Model)
		}
	}
}

func TestCopiesInAnotherFileAddNothing(t *testing.T) {
	l := newLedger(ledgerIDs)
	first, second := newAccum(l, l.open()), newAccum(l, l.open())
	for i := range 50 {
		first.fold(parseRecord([]byte(usageLine(fmt.Sprint("m", i), "m", 1, 1))))
	}
	for i := range 60 { // the fork holds all of it, and ten answers of its own
		second.fold(parseRecord([]byte(usageLine(fmt.Sprint("m", i), "m", 1, 1))))
	}
	if a, b := first.tokens.sum.Input, second.tokens.sum.Input; a != 50 || b != 10 {
		t.Errorf("%d and %d, want 50 and 10", a, b)
	}
}

func TestBranchedCopiesSayThemselvesThatTheyAreCopies(t *testing.T) {
	r := parseRecord([]byte(sidechain(usageLine("a", "m", 1, 1))))
	r.sidechain = false
	r2 := parseRecord([]byte(`{"forkedFrom":{"sessionId":"s","messageUuid":"u"},` + usageLine("b", "m", 1, 1)[1:]))
	l := newLedger(ledgerIDs)
	a := newAccum(l, l.open())
	a.fold(r)
	a.fold(r2)
	if a.tokens.sum.Input != 1 || a.facts.Model != "m" {
		t.Errorf("%+v", a.tokens.sum)
	}
}

func TestAFileThatIsReadAnewMayCountItsAnswersAgain(t *testing.T) {
	l := newLedger(ledgerIDs)
	first := newAccum(l, l.open())
	r := parseRecord([]byte(usageLine("a", "m", 1, 1)))
	first.fold(r)
	l.close(first.tokens.owner)
	second := newAccum(l, l.open())
	second.fold(r)
	if second.tokens.sum.Input != 1 {
		t.Error("the answer is lost")
	}
}

func TestLedgerIsBounded(t *testing.T) {
	l := newLedger(100)
	o := l.open()
	for i := range 10_000 {
		if !l.claim(l.key(fmt.Sprint(i)), o) {
			t.Fatalf("answer %d is new and refused", i)
		}
	}
	if n := len(l.now) + len(l.old); n > 200 {
		t.Errorf("%d ids kept", n)
	}
	for id := 9850; id < 10_000; id++ { // both generations
		if l.claim(l.key(fmt.Sprint(id)), o) {
			t.Fatalf("the recent answer %d is forgotten", id)
		}
	}
}
