package tracker

import (
	"fmt"
	"strings"
)

func (w *world) tell(evs ...Event) {
	if len(evs) > 0 {
		w.tells = append(w.tells, evs)
	}
}

// tellTmux lists the panes every few seconds. The last pane may open late, and the first one close
// when nobody lives in it.
func (w *world) tellTmux() {
	d := w.dice
	w.late = d.roll(80)
	if w.short = 100 + d.roll(60); d.roll(3) != 1 {
		w.short = 0
	}
	for _, l := range w.lives {
		if l.pane == 0 || l.pane == w.panes-1 {
			w.short, w.late = 0, min(w.late, l.began)
		}
	}
	var evs told
	for t := d.roll(30); t <= w.end; t += 10 + d.roll(40) {
		ev := w.listing(t)
		evs = append(evs, ev)
	}
	w.tell(append(evs, w.listing(w.end))...)
}

// open reports whether a pane is there at a time.
func (w *world) open(pane, t int) bool {
	return (pane < w.panes-1 || t >= w.late) && (pane > 0 || w.short == 0 || t < w.short)
}

func (w *world) listing(t int) TmuxListed {
	var panes []int
	for i := range w.panes {
		if w.open(i, t) {
			panes = append(panes, i)
		}
	}
	ev := listed(float64(t)/10, panes...)
	for i := range ev.Topology.Sessions[0].Windows {
		ev.Topology.Sessions[0].Windows[i].Activity = tenth(t - t%40)
	}
	return ev
}

func (w *world) tellProcesses() {
	d := w.dice
	var evs told
	last := w.end - d.roll(2)*d.roll(w.end) // the table may become unreadable
	for t := d.roll(40); t < last; t += 10 + d.roll(40) {
		evs = append(evs, ProcessesSeen{At: tenth(t), Complete: true, Procs: w.procs(t)})
		if l := w.lives[d.roll(len(w.lives))]; d.chance(3) && t+5 < w.end && l.alive(t+5) {
			evs = append(evs, ProcessesSeen{At: tenth(t + 5), Procs: w.chain(l.pid(), t+5)[:1]})
		}
	}
	if last == w.end && d.chance(2) { // else only what else is told says who has ended
		evs = append(evs, ProcessesSeen{At: tenth(w.end), Complete: true, Procs: w.procs(w.end)})
	}
	w.tell(evs...)
	for _, l := range w.lives {
		if l.ended > 0 && d.roll(3) != 1 {
			w.tell(ProcessExited{At: tenth(l.ended), ID: AgentID{l.pid(), uint64(5000 + l.n)}})
		}
	}
}

func (w *world) tellRegistry() {
	for _, l := range w.lives {
		if !l.registry {
			continue
		}
		var evs told
		for i, s := range l.steps {
			if !l.alive(s.at) || s.at > w.end || i+1 < len(l.steps) && l.steps[i+1].at == s.at {
				continue // of two words at once a reader sees the last
			}
			kind := "interactive"
			if l.pane < 0 {
				kind = "bg"
			}
			evs = append(evs, RegistryRead{At: tenth(s.at), PID: l.pid(), Chain: w.chain(l.pid(), s.at), Entry: &RegistryEntry{
				PID: l.pid(), SessionID: s.session, Kind: kind, Status: s.word, StatusUpdatedAt: tenth(s.at), UpdatedAt: tenth(s.at),
				StartedAt: tenth(l.began), Name: fmt.Sprint("agent ", l.n),
			}})
		}
		w.tell(evs...)
	}
}

func (w *world) tellHooks() {
	for _, l := range w.lives {
		way := w.dice.roll(4)
		for _, s := range l.steps {
			if !l.hooks || !l.alive(s.at) || s.at > w.end {
				continue
			}
			ev := HookReceived{At: tenth(s.at), Seen: tenth(s.at), Hook: hookOf(s)}
			switch shared := l.sessionAt(s.at) == "shared"; {
			case way == 1 && l.named: // a version that does not name its process: the caller's chain tells
				ev.Chain = w.chain(l.pid(), s.at)
			case way == 2 && !shared && !w.twins(l): // not even a caller: the session tells
			default:
				ev.Hook.ClaudePID, ev.Chain = l.pid(), w.chain(l.pid(), s.at)
			}
			if ev.Hook.Name != "" {
				w.tell(ev)
			}
		}
	}
}

// twins reports whether another agent may be taken for this one by its pane, or may never have been
// seen: a hook that names no process is for whoever is the only one then, which depends on arrival.
func (w *world) twins(l *life) bool {
	for _, o := range w.lives {
		if o != l && o.pane == l.pane {
			return true
		}
	}
	return !l.registry || l.ended > 0
}

