package transcript

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func TestLookReadsOnceWithoutAWatcher(t *testing.T) {
	r := newRig(t, newFakeNotes())
	r.add("s1", promptLine(1, "go"))
	now := time.Now()
	got := Look(Config{ClaudeDir: r.dir}, []Target{target("s1"), target("s1"), target("none"), {SessionID: "../../etc/passwd"}}, now)
	if len(got) != 1 || got[0].SessionID != "s1" || got[0].Facts.Prompt != "go" || !got[0].At.Equal(now) {
		t.Errorf("%+v", got)
	}
}

func TestALookCountsWhatFitsSmallestFirst(t *testing.T) {
	var files []*file
	for _, size := range []int64{12 << 20, 1 << 20, 2 << 20} {
		s := newScratch(t, usageLine(fmt.Sprint("m", size), "m", 100, 1))
		s.check(os.Truncate(s.path, size))
		s.append("\n" + promptLine(1, "go") + "\n")
		s.read()
		files = append(files, s.file)
	}
	countWithin(files, 4<<20)
	for i, want := range []int{0, 100, 100} {
		if f := files[i].facts(); f.Tokens.Input != want || f.TokensPartial != (want == 0) {
			t.Errorf("file %d: %+v", i, f)
		}
	}
}
