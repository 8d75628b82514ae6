//go:build linux

package desk_test

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
)

// TestNothingIsSaidToATerminalByBeingLoaded: a command that only prints neither asks the terminal anything,
// nor waits for an answer, nor takes what is typed ahead for the shell.
func TestNothingIsSaidToATerminalByBeingLoaded(t *testing.T) {
	s := tmuxtest.New(t)
	master, name := openTerminal(t)
	defer master.Close()
	slave, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--version")
	cmd.Env = append(s.Env(), "TERM=xterm-256color")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	_ = slave.Close()
	out, _ := io.ReadAll(master) // which ends in an error, as nobody is at the other end any more
	if got := string(out); !strings.HasPrefix(got, "signalbox version") || strings.ContainsRune(got, '\x1b') {
		t.Errorf("the terminal got %q", got)
	}
}
