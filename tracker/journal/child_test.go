//go:build unix

package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"signalbox/tracker"
)

// The test binary runs itself as a child: some things can only be done to a whole process.
const childVar = "JOURNAL_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childVar); what != "" {
		if err := child(what, os.Args[1]); err != nil {
			fmt.Println("child:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// startChild runs this binary as a child in an environment of its own. Where the machine does not
// grant what attr asks for, the test is skipped.
func startChild(t *testing.T, what, dir string, attr *syscall.SysProcAttr) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, dir)
	cmd.Env = []string{childVar + "=" + what, "HOME=" + dir}
	cmd.SysProcAttr = attr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	switch err := cmd.Start(); {
	case err != nil && attr == nil:
		t.Fatal(err)
	case err != nil:
		t.Skipf("SKIPPED, NOT TESTED: the child cannot be started: %v", err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd, bufio.NewReader(out)
}

func child(what, dir string) error {
	switch what {
	case "write":
		return writeForEver(dir)
	case "limited":
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: 4096}); err != nil {
			return err
		}
		return surviveFullDisk(dir, nil)
	case "disk":
		return onSmallDisk(dir)
	}
	return fmt.Errorf("unknown task %q", what)
}

// writeForEver writes both files as fast as it can and says a byte after each.
func writeForEver(dir string) error {
	f, err := OpenStatusFile(dir, render)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		if err := f.Write(crowd(n), time.Now()); err != nil {
			return err
		}
		if err := saveCrowd(dir, n); err != nil {
			return err
		}
		os.Stdout.Write([]byte{'.'})
	}
}

// crowd is a board of many windows that all show the same number, so that a mixture of two would
// be seen.
func crowd(n int) *tracker.Snapshot {
	snap := board("crowd")
	for i := range 200 {
		snap.Sessions[0].Windows = append(snap.Sessions[0].Windows, &tracker.WindowRow{Index: i, Summary: fmt.Sprint(n)})
	}
	return snap
}

func saveCrowd(dir string, n int) error {
	now := time.Now()
	return update(filepath.Join(dir, "state.json"), now, func([]verdict) []verdict {
		var vs []verdict
		for i := range 100 {
			vs = append(vs, verdict{PID: i + 1, Start: uint64(n), Status: "idle", SeenAt: now})
		}
		return vs
	})
}

// checkCrowd reads both files as a stranger would.
func checkCrowd(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, statusName))
	if err != nil {
		return err
	}
	var f publicFile
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("the status file: %w", err)
	}
	if len(f.Sessions) != 1 || len(f.Sessions[0].Windows) != 200 {
		return fmt.Errorf("the status file is not whole: %s", data)
	}
	for _, w := range f.Sessions[0].Windows {
		if w.Summary != f.Sessions[0].Windows[0].Summary {
			return errors.New("the status file mixes two writes")
		}
	}
	r, err := Load(filepath.Join(dir, "state.json"), time.Now())
	if err != nil || len(r.Verdicts) != 100 {
		return fmt.Errorf("%d verdicts: %w", len(r.Verdicts), err)
	}
	for _, v := range r.Verdicts {
		if v.ID.Start != r.Verdicts[0].ID.Start {
			return errors.New("the last verdicts mix two writes")
		}
	}
	return nil
}

func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	kills := 200
	if testing.Short() {
		kills = 20
	}
	dir := t.TempDir()
	if err := saveCrowd(dir, 0); err != nil {
		t.Fatal(err)
	}
	for i := range kills {
		cmd, out := startChild(t, "write", dir, nil)
		// It goes on writing while the bytes are read: the kill finds it anywhere.
		if _, err := io.ReadFull(out, make([]byte, 1+rand.IntN(4))); err != nil {
			said, _ := io.ReadAll(out)
			t.Fatalf("kill %d: the child ended by itself: %s %v", i, said, err)
		}
		cmd.Process.Kill()
		cmd.Wait()
		if err := checkCrowd(dir); err != nil {
			t.Fatalf("after kill %d: %v", i, err)
		}
	}
	allowed := []string{statusName, statusName + ".tmp", lockName, "state.json", "state.json.tmp", "state.json.lock"}
	for _, n := range names(t, dir) {
		if !slices.Contains(allowed, n) {
			t.Errorf("%s was left behind", n)
		}
	}
	f, err := OpenStatusFile(dir, render)
	if err != nil {
		t.Fatalf("a killed writer still holds the file: %v", err)
	}
	f.Close()
}

// surviveFullDisk writes both files, fills the disk up (nil: it is full for big files anyway), and
// expects failures that keep the old files.
func surviveFullDisk(dir string, fill func() (free func() error, err error)) error {
	state := filepath.Join(dir, "state.json")
	now := time.Now()
	f, err := OpenStatusFile(dir, render)
	if err != nil {
		return err
	}
	free := func() error { return nil }
	steps := []func() error{
		func() error { return f.Write(board("old"), now) },
		func() error { return Acknowledge(state, tracker.AgentID{PID: 1, Start: 10}, now) },
		func() (err error) {
			if fill != nil {
				free, err = fill()
			}
			return err
		},
		func() error { return wantFull(f.Write(crowd(1), now)) },
		func() error { return wantFull(saveCrowd(dir, 1)) },
		func() error { return wantOld(dir, state, now) },
		func() error { return free() },
		func() error { return f.Write(board("new"), now) },
		func() error { return Acknowledge(state, tracker.AgentID{PID: 2, Start: 20}, now) },
	}
	for i, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	fmt.Println("survived")
	return nil
}

func wantFull(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EFBIG) {
		return nil
	}
	return fmt.Errorf("want a full disk, got: %w", err)
}

func wantOld(dir, state string, now time.Time) error {
	data, err := os.ReadFile(filepath.Join(dir, statusName))
	if err != nil || !strings.Contains(string(data), `"old"`) {
		return fmt.Errorf("the old status file is gone: %s %w", data, err)
	}
	if r, err := Load(state, now); err != nil || len(r.Verdicts) != 1 {
		return fmt.Errorf("the old verdicts are gone: %+v %w", r.Verdicts, err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	if len(left) > 0 {
		return fmt.Errorf("left behind: %v", left)
	}
	return err
}

func expectSurvival(t *testing.T, cmd *exec.Cmd, out *bufio.Reader) {
	t.Helper()
	said, _ := io.ReadAll(out)
	if err := cmd.Wait(); err != nil || string(said) != "survived\n" {
		t.Errorf("%v: %s", err, said)
	}
}

func TestFullDiskByFileSizeLimit(t *testing.T) {
	cmd, out := startChild(t, "limited", t.TempDir(), nil)
	expectSurvival(t, cmd, out)
}