func hookOf(s step) Hook {
	what, prompt, _ := strings.Cut(s.what, " ")
	h := Hook{SessionID: s.session, PromptID: prompt, CWD: "/" + s.session, Tool: "Bash", ToolKey: "k" + prompt, ToolUseID: "t" + prompt, ToolDetail: "make"}
	switch what {
	case "startup", "clear", "resume":
		h.Name, h.StartSource = HookSessionStart, what
	case "prompt":
		h.Name, h.Prompt = HookUserPromptSubmit, "do "+prompt
	case "tool":
		h.Name = HookPreToolUse
	case "ask":
		h.Name = HookPermissionRequest
	case "question":
		h.Name, h.Tool = HookPreToolUse, "AskUserQuestion"
	case "back":
		h.Name = HookPostToolUse
	case "stop":
		h.Name, h.LastMessage = HookStop, "did "+prompt
	case "background":
		h.Name, h.Background = HookStop, []BackgroundTask{{ID: "b" + prompt, Type: "shell", Status: "running"}}
	case "fail":
		h.Name, h.Error = HookStopFailure, "overloaded"
	}
	return h
}

// tellTranscripts reads the transcript of the session that is open.
func (w *world) tellTranscripts() {
	var evs told
	for t := 5 + w.dice.roll(20); t <= w.end; t += 5 + w.dice.roll(30) {
		seen := map[string]bool{}
		for _, l := range w.lives {
			id := l.sessionAt(t)
			if !l.script || id == "" || !l.alive(t) || seen[id] {
				continue
			}
			seen[id] = true
			f := TranscriptFacts{Path: "/" + id, Model: "m", LastAt: tenth(t), CustomTitle: "title of " + id}
			for _, s := range l.steps {
				switch what, prompt, _ := strings.Cut(s.what, " "); {
				case s.at > t || s.session != id:
				case what == "prompt":
					f.Prompt, f.PromptAt = "do "+prompt, tenth(s.at)
				case what == "stop":
					f.TurnEndAt, f.LastText, f.LastTextAt = tenth(s.at), "did "+prompt, tenth(s.at)
				case what == "tool", what == "question":
					f.Tool, f.ToolDetail, f.ToolAt = "Bash", "make", tenth(s.at)
				}
			}
			evs = append(evs, TranscriptRead{At: tenth(t), SessionID: id, Facts: f})
		}
	}
	w.tell(evs...)
}

// tellList asks `claude agents --json` now and then.
func (w *world) tellList() {
	d := w.dice
	var evs told
	for t := d.roll(60); t <= w.end; t += 20 + d.roll(100) {
		ev := AgentsListed{At: tenth(t), Available: !d.chance(8)}
		for _, l := range w.lives {
			row := AgentsEntry{PID: l.pid(), SessionID: l.sessionAt(t), Kind: "interactive"}
			if l.pane < 0 {
				row.Kind, row.State, row.ID = "background", "working", fmt.Sprint("bg", l.n)
			}
			for _, s := range l.steps {
				if s.at <= t {
					row.Status = strings.Replace(s.word, "shell", "busy", 1)
				}
			}
			if l.alive(t) && row.Status != "" && !d.chance(5) {
				ev.Rows = append(ev.Rows, row)
			}
		}
		evs = append(evs, ev)
	}
	w.tell(evs...)
}

func (w *world) tellScreens() {
	d := w.dice
	var evs told
	for t := d.roll(40); t <= w.end; t += 15 + d.roll(60) {
		i := d.roll(w.panes)
		if !w.open(i, t) {
			continue
		}
		evs = append(evs, ScreenSeen{At: tenth(t), Pane: PaneID(fmt.Sprint("%", i)), PanePID: 100 + i, Dialog: d.chance(2), Composer: d.chance(3), LastLine: "$"})
	}
	w.tell(evs...)
}

// tellPerson looks at panes, and brings back what an earlier board knew.
func (w *world) tellPerson() {
	d := w.dice
	for range d.roll(3) {
		if t, i := 60+d.roll(w.end-60), d.roll(w.panes); w.open(i, t) {
			w.tell(Acknowledged{At: tenth(t), Pane: PaneID(fmt.Sprint("%", i))})
		}
	}
	if !d.chance(2) {
		return
	}
	ev := Restored{At: tenth(0)}
	for _, l := range w.lives {
		if l.began == 0 || d.chance(2) {
			ev.Verdicts = append(ev.Verdicts, RestoredVerdict{
				ID: AgentID{l.pid(), uint64(5000 + l.n)}, Status: Statuses()[d.roll(5)], Since: tenth(-50), LookedAt: tenth(-60),
			})
			ev.Inbox = append(ev.Inbox, Happening{At: tenth(-50), Kind: HappenedNeedsInput, Agent: AgentID{l.pid(), uint64(5000 + l.n)}, Pane: "%0"})
		}
	}
	w.tell(ev)
}

func (w *world) tellHealth() {
	for _, src := range []Source{SourceAgents, SourceProcess} {
		w.tell(
			SourceWorks{At: tenth(10), Source: src},
			SourceFailed{At: tenth(20 + w.dice.roll(20)), Source: src, Reason: "cannot be read"},
			SourceWorks{At: tenth(50 + w.dice.roll(20)), Source: src, Detail: "again"},
		)
	}
}
