package demo

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"signalbox/testdata/fakeagent"
)

// programs are the file names installed in a world, all of them this one executable.
var programs = [...]string{fakeagent.ProgramName, guardProgram, "node", "nvim", "make"}

// holdVar names the socket a program holds on to; it ends when the other side is gone.
const holdVar = "SIGNALBOX_DEMO_HOLD"

// Invoked reports whether this process was started as one of the demo's programs. main asks it
// first of all and then exits with the code of Main.
func Invoked(args, env []string) bool {
	return len(args) > 0 && slices.Contains(programs[:], filepath.Base(args[0])) && value(env, fakeagent.EnvVar) != ""
}

func value(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if len(env[i]) > len(name) && env[i][:len(name)] == name && env[i][len(name)] == '=' {
			return env[i][len(name)+1:]
		}
	}
	return ""
}

// Main runs the program args[0] names. The result is the exit code.
func Main(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	name := filepath.Base(args[0])
	if name == fakeagent.ProgramName {
		return fakeagent.Main(ctx, args, env, stdin, stdout, stderr)
	}
	hold := value(env, holdVar)
	if name == guardProgram {
		if len(args) < 2 {
			fmt.Fprintln(stderr, "error: no directory given")
			return 2
		}
		return guard(args[1], hold, stderr)
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP, syscall.SIGTERM, os.Interrupt)
	defer stop()
	ctx, release := holdOn(ctx, hold)
	defer release()
	switch name {
	case "nvim":
		edit(ctx, stdout, append(args, "main.tf")[1])
	case "make":
		build(ctx, stdout)
	default:
		serve(ctx, stdout, append(args, "server.js")[1])
	}
	return 0
}

// holdOn ends the context when the maker of the world is gone.
func holdOn(ctx context.Context, socket string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	c, err := net.Dial("unix", socket)
	if err != nil {
		return ctx, cancel
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = c.Read(make([]byte, 1))
		cancel()
	}()
	return ctx, func() {
		c.Close()
		<-done
		cancel()
	}
}

// wait reports whether the time passed before the end.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// edit looks like an editor with a file open.
func edit(ctx context.Context, out io.Writer, file string) {
	text := []string{
		`resource "aws_eks_node_group" "workers" {`, `  cluster_name    = var.cluster`, `  node_group_name = "workers"`,
		`  instance_types  = ["m7g.large"]`, ``, `  scaling_config {`, `    desired_size = 3`, `    max_size     = 6`, `    min_size     = 2`, `  }`, `}`,
	}
	fmt.Fprint(out, "\x1b]2;"+file+"\a\x1b[?1049h\x1b[2J\x1b[H")
	for i, l := range text {
		fmt.Fprintf(out, "\x1b[%d;1H\x1b[38;5;240m%3d\x1b[39m %s", i+1, i+1, l)
	}
	fmt.Fprintf(out, "\x1b[%d;1H\x1b[7m %s [+]%30s \x1b[27m\x1b[7;19H", len(text)+2, file, "7,15   All")
	<-ctx.Done()
	fmt.Fprint(out, "\x1b[?1049l")
}

// serve looks like a server that answers requests now and then. It really listens, on a free port
// of the loopback interface, so that the board has a port to show.
func serve(ctx context.Context, out io.Writer, script string) {
	port := 3000
	if ln, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		defer ln.Close()
		port = ln.Addr().(*net.TCPAddr).Port
	}
	fmt.Fprintf(out, "%s listening on http://127.0.0.1:%d\r\n", script, port)
	requests := []string{
		"GET /health 200 1ms", "GET /orders?page=2 200 14ms", "POST /orders 201 22ms", "GET /orders/4711 200 6ms",
		"GET /favicon.ico 404 0ms", "PATCH /orders/4711 200 18ms",
	}
	pauses := []time.Duration{2, 5, 3, 40, 4, 25} // seconds: bursts and calm
	for i := 0; wait(ctx, pauses[i%len(pauses)]*time.Second); i++ {
		fmt.Fprintf(out, "%s %s\r\n", time.Now().Format("15:04:05"), requests[i%len(requests)])
	}
}

// build looks like a build: it prints for some seconds and succeeds.
func build(ctx context.Context, out io.Writer) {
	for _, l := range []string{
		"terraform fmt -check", "terraform validate", "tflint modules/network", "tflint modules/cluster", "tflint modules/storage",
		"checkov -d .", "Passed checks: 41, failed checks: 0",
	} {
		fmt.Fprint(out, l+"\r\n")
		if !wait(ctx, 2*time.Second) {
			return
		}
	}
}
