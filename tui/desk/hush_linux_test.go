//go:build linux

package desk_test

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
)

// TestNothingIsSaidToATerminalByBeingLoaded: a command that only prints neither asks the terminal anything,
// nor waits for an answer, nor takes what is typed ahead for the shell.
func TestNothingIsSaidToATerminalByBeingLoaded(t *testing.T) {
	s := tmuxtest.New(t)
	for _, variable := range []string{"TERM=xterm-256color", "TERM=", ""} {
		t.Run(variable, func(t *testing.T) { saysNothing(t, s, variable) })
	}
}

func saysNothing(t *testing.T, s *tmuxtest.Server, variable string) {
	master, name := openTerminal(t)
	defer master.Close()
	slave, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--version")
	cmd.Env = slices.DeleteFunc(s.Env(), func(v string) bool { return strings.HasPrefix(v, "TERM=") })
	if variable != "" {
		cmd.Env = append(cmd.Env, variable)
	}
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
