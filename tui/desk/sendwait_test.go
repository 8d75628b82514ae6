package desk

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tmuxctl/interlock"
)

// lamps are the six, some of them red.
func lamps(red ...interlock.Lamp) []interlock.Lamp {
	var out []interlock.Lamp
	for _, name := range interlock.LampNames() {
		l := interlock.Lamp{Name: name, OK: true}
		for _, r := range red {
			if r.Name == name {
				l = r
			}
		}
		out = append(out, l)
	}
	return out
}

func refusal(red ...interlock.Lamp) interlock.Result {
	return interlock.Result{Outcome: interlock.Refused, Lamps: lamps(red...)}
}

var (
	lampBusy  = interlock.Lamp{Name: interlock.LampClaude, Reason: "Claude is busy", Passing: true}
	lampDraft = interlock.Lamp{Name: interlock.LampComposer, Reason: "the input box is not empty"}
	lampGone  = interlock.Lamp{Name: interlock.LampTarget, Reason: "the agent (pid 7) is gone"}
)

// phase is what an agent does up to a time after the start.
type phase struct {
	until time.Duration
	how   standing
}

// story plays phases to a waiter, and answers its attempts in turn, the last one for ever.
type story struct {
	begun    time.Time
	phases   []phase
	answers  []interlock.Result
	attempts []time.Duration
}

func (s *story) waiter() waiter {
	s.begun = time.Now()
	return waiter{
		standing: func(context.Context) standing {
			for _, p := range s.phases {
				if time.Since(s.begun) < p.until {
					return p.how
				}
			}
			return s.phases[len(s.phases)-1].how
		},
		attempt: func(context.Context) interlock.Result {
			s.attempts = append(s.attempts, time.Since(s.begun))
			return s.answers[min(len(s.attempts), len(s.answers))-1]
		},
	}
}

func TestWaitingForAnAgentToRest(t *testing.T) {
	delivered := interlock.Result{Outcome: interlock.Delivered}
	for _, c := range []struct {
		name     string
		phases   []phase
		answers  []interlock.Result
		limit    time.Duration
		want     interlock.Outcome
		attempts []time.Duration
		took     time.Duration
	}{
		{
			"an agent that comes to rest is sent to a second later",
			[]phase{{10 * time.Second, working}, {0, resting}},
			[]interlock.Result{delivered},
			time.Minute,
			interlock.Delivered,
			[]time.Duration{11 * time.Second},
			11 * time.Second,
		},
		{
			"a moment of rest is none",
			[]phase{{3 * time.Second, working}, {3500 * time.Millisecond, resting}, {8 * time.Second, working}, {0, resting}},
			[]interlock.Result{delivered},
			time.Minute,
			interlock.Delivered,
			[]time.Duration{9 * time.Second},
			9 * time.Second,
		},
		{
			"an agent that never rests is never tried",
			[]phase{{0, working}},
			[]interlock.Result{delivered},
			5 * time.Second,
			interlock.Refused, nil, 5 * time.Second,
		},
		{
			"what is in the way goes by: less and less often",
			[]phase{{0, resting}},
			[]interlock.Result{refusal(lampDraft), refusal(lampDraft), delivered},
			time.Minute,
			interlock.Delivered,
			[]time.Duration{time.Second, 3 * time.Second, 6 * time.Second},
			6 * time.Second,
		},
		{
			"what stays in the way is the reason in the end",
			[]phase{{0, resting}},
			[]interlock.Result{refusal(lampDraft)},
			4 * time.Second,
			interlock.Refused,
			[]time.Duration{time.Second, 3 * time.Second},
			4 * time.Second,
		},
		{
			"an agent that goes ends the wait at once",
			[]phase{{2 * time.Second, working}, {0, lost}},
			[]interlock.Result{refusal(lampGone)},
			time.Minute,
			interlock.Refused,
			[]time.Duration{2 * time.Second},
			2 * time.Second,
		},
		{
			"another session ends it although only Claude's lamp is red",
			[]phase{{2 * time.Second, working}, {0, lost}},
			[]interlock.Result{refusal(lampBusy)},
			time.Minute,
			interlock.Refused,
			[]time.Duration{2 * time.Second},
			2 * time.Second,
		},
		{
			"a wrong target ends it",
			[]phase{{0, resting}},
			[]interlock.Result{refusal(lampGone)},
			time.Minute,
			interlock.Refused,
			[]time.Duration{time.Second},
			time.Second,
		},
		{
			"without a file to believe only attempts tell",
			[]phase{{0, unclear}},
			[]interlock.Result{refusal(lampBusy), delivered},
			time.Minute,
			interlock.Delivered,
			[]time.Duration{0, time.Second},
			time.Second,
		},
		{
			"nothing is typed twice",
			[]phase{{0, resting}},
			[]interlock.Result{{Outcome: interlock.Withheld}, delivered},
			time.Minute,
			interlock.Withheld,
			[]time.Duration{time.Second},
			time.Second,
		},
		{
			"nothing is sent twice",
			[]phase{{0, resting}},
			[]interlock.Result{{Outcome: interlock.Unconfirmed}, delivered},
			time.Minute,
			interlock.Unconfirmed,
			[]time.Duration{time.Second},
			time.Second,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &story{phases: c.phases, answers: c.answers}
				res := s.waiter().send(t.Context(), c.limit, refusal(lampBusy))
				if took := time.Since(s.begun); res.Outcome != c.want || took != c.took {
					t.Errorf("%s after %v, want %s after %v", res.Outcome, took, c.want, c.took)
				}
				if len(s.attempts) != len(c.attempts) {
					t.Fatalf("attempts at %v, want %v", s.attempts, c.attempts)
				}
				for i := range c.attempts {
					if s.attempts[i] != c.attempts[i] {
						t.Errorf("attempts at %v, want %v", s.attempts, c.attempts)
					}
				}
			})
		})
	}
}

func TestWaitingTellsWhyItEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &story{phases: []phase{{0, working}}}
		res := s.waiter().send(t.Context(), time.Minute, refusal(lampBusy))
		if res.Detail != "not possible within 1m0s; claude: Claude is busy" {
			t.Errorf("%q", res.Detail)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		res = s.waiter().send(ctx, time.Minute, refusal(lampBusy))
		if time.Since(s.begun) != time.Second || res.Outcome != interlock.Refused || !strings.HasPrefix(res.Detail, "it was called off") {
			t.Errorf("called off: %s %q", res.Outcome, res.Detail)
		}
	})
}
