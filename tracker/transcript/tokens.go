package transcript

import (
	"hash/maphash"

	"signalbox/tracker"
)

// ledger knows which API answers have been counted, over all files of the process: copies of old
// lines reappear in forked, branched and resumed files under the same message id. It is used by
// one goroutine.
//
// It is bounded: two generations of ids are kept, and the older goes when the newer is full. A
// copy of an answer that old is counted again, which a label can live with.
type ledger struct {
	seed     maphash.Seed
	now, old map[uint64]owner
	alive    map[owner]struct{}
	last     owner
	most     int // ids per generation
}

// owner is one reading of one file. A file that is read anew has a new owner, and what the old
// one had claimed is free again.
type owner uint32

func newLedger(most int) *ledger {
	return &ledger{
		seed: maphash.MakeSeed(), most: most,
		now: map[uint64]owner{}, alive: map[owner]struct{}{},
	}
}

func (l *ledger) open() owner {
	l.last++
	l.alive[l.last] = struct{}{}
	return l.last
}

func (l *ledger) close(o owner) { delete(l.alive, o) }

func (l *ledger) key(id string) uint64 { return maphash.String(l.seed, id) }

// claim reports whether o may count this answer: nobody has, that is still there.
func (l *ledger) claim(key uint64, o owner) bool {
	was, known := l.now[key]
	if !known {
		was, known = l.old[key]
	}
	if known {
		if _, alive := l.alive[was]; alive {
			return false
		}
	}
	if len(l.now) >= l.most {
		l.old, l.now = l.now, make(map[uint64]owner, l.most)
	}
	l.now[key] = o
	return true
}

// counter sums the usage of one file, or of one part of it. One API answer is several lines with
// the same message id that repeat its usage, the first ones with a placeholder for the output: the
// line with the highest output stands for the answer, whole.
type counter struct {
	ledger *ledger
	owner  owner
	sum    tracker.Tokens
	recent [recentMessages]answer
	next   int
}

type answer struct {
	key   uint64
	mine  bool // counted here
	usage tracker.Tokens
}

// add takes one line. It reports whether the line is the best one of its answer so far.
func (c *counter) add(id string, usage tracker.Tokens, copied bool) bool {
	if id == "" {
		return true
	}
	key := c.ledger.key(id)
	for i := range c.recent {
		a := &c.recent[i]
		if a.key != key {
			continue
		}
		if usage.Output <= a.usage.Output {
			return false
		}
		if a.mine {
			c.plus(a.usage, -1)
			c.plus(usage, 1)
		}
		a.usage = usage
		return true
	}
	a := answer{key: key, usage: usage, mine: !copied && c.ledger.claim(key, c.owner)}
	if a.mine {
		c.plus(usage, 1)
	}
	c.recent[c.next] = a
	c.next = (c.next + 1) % len(c.recent)
	return true
}

func (c *counter) plus(t tracker.Tokens, sign int) {
	c.sum = addTokens(c.sum, tracker.Tokens{
		Input: sign * t.Input, Output: sign * t.Output,
		CacheRead: sign * t.CacheRead, CacheWrite: sign * t.CacheWrite,
	})
}

func addTokens(a, b tracker.Tokens) tracker.Tokens {
	return tracker.Tokens{
		Input: a.Input + b.Input, Output: a.Output + b.Output,
		CacheRead: a.CacheRead + b.CacheRead, CacheWrite: a.CacheWrite + b.CacheWrite,
	}
}
