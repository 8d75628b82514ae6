package transcript

import (
	"slices"
	"time"

	"signalbox/tracker"
)

// Look reads the targets once, for commands that print and end. Sessions without a readable
// transcript are left out. What stands before the tails is counted as far as lookCount reaches,
// the least first; after that TranscriptFacts.TokensPartial is set.
func Look(cfg Config, targets []Target, now time.Time) []tracker.TranscriptRead {
	places := New(cfg).places
	ledger, buf := newLedger(ledgerIDs), make([]byte, chunkBytes)
	seen := map[string]bool{}
	var sessions []string
	var files []*file
	for _, t := range targets {
		if seen[t.SessionID] || !validSession(t.SessionID) {
			continue
		}
		seen[t.SessionID] = true
		var at place
		if err := at.find(places, t, now); err != nil || !at.found {
			continue
		}
		f := newFile(at.path, ledger, buf)
		if _, err := f.read(); err != nil {
			continue
		}
		sessions, files = append(sessions, t.SessionID), append(files, f)
	}
	countWithin(files, lookCount)
	var out []tracker.TranscriptRead
	for i, f := range files {
		out = append(out, tracker.TranscriptRead{At: now, SessionID: sessions[i], Facts: f.facts()})
	}
	return out
}

// countWithin completes the counts that fit into this many bytes together. A file that cannot be
// read any more keeps what it has.
func countWithin(files []*file, most int64) {
	var open []*file
	for _, f := range files {
		if f.counting() {
			open = append(open, f)
		}
	}
	slices.SortFunc(open, func(a, b *file) int { return int(min(max(a.left()-b.left(), -1), 1)) })
	for _, f := range open {
		if most -= f.left(); most < 0 {
			return
		}
		for f.counting() {
			if f.countHead() != nil {
				break
			}
		}
	}
}
