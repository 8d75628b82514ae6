package tracker

import (
	"reflect"
	"slices"
	"time"
)

// recycleSlack is how much earlier than its process a hook may have begun, given that the start
// time of a process is known to about a second.
const recycleSlack = 2 * time.Second

func (s *State) applyHook(ev HookReceived) Change {
	s.tick(ev.Seen)
	s.learnChain(ev.Chain, ev.Seen)
	a, ok := s.hookAgent(&ev)
	if !ok {
		if !ev.Replayed && len(s.early) < earlyLimit {
			s.early = append(s.early, earlyHook{ev})
		}
		return ChangeNone
	}
	if a == nil {
		return ChangeNone // of an agent that has ended
	}
	return s.addHook(a, &ev)
}

func (s *State) addHook(a *agent, ev *HookReceived) Change {
	h := &ev.Hook
	was, label := a.ev.Hooks, a.label
	s.noteSpoken(a)
	a.ev.Hooks.Add(ev.At, h)
	a.label.learn(ev.At, h)
	if h.SubagentID == "" {
		s.noteSession(a, h.SessionID, label.session.text)
	}
	if h.Name == HookUserPromptSubmit && h.SubagentID == "" {
		// a new prompt means that the person has seen the end of the turn before
		a.looked = latest(a.looked, ev.At)
	}
	s.replaying = ev.Replayed
	defer func() { s.replaying = false }()
	changed := !reflect.DeepEqual(was, a.ev.Hooks) || !reflect.DeepEqual(label, a.label)
	return s.settleAgent(a, changed)
}

// hookAgent finds the agent of a hook. ok is false when it is not known yet; a nil agent with ok
// means it is known to be over. The process is identity; session id and pane are only used when a
// hook does not tell its process, and only when they name exactly one agent.
func (s *State) hookAgent(ev *HookReceived) (a *agent, ok bool) {
	if p, found := s.callerOf(ev); found {
		if ev.Replayed && before(ev.At, p.Began) {
			return nil, true // the pid belonged to an older process then
		}
		return s.ensure(p, ev.At, ev.Seen), true
	}
	if pid := ev.Hook.ClaudePID; pid != 0 {
		a = s.only(func(a *agent) bool { return a.id.PID == pid && !before(ev.At, a.began) })
		return a, a != nil
	}
	session := ev.Hook.SessionID
	open := func(a *agent) bool { return a.label.session.text == session && !before(ev.At, a.began) }
	had := func(a *agent) bool { return slices.Contains(a.had, session) && !before(ev.At, a.began) }
	for _, f := range []func(*agent) bool{open, had} {
		if a := s.only(f); a != nil && session != "" {
			return a, true
		}
	}
	if a := s.only(func(a *agent) bool { return a.pane != "" && a.pane == ev.Hook.Pane && !a.nested }); a != nil &&
		(a.label.session.text == "" || a.label.session.text == session) {
		return a, true
	}
	return nil, false
}

// before reports whether a hook began so long before a process that it cannot be its own.
func before(hook, began time.Time) bool {
	return !began.IsZero() && hook.Before(began.Add(-recycleSlack))
}

// callerOf picks the Claude process among the caller's ancestors: the one the hook names, else the
// nearest that is an agent already or carries Claude's name.
func (s *State) callerOf(ev *HookReceived) (Process, bool) {
	for _, p := range ev.Chain {
		if ev.Hook.ClaudePID != 0 {
			if p.PID == ev.Hook.ClaudePID {
				return p, true
			}
			continue
		}
		if s.agents[p.ID()] != nil || ClaudeProcess(p) {
			return p, true
		}
	}
	return Process{}, false
}

// only returns the single agent that satisfies f, or nil.
func (s *State) only(f func(*agent) bool) *agent {
	var found *agent
	for _, a := range s.agents {
		if f(a) {
			if found != nil {
				return nil
			}
			found = a
		}
	}
	return found
}

// retryEarly applies hooks that came before their agent was known.
func (s *State) retryEarly() Change {
	c := ChangeNone
	waiting := s.early
	s.early = nil
	for _, e := range waiting {
		a, ok := s.hookAgent(&e.ev)
		switch {
		case ok && a != nil:
			c = max(c, s.addHook(a, &e.ev))
		case !ok && s.now.Sub(e.ev.Seen) < earlyKeep:
			s.early = append(s.early, e)
		}
	}
	return c
}
