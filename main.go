// Command signalbox is a board of lamps for the Claude Code agents in your tmux.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"signalbox/hookrecv/client"
	"signalbox/testdata/fakeagent"
	"signalbox/testdata/fakeagent/demo"
	"signalbox/tracker/engine"
	"signalbox/tui/cli"
	"signalbox/tui/desk"
	"signalbox/tui/hush"
)

// version is set by the linker for releases.
var version = "dev"

func main() {
	hush.Over()
	// A hook runs inside somebody else's agent and is paid for many times a minute: nothing else of
	// the program may run before it.
	if isHook(os.Args[1:]) {
		client.Main()
		return
	}
	if code, ok := simulated(); ok {
		os.Exit(code)
	}
	os.Exit(run())
}

// isHook reports whether this is `signalbox hook`, whatever flags stand around it: Claude Code takes
// an exit code of 2 for a veto, so a flag that this version does not know must not lead to one.
func isHook(args []string) bool {
	for len(args) > 0 {
		arg := args[0]
		if args = args[1:]; !strings.HasPrefix(arg, "-") {
			return arg == "hook"
		}
		switch arg {
		case "-L", "-S", "--tmux-name", "--tmux-socket", "--claude-dir", "--config", "--debug":
			args = args[min(1, len(args)):]
		}
	}
	return false
}

// simulated runs the parts of the demo's world, which are this program under other names.
func simulated() (code int, ok bool) {
	ctx, args, env := context.Background(), os.Args, os.Environ()
	switch {
	case fakeagent.Invoked(args, env):
		return fakeagent.Main(ctx, args, env, os.Stdin, os.Stdout, os.Stderr), true
	case demo.Invoked(args, env):
		return demo.Main(ctx, args, env, os.Stdin, os.Stdout, os.Stderr), true
	}
	return 0, false
}

// run is the program; it returns the exit code so that everything deferred has run by then.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := cli.Command(version, desk.Open(version)).ExecuteContext(ctx)
	if err == nil {
		return cli.ExitOK
	}
	cli.Report(os.Stderr, err)
	var crash *engine.Crash
	if errors.As(err, &crash) {
		os.Stderr.Write(crash.Stack)
	}
	return cli.ExitCode(err)
}
