package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/tracker"
)

// scratch is a transcript on disk and the reader under test.
type scratch struct {
	t    testing.TB
	path string
	file *file
}

func newScratch(t testing.TB, lines ...string) *scratch {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := &scratch{t: t, path: path, file: newFile(path, newLedger(ledgerIDs), make([]byte, chunkBytes))}
	if lines != nil {
		s.replace(lines...)
	}
	return s
}

func joined(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

// replace writes a new file and renames it over the old one.
func (s *scratch) replace(lines ...string) {
	s.t.Helper()
	s.check(os.WriteFile(s.path+".new", joined(lines), 0o600))
	s.check(os.Rename(s.path+".new", s.path))
}

// rewrite truncates the file in place and writes it again.
func (s *scratch) rewrite(lines ...string) {
	s.t.Helper()
	s.check(os.WriteFile(s.path, joined(lines), 0o600))
}

func (s *scratch) append(data string) {
	s.t.Helper()
	fh, err := os.OpenFile(s.path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	s.check(err)
	_, err = fh.WriteString(data)
	s.check(err)
	s.check(fh.Close())
}

func (s *scratch) read() tracker.TranscriptFacts {
	s.t.Helper()
	_, err := s.file.read()
	s.check(err)
	return s.file.facts()
}

func (s *scratch) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func TestReadingGoesOnWhereItEnded(t *testing.T) {
	s := newScratch(t, promptLine(1, "one"))
	if f := s.read(); f.Prompt != "one" {
		t.Fatalf("%+v", f)
	}
	before := s.file.bytesRead
	line := promptLine(2, "two") + "\n"
	s.append(line)
	if f := s.read(); f.Prompt != "two" {
		t.Fatalf("%+v", f)
	}
	if n := s.file.bytesRead - before; n > int64(len(line))+printBytes {
		t.Errorf("%d bytes read for a line of %d", n, len(line))
	}
	before = s.file.bytesRead
	changed, err := s.file.read()
	if changed || err != nil || s.file.bytesRead != before {
		t.Errorf("nothing new: changed %v, %v, %d bytes read", changed, err, s.file.bytesRead-before)
	}
}

func TestALineWrittenInPiecesIsReadOnce(t *testing.T) {
	s := newScratch(t, promptLine(1, "one"))
	s.read()
	line := textLine(2, "a", "words")
	for _, b := range []byte(line) {
		s.append(string(b))
		if f := s.read(); f.LastText != "" {
			t.Fatal("half a line counts")
		}
	}
	s.append("\n")
	if f := s.read(); f.LastText != "words" || f.Tokens.Input != 10 {
		t.Fatalf("%+v", f)
	}
}

func TestAFileThatBecameAnotherIsReadAnew(t *testing.T) {
	long := promptLine(1, strings.Repeat("x", 500))
	for name, change := range map[string]func(*scratch){
		"truncated and shorter":         func(s *scratch) { s.rewrite(promptLine(2, "new")) },
		"truncated and longer":          func(s *scratch) { s.rewrite(promptLine(2, "new"), textLine(3, "b", strings.Repeat("y", 5000))) },
		"truncated to the same length":  func(s *scratch) { s.rewrite(promptLine(2, "new"+strings.Repeat("y", 497))) },
		"replaced by rename":            func(s *scratch) { s.replace(promptLine(2, "new")) },
		"replaced by the same and more": func(s *scratch) { s.replace(long, promptLine(2, "new")) },
		"deleted and written again":     func(s *scratch) { s.check(os.Remove(s.path)); s.append(promptLine(2, "new") + "\n") },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScratch(t, long, textLine(1, "a", "old"))
			if f := s.read(); f.Tokens.Input != 10 {
				t.Fatalf("%+v", f)
			}
			change(s)
			later := time.Now().Add(time.Second) // a later write has a later time; the test is faster than the clock
			s.check(os.Chtimes(s.path, later, later))
			f := s.read()
			if !strings.HasPrefix(f.Prompt, "new") {
				t.Fatalf("prompt %.20q", f.Prompt)
			}
			if f.LastText == "old" && name != "replaced by the same and more" {
				t.Error("facts of the old file stay")
			}
			if want := 10 * min(1, len(f.LastText)); f.Tokens.Input != want {
				t.Errorf("%d tokens, want %d", f.Tokens.Input, want)
			}
		})
	}
}

