// Package transcript reads what Claude Code writes about a session: <session id>.jsonl in the
// folder of its project. It turns bytes into tracker.TranscriptFacts and sends them on.
//
//	bytes ─▶ shrinker ─▶ decoder ─▶ accum ─▶ TranscriptFacts      pure, no clock, no files
//	file (tail, resume, replaced) ─▶ the above                     one file, no descriptor kept
//	Watcher (folders, poll, targets) ─▶ file ─▶ TranscriptRead     one goroutine
//
// # The format
//
// The vendor calls the lines internal and changes them at will, so nothing is required of a line:
// unknown types and fields are normal, a line that is not JSON is skipped, a missing timestamp
// means "just after the line before". Order in the file is the order of events. Parent links are
// never followed. Lines of subagents (isSidechain) say nothing about their parent but that time
// passed; the files of subagents are never opened.
//
// # Cost
//
// A file is opened at its tail, so a 4 GB file costs what a 4 KB one does: at first tailFirst
// bytes, more in bounded steps only while nothing in them settles whether a tool is pending, and one
// step more for the last prompt. A line of any length passes through a buffer that keeps the
// beginning of its strings. No file stays open between two reads. Only sessions that are targets
// are looked at, and one that is merely glanced at is read once and not watched.
//
// Tokens are a sum over the whole file, and the tail is not the whole file. The rest is counted
// in the background in small pieces, at a small share of one core, while the session is a target;
// until that is done TokensPartial is set and Tokens is a lower bound. The same pass finds titles
// and the last prompt where they stand before the tail. A message id counts once in this process:
// the second file that holds a copy (forked, branched, resumed) adds nothing for it.
//
// # Ordering and loss
//
// The facts of a session are sent in the order of its file, each time as the whole sum; a change
// that decides a status goes out at once, others at most ten times a second. A full channel blocks
// the watcher, which then loses notices, not facts: the next read starts where the last one ended.
// SetTargets may be called from any goroutine and never blocks. Everything in the facts is
// untrusted text, cut to a bound.
package transcript
