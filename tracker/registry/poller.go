package registry

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"signalbox/tracker"
)

// Cadence of the agents poller. A call costs a fifth of a second of one core, and more with every
// agent it looks up.
const (
	agentsEvery  = 30 * time.Second
	agentsPerOne = time.Second // longer for every agent
	agentsAtMost = 60 * time.Second
	// agentsShare bounds what calls take of a core, up to agentsAtMost: a quarter of a second every half a
	// minute was more than all the rest of the board.
	agentsShare = 250
	// agentsSilent is how old an answer may get while no agent has said anything of itself: asked
	// then, Claude Code would read the very files that have not changed.
	agentsSilent = 5 * time.Minute

	// onPath is the program asked when no agent's own can be.
	onPath = "claude"
)

// AgentsPoller is the source of `claude agents --json`: at start, then every 30 to 60 s while
// something moves, and when asked for.
type AgentsPoller struct {
	client *AgentsClient
	exe    func(pid int) (string, error)

	ask   chan struct{} // one slot
	moved atomic.Bool   // something has changed since the last call began

	mu   sync.Mutex
	pids []int
	bad  map[string]refusal // programs without the command, by path
}

// refusal is why a program is not asked again until its file changes.
type refusal struct {
	info os.FileInfo
	err  error
}

// NewAgentsPoller returns a poller over a client. exe tells the executable of a process as the
// kernel does; nil means that only the one on the PATH is asked.
func NewAgentsPoller(client *AgentsClient, exe func(pid int) (string, error)) *AgentsPoller {
	return &AgentsPoller{client: client, exe: exe, ask: make(chan struct{}, 1), bad: map[string]refusal{}}
}

// SetAgents tells which agents run: how many there are sets the pace, and their programs are the
// ones to ask. It does not block; the latest call wins.
func (p *AgentsPoller) SetAgents(pids []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Equal(p.pids, pids) {
		p.pids = slices.Clone(pids)
		p.Moved()
	}
}

// Moved tells that an agent came, went or said something of itself, which the next answer may show.
// While nothing has moved, the answer stays what it is and is asked for every five minutes.
func (p *AgentsPoller) Moved() { p.moved.Store(true) }

// Hurry asks for an answer now. It does not block; calls that come while one is pending are one.
func (p *AgentsPoller) Hurry() {
	select {
	case p.ask <- struct{}{}:
	default:
	}
}

// Run polls until the context ends and then returns nil. An answer is emitted as
// tracker.AgentsListed with the time the call began. Where no program has the command, that is one
// too, not Available, and no failure. A call that failed is only a SourceFailed for
// tracker.SourceAgents: the last answer stands.
func (p *AgentsPoller) Run(ctx context.Context, emit func(tracker.Event)) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var good time.Time // when the last call that was answered began
	var took time.Duration
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-p.ask:
		case <-timer.C:
			if p.known(good, time.Now()) {
				timer.Reset(p.interval(took))
				continue
			}
		}
		p.moved.Store(false) // what moves from now on may come too late for the answer
		begin := time.Now()
		rows, err := p.list(ctx, p.agents(), "--all")
		if ctx.Err() != nil {
			return nil
		}
		end := time.Now()
		took = end.Sub(begin)
		switch {
		case err == nil:
			good = begin
			emit(tracker.SourceWorks{At: end, Source: tracker.SourceAgents})
			emit(tracker.AgentsListed{At: begin, Available: true, Rows: rows})
		case errors.Is(err, ErrNoList), errors.Is(err, exec.ErrNotFound):
			const why = "no `claude agents --json` here (Claude Code 2.1.145 and newer have it)"
			emit(tracker.SourceWorks{At: end, Source: tracker.SourceAgents, Detail: why})
			emit(tracker.AgentsListed{At: begin, Problem: err.Error()})
			good = begin
		default:
			good = time.Time{}
			emit(tracker.SourceFailed{At: end, Source: tracker.SourceAgents, Reason: err.Error()})
		}
		timer.Reset(max(p.interval(took), 2*took))
	}
}

// known reports whether another call would only repeat the answer to the one that began at good.
func (p *AgentsPoller) known(good, now time.Time) bool {
	return !good.IsZero() && !p.moved.Load() && now.Sub(good) < agentsSilent
}

func (p *AgentsPoller) agents() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pids
}

// interval is the time to the next call when the last one took so long.
func (p *AgentsPoller) interval(took time.Duration) time.Duration {
	return min(max(agentsEvery+time.Duration(len(p.agents()))*agentsPerOne, agentsShare*took), agentsAtMost)
}

// Rows asks now, about one agent: its own program where that is possible, else the one on the
// PATH. It waits for a call that is under way and then makes its own. Unlike Run it emits nothing.
func (p *AgentsPoller) Rows(ctx context.Context, pid int) ([]tracker.AgentsEntry, error) {
	return p.list(ctx, []int{pid})
}

// list asks the first program that has the command. One that has not is not asked again until its
// file changes: it would cost a start of it every time.
func (p *AgentsPoller) list(ctx context.Context, pids []int, options ...string) ([]tracker.AgentsEntry, error) {
	var last error
	for _, exe := range Programs(pids, p.exe) {
		file, err := p.client.find(exe)
		if err != nil {
			if last == nil {
				last = err
			}
			continue
		}
		info, err := os.Stat(file)
		if err != nil {
			last = err
			continue
		}
		if err := p.refused(file, info); err != nil {
			last = err
			continue
		}
		rows, err := p.client.Ask(ctx, file, options...)
		if len(options) > 0 && errors.Is(err, ErrNoList) { // it may know the command without the option
			rows, err = p.client.Ask(ctx, file)
		}
		if !errors.Is(err, ErrNoList) {
			return rows, err
		}
		p.mu.Lock()
		p.bad[file] = refusal{info: info, err: err}
		p.mu.Unlock()
		last = err
	}
	return nil, last
}

// refused returns why this program is not to be asked, or nil.
func (p *AgentsPoller) refused(file string, info os.FileInfo) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.bad[file]; ok && sameStamp(r.info, info) {
		return r.err
	}
	return nil
}

// Programs lists what to run for a question about these agents, best first: each agent's own
// executable, then the one on the PATH. An executable that is a runtime (Claude Code 2.0 is a
// script) or whose file was replaced by an update is left out.
func Programs(pids []int, exe func(pid int) (string, error)) []string {
	var list []string
	for _, pid := range pids {
		if exe == nil {
			break
		}
		file, err := exe(pid)
		if err == nil && strings.HasPrefix(file, "/") && tracker.ClaudeProcess(tracker.Process{Name: path.Base(file)}) && !slices.Contains(list, file) {
			list = append(list, file)
		}
	}
	return append(list, onPath)
}
