package transcript

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
)

// anyLine is some record of a transcript, or something that is none.
func anyLine(kind byte, n int) string {
	id := fmt.Sprintf("t%d", n/3)
	switch kind % 14 {
	case 0:
		return promptLine(n%60, fmt.Sprintf("do %d", n))
	case 1:
		return textLine(n%60, fmt.Sprintf("m%d", n/2), fmt.Sprintf("did %d", n))
	case 2:
		return useLine(n%60, id, "Bash", bashInput)
	case 3:
		return resultLine(n%60, id, "ok")
	case 4:
		return interruptLine(n%60, "[Request interrupted by user]")
	case 5:
		return systemLine(n%60, "turn_duration")
	case 6:
		return sidechain(useLine(n%60, "side"+id, "Read", `{"file_path":"x"}`))
	case 7:
		return queueLine(n%60, "enqueue", fmt.Sprintf("then %d", n))
	case 8:
		return fmt.Sprintf(`{"type":"custom-title","customTitle":"title %d"}`, n)
	case 9:
		return useLine(n%60, "q"+id, "AskUserQuestion", `{"questions":[{"question":"which?"}]}`)
	case 10:
		return `{"type":"frame-link","x":[1,{"y":"é\n"}]}`
	case 11:
		return "{half of something"
	case 12:
		return resultLine(n%60, id, strings.Repeat("long é ", 200+n%900))
	}
	return ""
}

// growth lets a file live by what the bytes say: it grows by whole and half lines, is replaced by
// another one or written anew in place, and is read now and then. It returns what the reader that was
// there all the time knows in the end, and what one that comes then does.
func growth(t testing.TB, data []byte) (got, want tracker.TranscriptFacts) {
	s := newScratch(t, promptLine(0, "begin"))
	var left string // of a line that is half written
	size, clock := 0, time.Date(2026, 11, 30, 22, 0, 0, 0, time.UTC)
	write := func(text string) {
		s.append(text)
		size += len(text)
	}
	for n := 0; len(data) >= 2 && size < tailFirst*3/4; n, data = n+1, data[2:] {
		line := anyLine(data[1], n) + "\n"
		switch data[0] % 8 {
		case 0, 1, 2:
			write(left + line)
			left = ""
		case 3, 4:
			cut := int(data[1]) % (len(line) + 1)
			write(left + line[:cut])
			left = line[cut:]
		case 5:
			s.read()
			continue
		case 6:
			s.replace(strings.TrimSuffix(line, "\n"))
			left, size = "", len(line)
		case 7:
			s.rewrite(strings.TrimSuffix(line, "\n"))
			left, size = "", len(line)
		}
		clock = clock.Add(time.Millisecond) // two writes within a tick of the real one may look like none
		s.check(os.Chtimes(s.path, clock, clock))
	}
	write(left)
	clock = clock.Add(time.Millisecond)
	s.check(os.Chtimes(s.path, clock, clock))
	got = s.read()
	late := &scratch{t: t, path: s.path, file: newFile(s.path, newLedger(ledgerIDs), make([]byte, chunkBytes))}
	return got, late.read()
}

// FuzzTail: whatever happens to a file and whenever it is read, in the end its facts are those of the
// file as it is. Tokens count what was paid for, also in a file that has been replaced.
func FuzzTail(f *testing.F) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 40 {
		data := make([]byte, 2+rng.IntN(120))
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, want := growth(t, data)
		got.Tokens, want.Tokens, got.TokensPartial, want.TokensPartial = tracker.Tokens{}, tracker.Tokens{}, false, false
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	})
}
