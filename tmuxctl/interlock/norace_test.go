//go:build !race

package interlock

// interleavings is how many random runs the adversary gets.
const interleavings = 12_000