func TestAFileWithTheSameEndingIsAnotherFileAllTheSame(t *testing.T) {
	end := textLine(2, "a", strings.Repeat("x", 2*printBytes))
	s := newScratch(t, promptLine(1, "old"), end)
	s.read()
	s.replace(promptLine(1, "new"), end)
	if f := s.read(); f.Prompt != "new" || f.Tokens.Input != 10 {
		t.Errorf("%q, %d tokens", f.Prompt, f.Tokens.Input)
	}
}

func TestTheRestOfALineThatIsTooLongToSearchIsNoRecord(t *testing.T) {
	s := newScratch(t)
	s.check(os.WriteFile(s.path, nil, 0o600))
	s.check(os.Truncate(s.path, lineStartMost+1<<20)) // zero bytes, as a crash may leave them
	if s.read(); s.file.bytesRead > lineStartMost+4*tailMost {
		t.Errorf("%d bytes read", s.file.bytesRead)
	}
	s.append(promptLine(1, "the end of that line") + "\n" + promptLine(2, "next") + "\n")
	if f := s.read(); f.Prompt != "next" || s.file.acc.records != 1 {
		t.Errorf("%q, %d records", f.Prompt, s.file.acc.records)
	}
}

func TestAMissingFileIsNoFactAndNoHarm(t *testing.T) {
	s := newScratch(t)
	if _, err := s.file.read(); !missing(err) {
		t.Fatalf("%v", err)
	}
	s.append(promptLine(1, "one") + "\n")
	s.read()
	s.check(os.Rename(s.path, s.path+".orphaned-1"))
	if _, err := s.file.read(); !missing(err) {
		t.Fatalf("%v", err)
	}
	if f := s.file.facts(); f.Prompt != "one" {
		t.Error("the facts went with the file")
	}
}

func TestWhatIsNotAFileIsNotOpened(t *testing.T) {
	s := newScratch(t)
	s.check(syscall.Mkfifo(s.path, 0o600))
	if _, err := s.file.read(); !errors.Is(err, errNotRegular) { // opening it would hang
		t.Fatalf("%v", err)
	}
}

func TestNoDescriptorIsKept(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	open := func() int {
		d, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(d)
	}
	before := open()
	for range 20 {
		newScratch(t, promptLine(1, "x")).read()
	}
	if n := open(); n > before {
		t.Errorf("%d descriptors more", n-before)
	}
}

// sparse makes a file of this size whose end is tail and whose beginning takes no room.
func sparse(t testing.TB, size int64, tail ...string) *scratch {
	s := newScratch(t)
	s.check(os.WriteFile(s.path, []byte("{}\n"), 0o600))
	s.check(os.Truncate(s.path, size))
	s.append("\n" + string(joined(tail)))
	return s
}

func TestAFourGigabyteFileCostsWhatASmallOneDoes(t *testing.T) {
	tail := []string{promptLine(1, "go"), textLine(2, "a", "words"), useLine(3, "t1", "Bash", bashInput)}
	small, big := newScratch(t, tail...), sparse(t, 4<<30, tail...)
	a, b := small.read(), big.read()
	b.Path, b.TokensPartial = a.Path, a.TokensPartial
	if !reflect.DeepEqual(a, b) {
		t.Errorf("the facts differ:\n%+v\n%+v", a, b)
	}
	if n := big.file.bytesRead; n > 2*tailFirst+chunkBytes {
		t.Errorf("%d bytes read", n)
	}
	if !big.file.facts().TokensPartial {
		t.Error("the tokens of a tail are not labelled as partial")
	}
}

func TestOpeningGoesBackOnlyUntilTheTurnIsSettled(t *testing.T) {
	filler := func(bytes int) (lines []string) {
		for n := 0; n < bytes; n += 10_000 {
			lines = append(lines, resultLine(5, "other", strings.Repeat("x", 10_000)))
		}
		return lines
	}
	call := useLine(2, "t1", "AskUserQuestion", `{"questions":[{"question":"Which?"}]}`)
	for name, c := range map[string]struct {
		behind  int // bytes written after the call
		seen    bool
		atMost  int64
		settled bool
	}{
		"in the first window":  {50_000, true, 3 * tailFirst, false},
		"in the second window": {300_000, true, 2 * tailMore, false},
		"in the last window":   {1_500_000, true, 2 * tailMost, false},
		"before the last":      {4_000_000, false, 2 * tailMost, false},
		"settled since":        {300_000, false, 3 * tailFirst, true},
	} {
		lines := append([]string{promptLine(1, "go"), call}, filler(c.behind)...)
		if c.settled {
			lines = append(lines, systemLine(6, "turn_duration"))
		}
		s := sparse(t, 100<<20, lines...)
		f := s.read()
		if f.ToolPending != c.seen {
			t.Errorf("%s: pending %v", name, f.ToolPending)
		}
		if s.file.bytesRead > c.atMost {
			t.Errorf("%s: %d bytes read", name, s.file.bytesRead)
		}
	}
}

