package settings

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestIsOurs(t *testing.T) {
	ours := []string{
		Command("/usr/bin/signalbox"), Command("/with space/it's \"here\"/signalbox"), Command(`C:\x/signalbox`),
		"signalbox hook", "/opt/signalbox hook", "'/opt/a b/signalbox' hook", `"/opt/a b/signalbox" hook`, `/opt/a\ b/signalbox hook`,
		Command("/home/me/bin/signalbox-dev"), Command("/opt/it's/sbx"), "TERM=dumb '/opt/sbx' hook >/dev/null 2>&1 || :", // as it was installed before
		"exec /opt/signalbox hook 2>/dev/null", "env TERM=dumb A_1=x signalbox  hook  >/dev/null 2>&1 || true", "TERM=dumb signalbox hook &>/dev/null",
	}
	for _, c := range ours {
		if !isOurs(c) {
			t.Errorf("not recognised: %s", c)
		}
	}
	foreign := []string{
		"", " ", "hook", "signalbox", "signalbox status", "signalbox hooks", "my-signalbox hook", "/opt/signalbox/run hook", "echo signalbox hook",
		"signalbox hook; notify-send done", "signalbox hook | tee log", "signalbox hook && x", "signalbox hook extra", "'signalbox hook", "TERM=dumb",
		"TERM=dumb /opt/other hook", "'/opt/other' hook >/dev/null 2>&1 || :", "TERM=dumb '/opt/other' hook >/dev/null 2>&1 || : ; x", "TERM=dumb '/opt/other' x; '/opt/other' hook >/dev/null 2>&1 || :",
		"logger signalbox hook", "=x signalbox hook",
	}
	for _, c := range foreign {
		if isOurs(c) {
			t.Errorf("taken for ours: %s", c)
		}
	}
}

// run runs a command as Claude Code does, with a payload, and returns all it printed.
func run(t *testing.T, shell, command, stdin string) (string, error) {
	t.Helper()
	cmd := exec.Command(shell, "-c", command)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	cmd.Stdin = bytes.NewBufferString(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestCommandInShells(t *testing.T) {
	for _, shell := range []string{"sh", "bash", "dash", "zsh"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("no %s here", shell)
			continue
		}
		dir := filepath.Join(t.TempDir(), `it's a "place" $HOME`+"`x`")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		bin := filepath.Join(dir, "signalbox")
		if out, err := run(t, shell, Command(bin), "{}"); err != nil || out != "" {
			t.Errorf("%s, no such program: %v, printed %q", shell, err, out)
		}
		script := "#!/bin/sh\necho loud; echo loud >&2\n{ echo \"$1 $TERM\"; cat; } >\"$0.log\"\nexit 2\n"
		if err := os.WriteFile(bin, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		if out, err := run(t, shell, Command(bin), "{}"); err != nil || out != "" {
			t.Errorf("%s, a program that fails and talks: %v, printed %q", shell, err, out)
		}
		if got, err := os.ReadFile(bin + ".log"); err != nil || string(got) != "hook dumb\n{}" {
			t.Errorf("%s: the program was run with %q (%v)", shell, got, err)
		}
	}
}
