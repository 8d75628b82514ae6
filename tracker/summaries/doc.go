// Package summaries has a program write better summaries of windows than the board can derive.
//
// The program is a person's own and may cost money, so everything about it is bounded: how often it
// runs, for how long, about how many windows, how much it gets to read, and how many times a day.
// It is asked only about windows whose screen says something new; an answer is kept by the content
// it was written of. Nothing waits for it: the board's own summary stands beside every written one,
// and an answer that cannot be used is the failure of a source and nothing else.
package summaries
