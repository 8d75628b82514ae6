// Command claude is the simulated Claude Code as a program of its own, for tests and benchmarks
// that build it: `go build -o DIR/claude signalbox/testdata/fakeagent/claude`. Its options come
// from the file named by SIGNALBOX_FAKE_AGENT; without it the defaults apply.
package main

import (
	"context"
	"os"

	"signalbox/testdata/fakeagent"
)

func main() {
	os.Exit(fakeagent.Main(context.Background(), os.Args, os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
