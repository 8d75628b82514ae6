package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"signalbox/testdata/fakeagent"
)

// Tmux runs one tmux command line on the world's own server: socket World.Socket, no configuration
// file (-f /dev/null), UTF-8 (-u), and World.Env as its environment. A ";" argument separates
// commands.
type Tmux interface {
	Run(ctx context.Context, args ...string) error
}

// Config is what a world needs from its maker.
type Config struct {
	Settings []byte   // content of settings.json: the hooks
	Env      []string // NAME=value, added to the environment of everything in the world
	TempDir  string   // where the directory is made; default: /tmp, else the system's
	Speed    float64  // how much faster than real time it plays; 0 is 1
}

// World is one demo world. Its methods are safe for use by one goroutine at a time, except that
// Close may be called while Drive runs.
type World struct {
	Dir       string // everything lies below it
	Home      string // HOME of everything in it
	ClaudeDir string
	Socket    string // tmux -S

	speed float64
	hold  net.Listener
	held  sync.WaitGroup
	guard *exec.Cmd

	mu     sync.Mutex
	conns  []net.Conn
	closed bool
}

// Names of files in a world. They are short: a socket path may have about 100 bytes.
const (
	holdName   = "hold"
	serverName = "server.pid"
)

// closeWait bounds how long Close waits for the guard to tidy up.
const closeWait = 5 * time.Second

// dirPattern names the directory of a world; the guard removes no other.
const dirPattern = "signalbox-demo-"

// New makes the directory of a world, its programs and its guard. Nothing runs in it yet. The
// caller must Close it.
func New(c Config) (w *World, err error) {
	base := c.TempDir
	if base == "" {
		if base = "/tmp"; !isDir(base) {
			base = os.TempDir()
		}
	}
	dir, err := os.MkdirTemp(base, dirPattern)
	if err != nil {
		return nil, fmt.Errorf("making the demo's directory: %w", err)
	}
	w = &World{Dir: dir, Home: filepath.Join(dir, "home"), Socket: filepath.Join(dir, "tmux")}
	w.ClaudeDir, w.speed = filepath.Join(w.Home, ".claude"), c.Speed
	if w.speed <= 0 {
		w.speed = 1
	}
	defer func() {
		if err != nil {
			w.Close()
		}
	}()
	if err := w.furnish(c); err != nil {
		return w, err
	}
	if w.hold, err = net.Listen("unix", filepath.Join(dir, holdName)); err != nil {
		return w, fmt.Errorf("opening the demo's hold: %w", err)
	}
	w.held.Go(w.accept)
	return w, w.startGuard()
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// furnish makes the folders, files and programs of a world.
func (w *World) furnish(c Config) error {
	bin := filepath.Join(w.Dir, "bin")
	for _, d := range []string{bin, w.ClaudeDir, filepath.Join(w.Dir, "run"), filepath.Join(w.Dir, "agents")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return fmt.Errorf("making the demo's folders: %w", err)
		}
	}
	one, err := fakeagent.Install(bin, programs[0])
	if err != nil {
		return fmt.Errorf("installing the demo's programs: %w", err)
	}
	for _, name := range programs[1:] { // links to the first one, which may be a copy
		if err := os.Link(one, filepath.Join(bin, name)); err != nil {
			return fmt.Errorf("installing the demo's programs: %w", err)
		}
	}
	files := map[string][]byte{
		filepath.Join(w.ClaudeDir, "settings.json"):          c.Settings,
		filepath.Join(w.ClaudeDir, fakeagent.BackgroundFile): backgroundRows(w.Home),
		filepath.Join(w.Dir, "env"):                          []byte(strings.Join(c.Env, "\n")),
	}
	for _, a := range cast() {
		o := a.options
		o.ClaudeDir, o.CWD = w.ClaudeDir, filepath.Join(w.Home, a.dir)
		o.Hold = filepath.Join(w.Dir, holdName)
		o.Name, o.Improvise, o.Loop, o.Speed = a.name, true, true, w.speed
		b, err := json.Marshal(o)
		if err != nil {
			return fmt.Errorf("writing the agents' options: %w", err)
		}
		files[w.optionsFile(a.name)] = b
		if err := os.MkdirAll(o.CWD, 0o700); err != nil {
			return fmt.Errorf("making the demo's folders: %w", err)
		}
	}
	for path, content := range files {
		if content == nil {
			continue
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return fmt.Errorf("writing the demo's files: %w", err)
		}
	}
	return nil
}

func (w *World) optionsFile(agent string) string {
	return filepath.Join(w.Dir, "agents", agent+".json")
}

// Env is the whole environment of programs in the world: its tmux server, the panes, and a board
// that is to see it. It inherits nothing but the search path for system programs.
func (w *World) Env() []string {
	env := []string{
		"HOME=" + w.Home,
		"PATH=" + filepath.Join(w.Dir, "bin") + ":/usr/local/bin:/usr/bin:/bin",
		"SHELL=/bin/sh",
		"LANG=C.UTF-8",
		"TERM=xterm-256color",
		"HISTFILE=/dev/null",
		"PS1=$ ",
		"CLAUDE_CONFIG_DIR=" + w.ClaudeDir,
		"XDG_RUNTIME_DIR=" + filepath.Join(w.Dir, "run"),
		"XDG_STATE_HOME=" + filepath.Join(w.Home, ".local", "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(w.Home, ".config"),
		"TMUX_TMPDIR=" + w.Dir,
		fakeagent.EnvVar + "=1",
		holdVar + "=" + filepath.Join(w.Dir, holdName),
	}
	if extra, err := os.ReadFile(filepath.Join(w.Dir, "env")); err == nil && len(extra) > 0 {
		env = append(env, strings.Split(string(extra), "\n")...)
	}
	return env
}

// accept keeps every connection open until Close: the other ends live as long as they do.
func (w *World) accept() {
	for {
		c, err := w.hold.Accept()
		if err != nil {
			return
		}
		w.mu.Lock()
		if w.closed {
			c.Close()
		} else {
			w.conns = append(w.conns, c)
		}
		w.mu.Unlock()
	}
}

// startGuard starts the process that tidies up after us, in a session of its own so that no signal
// meant for us reaches it.
func (w *World) startGuard() error {
	w.guard = exec.Command(filepath.Join(w.Dir, "bin", guardProgram), w.Dir)
	w.guard.Env = w.Env()
	w.guard.Dir = "/"
	w.guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := w.guard.Start(); err != nil {
		return fmt.Errorf("starting the demo's guard: %w", err)
	}
	return nil
}

// Close ends everything in the world and removes it. It waits for that, for a few seconds at most.
// Closing twice is fine.
func (w *World) Close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil
	}
	w.closed = true
	conns := w.conns
	w.mu.Unlock()
	if w.hold != nil {
		w.hold.Close()
		w.held.Wait()
	}
	for _, c := range conns {
		c.Close()
	}
	var err error
	if w.guard != nil && w.guard.Process != nil {
		done := make(chan error, 1)
		go func() { done <- w.guard.Wait() }()
		timer := time.NewTimer(closeWait)
		defer timer.Stop()
		select {
		case <-done:
		case <-timer.C:
			w.guard.Process.Kill()
			<-done
			err = errors.New("the demo's guard did not finish in time")
		}
	}
	if rm := os.RemoveAll(w.Dir); rm != nil && err == nil {
		err = fmt.Errorf("removing the demo's directory: %w", rm)
	}
	return err
}
