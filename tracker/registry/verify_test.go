package registry

import (
	"os"
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
)

func TestVerify(t *testing.T) {
	const (
		machine = "3d1219c7c4c5404aaa1f6d2a48adfda4"
		home    = "linux:" + machine + ":pid:[4026531836]"
	)
	began := time.Date(2026, 7, 9, 4, 18, 26, 300e6, time.UTC)
	living := tracker.Process{PID: 7, Start: 89571, Began: began}
	corpse := living
	corpse.State = tracker.ProcZombie
	stopped := living
	stopped.State = tracker.ProcStopped
	ageless := living
	ageless.Began = time.Time{}
	linux, mac := Host{Domain: home, Ticks: true}, Host{Domain: "linux::"}
	const nobody = -1
	tests := []struct {
		name   string
		start  string
		domain string
		procs  any // a tracker.Process, nobody, or "unreadable"
		host   Host
		want   tracker.Trust
	}{
		{"the very process", "89571", home, living, linux, tracker.TrustProven},
		{"the very process, stopped", "89571", home, stopped, linux, tracker.TrustProven},
		{"its corpse", "89571", home, corpse, linux, tracker.TrustDead},
		{"gone", "89571", home, nobody, linux, tracker.TrustDead},
		{"there, but it cannot be read", "89571", home, "unreadable", linux, tracker.TrustUnproven},
		{"recycled: one tick later", "89570", home, living, linux, tracker.TrustDead},
		{"recycled: one tick earlier", "89572", home, living, linux, tracker.TrustDead},
		{"no start time", "", home, living, linux, tracker.TrustUnproven},
		{"no start time and gone", "", home, nobody, linux, tracker.TrustDead},
		{"a form nobody knows", "yesterday", home, living, linux, tracker.TrustUnproven},
		{"a negative number", "-89571", home, living, linux, tracker.TrustUnproven},

		{"the other form on Linux, right", "Thu Jul  9 04:18:26 2026", home, living, linux, tracker.TrustUnproven},
		{"the other form on Linux, wrong", "Thu Jul  9 04:18:20 2026", home, living, linux, tracker.TrustDead},
		{"wall clock elsewhere, right", "Thu Jul  9 04:18:26 2026", "linux", living, mac, tracker.TrustProven},
		{"wall clock elsewhere, rounded", "Thu Jul  9 04:18:27 2026", "linux", living, mac, tracker.TrustProven},
		{"wall clock elsewhere, wrong", "Thu Jul  9 04:18:29 2026", "linux", living, mac, tracker.TrustDead},
		{"wall clock elsewhere, but ours is unknown", "Thu Jul  9 04:18:26 2026", "linux", ageless, mac, tracker.TrustUnproven},
		{"ticks elsewhere", "89571", "linux", living, mac, tracker.TrustUnproven},

		{"another namespace", "89571", "linux:" + machine + ":pid:[4026532999]", living, linux, tracker.TrustForeign},
		{"another namespace, and the pid is free here", "89571", "linux:" + machine + ":pid:[4026532999]", nobody, linux, tracker.TrustForeign},
		{"another machine's first namespace", "89571", "linux:00112233445566778899aabbccddeeff:pid:[4026531836]", living, linux, tracker.TrustForeign},
		{"a container without a machine id", "89571", "linux::pid:[4026531836]", living, linux, tracker.TrustProven},
		{"our machine id is unknown", "89571", home, living, Host{Domain: "linux::pid:[4026531836]", Ticks: true}, tracker.TrustProven},
		{"our namespace is unknown", "89571", home, living, Host{Domain: "linux:" + machine + ":", Ticks: true}, tracker.TrustProven},
		{"no domain, as before 2.1.2xx", "89571", "", living, linux, tracker.TrustProven},
		{"a domain of another form says nothing", "89571", "bsd:jail:4", living, linux, tracker.TrustProven},
		{"a domain of a later form says nothing", "89571", "linux:x:user:[1]", living, linux, tracker.TrustProven},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var chain []tracker.Process
			if p, ok := tt.procs.(tracker.Process); ok {
				chain = []tracker.Process{p, {PID: 6}}
			}
			e := &tracker.RegistryEntry{PID: 7, SessionID: "s", ProcStart: tt.start, PIDDomain: tt.domain}
			if got := Verify(e, chain, tt.procs != nobody, tt.host); got != tt.want {
				t.Errorf("trust %v, want %v", got, tt.want)
			}
		})
	}
}

func TestLocalDomain(t *testing.T) {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		t.Skipf("no pid namespaces here: %v", err)
	}
	got := LocalDomain()
	if !strings.HasPrefix(got, "linux:") || !strings.HasSuffix(got, ":"+space) || strings.Count(got, ":") != 3 {
		t.Errorf("domain %q", got)
	}
	if foreign(got, got) {
		t.Error("foreign to ourselves")
	}
}
