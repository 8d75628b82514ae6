package program

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sh is a shell script as a program.
func sh(script string, timeout time.Duration) Program {
	return Program{Argv: []string{"/bin/sh", "-c", script}, Env: []string{"PATH=/usr/bin:/bin", "WORD=given"}, Timeout: timeout, Max: 1000}
}

func TestOutputInputAndEnvironment(t *testing.T) {
	t.Setenv("SECRET", "ours")
	out, err := sh(`cat; echo "$WORD,$SECRET,$(ps -o tty= -p $$ | tr -d ' ')"`, 10*time.Second).Run(t.Context(), []byte("in;$(x) "))
	if err != nil || strings.TrimSpace(string(out)) != "in;$(x) given,,?" {
		t.Errorf("%q %v", out, err)
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Program
		want string
	}{
		{"a status", sh("echo first >&2; printf 'the \\033[31mreason\\n\\n' >&2; exit 3", 10*time.Second), "running /bin/sh: exit status 3: the [31mreason"},
		{"no such program", Program{Argv: []string{"/nowhere/x"}, Timeout: time.Second}, "running /nowhere/x: "},
		{"nothing to run", Program{}, "there is no program to run"},
		{"too much", sh("yes", 10*time.Second), "it wrote too much"},
		{"too slow", sh("sleep 60", 50*time.Millisecond), "it did not end within 50ms"},
	} {
		began := time.Now()
		out, err := c.p.Run(t.Context(), []byte("SECRET"))
		if err == nil || !strings.Contains(err.Error(), c.want) || out != nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %q %v", c.name, out, err)
		}
		if took := time.Since(began); took > 8*time.Second {
			t.Errorf("%s took %v", c.name, took)
		}
	}
	if _, err := (Program{Argv: []string{"no-such-program-here"}, Env: []string{}, Timeout: time.Second}).Run(t.Context(), nil); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// TestEverythingItStartedEnds: a program's children do not outlive its time.
func TestEverythingItStartedEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if data, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(data), "\n") {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	_, err := sh("sleep 60 & echo $! > "+file+"; wait", time.Minute).Run(ctx, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) || zombie(pid) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("its child %d still runs", pid)
		}
	}
}

// zombie reports whether a dead process waits for somebody to take note.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// TestAnInheritedPipeHoldsNobodyUp: a child in a group of its own keeps our pipe open.
func TestAnInheritedPipeHoldsNobodyUp(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("SKIPPED, NOT TESTED: no setsid program here")
	}
	began := time.Now()
	out, err := sh("setsid sleep 60 & echo $!", 50*time.Second).Run(t.Context(), nil)
	took := time.Since(began)
	pid, bad := strconv.Atoi(strings.TrimSpace(string(out)))
	if bad != nil || err != nil || took > 30*time.Second {
		t.Fatalf("%q %v after %v", out, err, took)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("the child has not outlived the program: %v", err)
	}
}
