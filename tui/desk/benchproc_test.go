//go:build linux

package desk_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var (
	restFor = flag.Duration("board.rest", 5*time.Second, "how long BenchmarkBoard watches a board at rest")
	other   = flag.String("board.program", "", "measure this signalbox and not the one of this source")
)

// tested is the program that is measured.
func tested() string {
	if *other != "" {
		return *other
	}
	return program
}

// procFields are the fields of a process's stat line from the third on, so that field n of proc(5)
// is at n-3.
func procFields(t testing.TB, pid int) []string {
	t.Helper()
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
}

// cpu is the processor time of a living process, all its threads, those that ended too. It is exact,
// where the stat line counts ticks.
func cpu(t testing.TB, pid int) time.Duration {
	t.Helper()
	const processClock = 2 // CPUCLOCK_SCHED of a process; see clock_getcpuclockid(3)
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|processClock), &ts); err != nil {
		if errors.Is(err, unix.EINVAL) {
			return 0 // it has ended
		}
		t.Fatal(err)
	}
	return time.Duration(ts.Nano())
}

// children are the processes that a process has started itself and that live.
func children(t testing.TB, pid int) []int {
	t.Helper()
	dirs, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, d := range dirs {
		data, err := os.ReadFile(d)
		if err != nil {
			continue
		}
		for _, f := range strings.Fields(string(data)) {
			child, _ := strconv.Atoi(f)
			out = append(out, child)
		}
	}
	return out
}

// childrenCPU is the time of the children that have ended and were waited for, in ticks, and of
// those that live.
func childrenCPU(t testing.TB, pid int) time.Duration {
	t.Helper()
	const tick = 10 * time.Millisecond // USER_HZ
	var sum time.Duration
	f := procFields(t, pid)
	for _, ticks := range f[13:15] {
		n, _ := strconv.Atoi(ticks)
		sum += time.Duration(n) * tick
	}
	for _, child := range children(t, pid) {
		sum += cpu(t, child)
	}
	return sum
}

// status reads numbers of a process's status: lines such as "VmRSS:	17000 kB". Of a list of
// threads it returns the sum.
func status(t testing.TB, pattern, name string) int {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // a thread that ended
		}
		for line := range strings.Lines(string(data)) {
			if rest, ok := strings.CutPrefix(line, name+":"); ok {
				n, _ := strconv.Atoi(strings.Fields(rest)[0])
				sum += n
			}
		}
	}
	return sum
}

func proc(pid int, file string) string { return "/proc/" + strconv.Itoa(pid) + "/" + file }

// rssMB is the resident memory of a process.
func rssMB(t testing.TB, pid int) float64 {
	t.Helper()
	return float64(status(t, proc(pid, "status"), "VmRSS")) / 1024
}

// wakeups counts how often the threads of a process went to sleep.
func wakeups(t testing.TB, pid int) int {
	t.Helper()
	return status(t, proc(pid, "task/*/status"), "voluntary_ctxt_switches")
}

// bytesRead is what a process has read with system calls.
func bytesRead(t testing.TB, pid int) int {
	t.Helper()
	return status(t, proc(pid, "io"), "rchar")
}

// files counts the files that a process keeps open: one that is only being read is not there at every
// look.
func files(t testing.TB, pid int) int {
	t.Helper()
	least := 1 << 20
	for range 5 {
		entries, err := os.ReadDir(proc(pid, "fd"))
		if err != nil {
			t.Fatal(err)
		}
		least = min(least, len(entries))
	}
	return least
}

// cost is what a board, the programs it starts and the tmux server used.
type cost struct {
	board, children, server time.Duration
	tmux, claude, wakeups   int
	serverWakeups           int // each costs a look at every pane: tmux waits with poll
	took                    time.Duration
}

// spent reads the meters.
func (w *world) spent() cost {
	w.t.Helper()
	return cost{
		board: cpu(w.t, w.pid), children: childrenCPU(w.t, w.pid), server: cpu(w.t, w.PID()), tmux: w.started("tmux"),
		claude: w.started("claude"), wakeups: wakeups(w.t, w.pid), serverWakeups: wakeups(w.t, w.PID()), took: time.Duration(time.Now().UnixNano()),
	}
}

// since is what was used after was.
func (c cost) since(was cost) cost {
	return cost{
		c.board - was.board, c.children - was.children, c.server - was.server, c.tmux - was.tmux, c.claude - was.claude,
		c.wakeups - was.wakeups, c.serverWakeups - was.serverWakeups, c.took - was.took,
	}
}

// report tells the cost of a rest as metrics.
func (c cost) report(b *testing.B) {
	perMinute := func(d time.Duration) float64 { return d.Seconds() / c.took.Minutes() }
	b.ReportMetric(perMinute(c.board), "board-cpu-s/min")
	b.ReportMetric(perMinute(c.children), "children-cpu-s/min")
	b.ReportMetric(perMinute(c.server), "server-cpu-s/min")
	b.ReportMetric(float64(c.tmux+c.claude)/c.took.Seconds(), "programs/s")
	b.ReportMetric(float64(c.wakeups)/c.took.Seconds(), "wakeups/s")
	b.ReportMetric(float64(c.serverWakeups)/c.took.Seconds(), "server-wakeups/s")
}

// samples are durations of which the distribution counts.
type samples []time.Duration

// at is the value below which a share of the samples lies.
func (s samples) at(share float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	slices.Sort(s)
	return s[min(int(share*float64(len(s))), len(s)-1)]
}

func (s samples) report(b *testing.B, name string) {
	b.ReportMetric(ms(s.at(0.5)), name+"-p50-ms")
	b.ReportMetric(ms(s.at(0.99)), name+"-p99-ms")
	b.ReportMetric(ms(s.at(1)), name+"-max-ms")
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
