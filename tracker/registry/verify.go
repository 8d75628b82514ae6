package registry

import (
	"os"
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
)

// lstart is the form of `ps -o lstart` in the C locale. Claude Code writes it, in UTC, where there
// is no /proc to read ticks from.
const lstart = "Mon Jan _2 15:04:05 2006"

// lstartSlack is how far a start time in whole seconds may be from the one the kernel tells us.
const lstartSlack = 2 * time.Second

// Host is what Verify must know of the machine.
type Host struct {
	// Domain is the pid domain of this process as Claude Code would write it; see LocalDomain.
	Domain string
	// Ticks says that start times count clock ticks since boot (Linux), which is exact. Elsewhere
	// they are wall clock times.
	Ticks bool
}

// Verify says whether an entry may be believed. chain is the process with the entry's pid and its
// ancestors as just read, empty when it could not be read; exists tells whether there is a process
// with this pid at all.
//
// A start time in the platform's own form proves or disproves the identity. One in the other form
// can disprove it, but proves nothing: it is not what this platform's Claude Code writes.
func Verify(e *tracker.RegistryEntry, chain []tracker.Process, exists bool, h Host) tracker.Trust {
	if foreign(e.PIDDomain, h.Domain) {
		return tracker.TrustForeign
	}
	if len(chain) == 0 {
		if exists {
			return tracker.TrustUnproven
		}
		return tracker.TrustDead
	}
	p := chain[0]
	if p.State == tracker.ProcZombie {
		return tracker.TrustDead
	}
	if ticks, err := strconv.ParseUint(e.ProcStart, 10, 64); err == nil {
		switch {
		case !h.Ticks:
			return tracker.TrustUnproven
		case ticks == p.Start:
			return tracker.TrustProven
		}
		return tracker.TrustDead
	}
	began, err := time.Parse(lstart, e.ProcStart)
	if err != nil || p.Began.IsZero() {
		return tracker.TrustUnproven
	}
	switch d := p.Began.Sub(began); {
	case d < -lstartSlack || d > lstartSlack:
		return tracker.TrustDead
	case h.Ticks:
		return tracker.TrustUnproven
	}
	return tracker.TrustProven
}

// foreign reports whether two pid domains certainly differ. The form is
// "linux:<machine id>:pid:[<inode>]": the content of /etc/machine-id and the link
// /proc/self/ns/pid. Either part may be empty where it could not be read, and other systems write
// the first word alone. The machine counts as well as the namespace: the first namespace of every
// machine has the same number, and a home folder may be shared between machines.
func foreign(theirs, ours string) bool {
	theirMachine, theirSpace := splitDomain(theirs)
	ourMachine, ourSpace := splitDomain(ours)
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	return differ(theirMachine, ourMachine) || differ(theirSpace, ourSpace)
}

// splitDomain returns the two parts of a domain in the known form, else nothing.
func splitDomain(domain string) (machine, space string) {
	parts := strings.SplitN(domain, ":", 3)
	if len(parts) != 3 || parts[0] != "linux" || parts[2] != "" && !strings.HasPrefix(parts[2], "pid:[") {
		return "", ""
	}
	return parts[1], parts[2]
}

// LocalDomain is the pid domain of this process, in the form Claude Code writes. Parts that cannot
// be read are empty.
func LocalDomain() string {
	machine, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		machine = nil
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		space = ""
	}
	return "linux:" + strings.TrimSpace(string(machine)) + ":" + space
}
