package procs

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/tracker"
)

func TestReadSelf(t *testing.T) {
	p, err := Read(selfPID())
	if err != nil {
		t.Fatal(err)
	}
	if p.PID != selfPID() || p.PPID != os.Getppid() || p.Group != syscall.Getpgrp() || p.State != tracker.ProcRunning {
		t.Errorf("Read of ourselves: %+v", p)
	}
	if !slices.Equal(p.Args, boundArgs(os.Args)) {
		t.Errorf("arguments %q, want %q", p.Args, os.Args)
	}
	if age := time.Since(p.Began); age < 0 || age > time.Hour {
		t.Errorf("began %v ago", age)
	}
}

func TestBeganIsWhenItBegan(t *testing.T) {
	before := time.Now()
	cmd, _ := shell(t, "echo ready; read x")
	p, err := Read(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	after := time.Now()
	const hundredths = 20 * time.Millisecond // the kernel counts in them
	if p.Began.Before(before.Add(-hundredths)) || p.Began.After(after.Add(hundredths)) {
		t.Errorf("began %v after it was started, which took %v", p.Began.Sub(before), after.Sub(before))
	}
}

func TestReadAgentChecksTheIdentity(t *testing.T) {
	cmd, in := shell(t, "echo ready; read x")
	id := identity(t, cmd.Process.Pid)
	if p, err := ReadAgent(id); err != nil || p.ID() != id {
		t.Fatalf("ReadAgent of a living process: %+v, %v", p, err)
	}
	recycled := id
	recycled.Start--
	if _, err := ReadAgent(recycled); !isGone(err) {
		t.Errorf("start time one off: %v, want ErrGone", err)
	}
	in.Close() // ends the shell; nobody reaps it yet
	eventually(t, "the shell to become a corpse", func() bool {
		p, err := Read(id.PID)
		return err == nil && p.State == tracker.ProcZombie
	})
	if _, err := ReadAgent(id); !isGone(err) {
		t.Errorf("a corpse: %v, want ErrGone", err)
	}
	cmd.Wait()
	if _, err := Read(id.PID); !isGone(err) {
		t.Errorf("after reaping: %v, want ErrGone", err)
	}
}

func TestChain(t *testing.T) {
	cmd, in := shell(t, "sh -c 'echo ready; read x; :' ; :")
	defer in.Close()
	var child int
	eventually(t, "the inner shell", func() bool {
		seen, err := NewTable().Sweep(t.Context(), nil, nil)
		for _, p := range seen.Procs {
			if p.PPID == cmd.Process.Pid {
				child = p.PID
			}
		}
		return err == nil && child != 0
	})
	chain := Chain(child)
	if len(chain) < 3 || chain[0].PID != child || chain[1].PID != cmd.Process.Pid || chain[2].PID != selfPID() {
		t.Fatalf("chain %+v", chain)
	}
	for i, p := range chain {
		if p.PID <= 1 || i > 0 && chain[i-1].PPID != p.PID {
			t.Errorf("link %d of the chain: %+v", i, p)
		}
	}
	if got := chain[0].Args; len(got) != 3 || got[2] != "echo ready; read x; :" {
		t.Errorf("arguments of the first: %q", got)
	}
	if got := Chain(0); got != nil {
		t.Errorf("chain of pid 0: %+v", got)
	}
	if got := Chain(1 << 30); got != nil {
		t.Errorf("chain of nobody: %+v", got)
	}
}

func TestIsClaude(t *testing.T) {
	if IsClaude(tracker.Process{PID: selfPID(), Name: "procs.test", Args: os.Args}) {
		t.Error("the test itself passes for Claude")
	}
	if !IsClaude(tracker.Process{PID: selfPID(), Name: "claude", Args: []string{"claude"}}) {
		t.Error("claude by name does not pass")
	}
	if IsClaude(tracker.Process{PID: selfPID()}) {
		t.Error("a process that says nothing passes, though its file is another")
	}
}

func TestBoundArgs(t *testing.T) {
	if got := boundArgs([]string{"claude", "", "a", "", ""}); !slices.Equal(got, []string{"claude", "", "a"}) {
		t.Errorf("empty ones at the end stay: %q", got)
	}
	if got := boundArgs([]string{""}); got != nil {
		t.Errorf("no arguments: %q", got)
	}
	many := make([]string, 1000)
	for i := range many {
		many[i] = strings.Repeat("€", 1000)
	}
	got := boundArgs(many)
	if len(got) != maxArgs || len(got[0]) > maxArgBytes+3 || strings.ToValidUTF8(got[0], "") != got[0] {
		t.Errorf("%d arguments, the first of %d bytes", len(got), len(got[0]))
	}
}
