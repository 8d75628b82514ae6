package interlock

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
	"signalbox/tracker/procs"
)

// execRunner runs a tmux process for every list.
func execRunner(s *tmuxtest.Server) Runner {
	return func(ctx context.Context, stdin []byte, commands ...[]string) ([]byte, error) {
		args := []string{"-u", "-S", s.Socket()}
		for i, c := range commands {
			if i > 0 {
				args = append(args, ";")
			}
			args = append(args, c...)
		}
		cmd := exec.CommandContext(ctx, s.Tmux(), args...)
		cmd.Env, cmd.Stdin = s.Env(), bytes.NewReader(stdin)
		var out, msg bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &msg
		if err := cmd.Run(); err != nil {
			return out.Bytes(), fmt.Errorf("%w: %s", err, bytes.TrimSpace(msg.Bytes()))
		}
		return out.Bytes(), nil
	}
}

// rig is a stub in a pane of a real tmux, and the interfaces of an Interlock around it.
type rig struct {
	t      *testing.T
	server *tmuxtest.Server
	tmux   *Server
	pane   tmuxtest.Pane
	dir    string
	agent  tracker.AgentID

	mu    sync.Mutex
	word  string
	point func(string)
}

// stubCommand is the shell line that starts the stub.
func stubCommand(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := filepath.Abs(screens)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s=%s INTERLOCK_SCREENS=%s %s", stubDir, dir, pictures, self)
}

// newRig starts a stub under a shell in a pane of its own, as a person would.
func newRig(t *testing.T, s *tmuxtest.Server) *rig {
	t.Helper()
	r := &rig{t: t, server: s, tmux: NewServer(execRunner(s)), word: "idle", point: func(string) {}}
	r.pane = s.NewSession("", tmuxtest.Command{})
	s.Run("resize-window", "-t", string(r.pane.Window), "-x", "120", "-y", "40")
	r.start()
	return r
}

// start runs a new stub in the pane's shell.
func (r *rig) start() {
	r.t.Helper()
	dir, err := os.MkdirTemp(r.server.TmpDir(), "s")
	if err != nil {
		r.t.Fatal(err)
	}
	r.dir = dir
	r.server.Shell(r.pane.ID, stubCommand(r.t, dir))
	r.identify()
}

// identify waits for the stub and its first screen.
func (r *rig) identify() {
	r.t.Helper()
	pid, err := strconv.Atoi(r.server.UntilFile(filepath.Join(r.dir, "pid")))
	if err != nil {
		r.t.Fatal(err)
	}
	p, err := procs.Read(pid)
	if err != nil {
		r.t.Fatal(err)
	}
	r.agent = p.ID()
	r.server.UntilText(r.pane.ID, "manual mode on")
}

// order tells the stub to do something, and waits until it has.
func (r *rig) order(line string) {
	r.t.Helper()
	c, err := net.Dial("unix", filepath.Join(r.dir, "sock"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintln(c, line)
	if answer, err := bufio.NewReader(c).ReadString('\n'); err != nil || answer != "ok\n" {
		r.t.Fatalf("the stub answered %q: %v", answer, err)
	}
}

func (r *rig) target() Target {
	return Target{Server: tracker.ServerID{PID: r.server.PID()}, Pane: r.pane.ID, PanePID: r.pane.PID, Agent: r.agent, SessionID: "s1"}
}

func (r *rig) interlock() *Interlock {
	return &Interlock{Tmux: pointed{r.tmux, r}, Processes: r, Claude: r, Receipts: r, Timing: DefaultTiming()}
}

// pointed is the real tmux with points around its calls.
type pointed struct {
	*Server
	r *rig
}

func (p pointed) Look(ctx context.Context, pane tracker.PaneID) (Look, error) {
	p.r.point("look before")
	defer p.r.point("look after")
	return p.Server.Look(ctx, pane)
}

func (p pointed) Paste(ctx context.Context, g Guard, text string) (bool, error) {
	p.r.point("paste before")
	defer p.r.point("paste after")
	return p.Server.Paste(ctx, g, text)
}

func (p pointed) Enter(ctx context.Context, g Guard) (bool, error) {
	p.r.point("enter before")
	defer p.r.point("enter after")
	return p.Server.Enter(ctx, g)
}

// Inspect is the real process table.
func (r *rig) Inspect(_ context.Context, agent tracker.AgentID, pane PaneProcess) (Process, error) {
	r.point("inspect before")
	defer r.point("inspect after")
	p, err := procs.ReadAgent(agent)
	if err != nil {
		return Process{}, nil
	}
	out := Process{Alive: true, Stopped: p.State == tracker.ProcStopped, Foreground: p.Foreground()}
	for _, a := range procs.Chain(agent.PID) {
		out.UnderPane = out.UnderPane || a.PID == pane.PID
	}
	if first, err := procs.Read(pane.PID); err == nil {
		out.OnTerminal = first.TTY == p.TTY
	}
	if reads, who := procs.StdinIsTTYChild(agent); reads {
		out.Reader = who
	}
	return out, nil
}

func (r *rig) Rows(context.Context, tracker.AgentID) ([]tracker.AgentsEntry, error) {
	r.point("rows before")
	defer r.point("rows after")
	return []tracker.AgentsEntry{{PID: r.agent.PID, SessionID: "s1", Status: r.getWord()}}, nil
}

func (r *rig) Entry(context.Context, tracker.AgentID) (*tracker.RegistryEntry, error) {
	r.point("entry before")
	defer r.point("entry after")
	return &tracker.RegistryEntry{PID: r.agent.PID, SessionID: "s1", Status: r.getWord()}, nil
}

func (r *rig) getWord() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.word
}

func (r *rig) setWord(word string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.word = word
}

// Watch tells what the stub took, as the hooks would.
func (r *rig) Watch(ctx context.Context, agent tracker.AgentID, session string) (<-chan Prompt, error) {
	r.point("watch before")
	defer r.point("watch after")
	c, path, told := make(chan Prompt), filepath.Join(r.dir, "got"), len(r.reads("got"))
	go func() {
		for ctx.Err() == nil {
			for _, g := range readLines(path)[told:] {
				told++
				select {
				case c <- Prompt{SessionID: session, ClaudePID: agent.PID, Text: g.Text}:
				case <-ctx.Done():
				}
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return c, nil
}

// reads is a file of the stub's.
func (r *rig) reads(name string) []stubRead { return readLines(filepath.Join(r.dir, name)) }

func readLines(path string) []stubRead {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var out []stubRead
	for line := range strings.Lines(string(data)) {
		var s stubRead
		if strings.HasSuffix(line, "\n") && json.Unmarshal([]byte(line), &s) == nil {
			out = append(out, s)
		}
	}
	return out
}

// buffers lists the server's paste buffers.
func (r *rig) buffers() string {
	out, _ := r.server.Try("list-buffers", "-F", "#{buffer_name}=#{buffer_sample}")
	return out
}
