package tracker

// listed is a small tmux server: session $0 with one window per pane, pane %i with first process
// 100+i; session names and processes as the tests need them.
func listed(seconds float64, panes ...int) TmuxListed {
	topo := Topology{Server: ServerID{Socket: "/s", PID: 1}, Version: "3.4"}
	sess := Session{ID: "$0", Name: "work", Attached: 1}
	for i, n := range panes {
		id := PaneID("%" + string(rune('0'+n)))
		sess.Windows = append(sess.Windows, Window{
			ID: WindowID("@" + string(rune('0'+n))), Index: i, Name: "w", Active: i == 0,
			Panes: []Pane{{ID: id, PID: 100 + n, Active: true, Command: "bash", Path: "/src"}},
		})
	}
	topo.Sessions = []Session{sess}
	return TmuxListed{At: at(seconds), Topology: topo}
}

// claude is an agent process 200+n in pane n and its ancestors.
func claude(n int) []Process {
	return []Process{
		{PID: 200 + n, PPID: 100 + n, Start: uint64(5000 + n), Name: "claude", Args: []string{"claude"}, Group: 200 + n, TermGroup: 200 + n},
		{PID: 100 + n, PPID: 1, Start: uint64(1000 + n), Name: "bash", Group: 100 + n, TermGroup: 200 + n},
	}
}

func registry(seconds float64, n int, session, status string) RegistryRead {
	return RegistryRead{At: at(seconds), PID: 200 + n, Chain: claude(n), Entry: &RegistryEntry{
		PID:       200 + n,
		SessionID: session, Kind: "interactive", Status: status, StatusUpdatedAt: at(seconds), UpdatedAt: at(seconds),
	}}
}

func hooked(seconds float64, n int, h Hook) HookReceived {
	h.ClaudePID = 200 + n
	return HookReceived{At: at(seconds), Seen: at(seconds), Hook: h, Chain: claude(n)}
}

func play(evs ...Event) *State {
	s := NewState(SourceTmux)
	for _, ev := range evs {
		s.Apply(ev)
	}
	return s
}

// rows is the agent of each pane, as "status session".
func rows(s *State) map[PaneID]string {
	out := map[PaneID]string{}
	s.Snapshot().Windows(func(_ *SessionRow, w *WindowRow) bool {
		for _, p := range w.Panes {
			if p.Agent != nil {
				out[p.ID] = p.Agent.Verdict.Status.String() + " " + p.Agent.SessionID
			}
			for _, a := range p.Others {
				out[p.ID] += " + " + a.Verdict.Status.String() + " " + a.SessionID
			}
		}
		return true
	})
	return out
}
