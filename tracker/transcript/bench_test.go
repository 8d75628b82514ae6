package transcript

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func BenchmarkOpen(b *testing.B) {
	tail := []string{promptLine(1, "go")}
	for i := range 100 {
		tail = append(tail, textLine(2, fmt.Sprint(i), strings.Repeat("words ", 100)))
	}
	for name, s := range map[string]*scratch{"4KB": newScratch(b, tail[:6]...), "100KB": newScratch(b, tail...), "4GB": sparse(b, 4<<30, tail...)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f := newFile(s.path, s.file.ledger, s.file.buf)
				if _, err := f.read(); err != nil {
					b.Fatal(err)
				}
				f.close()
			}
			b.ReportMetric(float64(s.file.bytesRead), "bytes-read")
		})
	}
}

// BenchmarkDecode is the speed of the background count.
func BenchmarkDecode(b *testing.B) {
	data := readTestFile(b, "../../testdata/recordings/subagent/transcript-d7e63794-971d-4809-af99-2dc3f27a2e5d.jsonl")
	long := joined([]string{resultLine(1, "t", strings.Repeat(`output of a command\n`, 5000))})
	for name, piece := range map[string][]byte{"short lines": data, "long results": append(bytes.Clone(data), bytes.Repeat(long, 3)...)} {
		b.Run(name, func(b *testing.B) {
			a := newAccum(newLedger(ledgerIDs), 1)
			var d decoder
			b.SetBytes(int64(len(piece)))
			for b.Loop() {
				d.write(piece, a.fold)
			}
		})
	}
}