func TestTheLastPromptIsWorthALittleMoreReading(t *testing.T) {
	answers := func(n int) (lines []string) {
		for i := range n {
			lines = append(lines, textLine(5, fmt.Sprint("m", i), strings.Repeat("x", 1000)))
		}
		return lines
	}
	s := sparse(t, 100<<20, append([]string{promptLine(1, "near")}, answers(300)...)...)
	if f := s.read(); f.Prompt != "near" {
		t.Errorf("%q", f.Prompt)
	}
	s = sparse(t, 100<<20, append([]string{promptLine(1, "far")}, answers(1000)...)...)
	if f := s.read(); f.Prompt != "" || s.file.bytesRead > 2*tailMore {
		t.Errorf("%q after %d bytes", f.Prompt, s.file.bytesRead)
	}
}

func TestAFileThatEndsInOneEndlessLineIsReadFromItsStart(t *testing.T) { // B58
	result := resultLine(3, "t1", strings.Repeat(`x\n`, 10<<20))
	s := newScratch(t, promptLine(1, "go"), useLine(2, "t1", "Bash", bashInput), result)
	f := s.read()
	if f.LastAt != at(3) {
		t.Fatalf("the long line is not read: %+v", f)
	}
	s.append(textLine(4, "a", "done") + "\n" + systemLine(5, "turn_duration") + "\n")
	if f = s.read(); f.LastText != "done" || f.TurnEndAt.IsZero() {
		t.Fatalf("the lines behind it are not read: %+v", f)
	}
	fresh := newFile(s.path, newLedger(ledgerIDs), make([]byte, chunkBytes))
	_, err := fresh.read()
	s.check(err)
	if f := fresh.facts(); f.LastText != "done" || f.ToolPending || fresh.bytesRead > 3*tailFirst {
		t.Errorf("opened behind the long line: %+v, %d bytes read", f, fresh.bytesRead)
	}
}

func TestAnEndlessLineThatIsNotCompleteIsNoRecord(t *testing.T) {
	s := newScratch(t, promptLine(1, "go"))
	line := resultLine(3, "t1", strings.Repeat("x", 5<<20))
	s.append(line[:4<<20])
	if f := s.read(); f.ToolPending {
		t.Fatalf("%+v", f)
	}
	s.append(line[4<<20:] + "\n" + systemLine(5, "turn_duration") + "\n")
	if f := s.read(); !f.TurnEndAt.Equal(at(5)) {
		t.Fatalf("%+v", f)
	}
}

func TestAfterALongAbsenceTheTailIsOpenedAgain(t *testing.T) {
	s := newScratch(t, promptLine(1, "old"), textLine(1, "a", "x"))
	s.read()
	before := s.file.bytesRead
	st, err := os.Stat(s.path)
	s.check(err)
	s.check(os.Truncate(s.path, st.Size()+catchUp))
	s.append("\n" + promptLine(2, "new") + "\n" + systemLine(3, "turn_duration") + "\n")
	if f := s.read(); f.Prompt != "new" || !f.TokensPartial {
		t.Fatalf("%+v", f)
	}
	if n := s.file.bytesRead - before; n > 3*tailFirst {
		t.Errorf("%d bytes read", n)
	}
}

// TestAnyGrowthGivesTheFactsOfTheWhole grows a recording in random pieces, with a read after each.
func TestAnyGrowthGivesTheFactsOfTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	paths, _ := filepath.Glob("../../testdata/recordings/*/transcript-*.jsonl")
	for _, p := range paths {
		data, want := readTestFile(t, p), readFacts(t, p)
		s := newScratch(t)
		for len(data) > 0 {
			n := min(1+rng.IntN(3000), len(data))
			s.append(string(data[:n]))
			data = data[n:]
			s.read()
		}
		got := s.file.facts()
		got.Path = want.Path
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", p, got, want)
		}
	}
}

func TestLineStartIsTheFirstBeginningAtOrAfter(t *testing.T) {
	data := []byte("aa\nbbbb\n\ncc")
	f := newFile("", nil, make([]byte, 3))
	for pos, want := range []int64{0, 3, 3, 3, 8, 8, 8, 8, 8, 9, 11, 11} {
		got, inside, err := f.lineStart(bytes.NewReader(data), int64(pos))
		if err != nil || got != want || inside != (want == 11) {
			t.Errorf("at %d: %d %v %v, want %d", pos, got, inside, err, want)
		}
	}
}
