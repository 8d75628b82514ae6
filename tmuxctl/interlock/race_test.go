//go:build race

package interlock

// interleavings under the race detector, which takes ten times as long for each and looks for something else.
const interleavings = 3_000
