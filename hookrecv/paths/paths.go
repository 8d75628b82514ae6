// Package paths says where boards and hook clients meet: the run directories with the sockets and
// the event log. Both sides derive them from their own environment, and the two environments may
// differ: a tmux server started over ssh or from cron hands its panes no XDG_RUNTIME_DIR.
package paths

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// program names our folders.
const program = "signalbox"

// ErrUntrusted says that a run directory belongs to somebody else or can be changed by others.
// Prompts are never sent into such a directory.
var ErrUntrusted = errors.New("directory is not private")

// State is our folder below $XDG_STATE_HOME, by default ~/.local/state. It is empty when the
// environment names neither. As the XDG specification asks, a relative path counts as unset.
func State(env func(string) string) string {
	if dir := env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, program)
	}
	if home := env("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", program)
	}
	return ""
}

// RunDirs lists the directories for board sockets, the preferred one first:
// $XDG_RUNTIME_DIR/signalbox, then run in the state folder. A board listens in all of them and a
// client looks in all of them, so that they meet when only one of the two knows XDG_RUNTIME_DIR. A
// runtime directory that does not exist is not ours to make: it belongs to the login session.
func RunDirs(env func(string) string) []string {
	var dirs []string
	if dir := env("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) && isDir(dir) {
		dirs = append(dirs, filepath.Join(dir, program))
	}
	if dir := State(env); dir != "" {
		dirs = append(dirs, filepath.Join(dir, "run"))
	}
	return dirs
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// EventLog is the file that keeps hook calls for boards that start later; empty without a state
// folder.
func EventLog(env func(string) string) string {
	if dir := State(env); dir != "" {
		return filepath.Join(dir, "events.jsonl")
	}
	return ""
}

// OldLog is where a full event log is moved to.
func OldLog(path string) string { return path + ".1" }

// A Board is the socket of one board, which may be dead.
type Board struct {
	Path string
	PID  int
}

const (
	socketPrefix = "board-"
	socketSuffix = ".sock"
)

// Socket is the path of a board's socket.
func Socket(dir string, pid int) string {
	return filepath.Join(dir, socketPrefix+strconv.Itoa(pid)+socketSuffix)
}

// Boards lists the sockets in the directories. A board that listens in several is listed once.
// Missing and untrusted directories hold no boards.
func Boards(dirs []string) []Board {
	var boards []Board
	seen := make(map[int]bool)
	for _, dir := range dirs {
		if CheckPrivate(dir) != nil {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			pid := socketPID(e.Name())
			if pid == 0 || seen[pid] || e.Type() != fs.ModeSocket {
				continue
			}
			seen[pid] = true
			boards = append(boards, Board{Path: filepath.Join(dir, e.Name()), PID: pid})
		}
	}
	return boards
}

// socketPID is the pid in a socket's name, or 0.
func socketPID(name string) int {
	digits, ok := strings.CutPrefix(name, socketPrefix)
	if !ok {
		return 0
	}
	if digits, ok = strings.CutSuffix(digits, socketSuffix); !ok {
		return 0
	}
	pid, err := strconv.Atoi(digits)
	if err != nil || pid <= 0 || strconv.Itoa(pid) != digits {
		return 0
	}
	return pid
}

// CheckPrivate reports ErrUntrusted unless dir is a directory of this user that nobody else can
// write to. A symbolic link is none.
func CheckPrivate(dir string) error {
	info, err := owned(dir)
	if err == nil && info.Mode().Perm()&0o022 != 0 {
		err = fmt.Errorf("%s: %w: others can write to it", dir, ErrUntrusted)
	}
	return err
}

// CheckOwned reports ErrUntrusted unless dir is a directory of this user. A symbolic link is none.
func CheckOwned(dir string) error {
	_, err := owned(dir)
	return err
}

func owned(dir string) (fs.FileInfo, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: %w: it is no directory", dir, ErrUntrusted)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return nil, fmt.Errorf("%s: %w: it belongs to another user", dir, ErrUntrusted)
	}
	return info, nil
}
