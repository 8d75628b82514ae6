package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"signalbox/tui/cli"
)

func newQueueFile(t *testing.T) *queueFile {
	t.Helper()
	d := newDesk("", cli.Options{Path: "/tmp/nowhere/s"}, []string{"HOME=" + t.TempDir()})
	return d.queueFile()
}

func TestTheQueueIsKept(t *testing.T) {
	f, w := newQueueFile(t), newQueueWorld(twoAgents)
	if q, err := f.read(); q != nil || err != nil {
		t.Errorf("before the first task: %v, %v", q, err)
	}
	want := w.task("a", 0)
	want.Text = "several\nlines; with \"quotes\" and 測試\x00\u2028"
	want.AsCommand, want.AllowBackground, want.Note = true, true, "Claude is busy"
	if err := f.change(t.Context(), func(q *tasks) error { return q.add(want) }); err != nil {
		t.Fatal(err)
	}
	got, err := f.read()
	if err != nil || len(got) != 1 || fmt.Sprintf("%+v", got[0]) != fmt.Sprintf("%+v", want) {
		t.Errorf("read %+v, %v\nwant %+v", got, err, want)
	}
	for _, path := range []string{f.path, f.path + ".lock"} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if info, err := os.Stat(filepath.Dir(f.path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
	problem := errors.New("no")
	before := f.stamp()
	if err := f.change(t.Context(), func(q *tasks) error { *q = nil; return problem }); !errors.Is(err, problem) || !sameFile(before, f.stamp()) {
		t.Errorf("a change that fails: %v", err)
	}
	if err := f.change(t.Context(), func(q *tasks) error { return q.remove("a") }); err != nil || sameFile(before, f.stamp()) {
		t.Errorf("a change: %v", err)
	}
}

// TestWorldsHaveQueuesOfTheirOwn: a task for a pane of one server is none for another server's.
func TestWorldsHaveQueuesOfTheirOwn(t *testing.T) {
	home := "HOME=" + t.TempDir()
	paths := map[string]bool{}
	for _, o := range []cli.Options{{Path: "/a"}, {Path: "/b"}, {Path: "/a", ClaudeDir: "/c"}} {
		paths[newDesk("", o, []string{home}).queueFile().path] = true
	}
	if len(paths) != 3 {
		t.Errorf("%v", paths)
	}
	if newDesk("", cli.Options{}, nil).queueFile() != nil {
		t.Error("a queue without a home")
	}
}

// TestADamagedQueueIsNotWrittenOver: it holds what somebody wrote.
func TestADamagedQueueIsNotWrittenOver(t *testing.T) {
	for name, text := range map[string]string{
		"half": `{"version":1,"tasks":[{"id":"a","te`, "another version": `{"version":2,"tasks":[]}`, "no JSON": "hello", "too large": `{"version":1,"tasks":[]}` + strings.Repeat(" ", maxQueueFile),
	} {
		f := newQueueFile(t)
		if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := f.read(); err == nil {
			t.Errorf("%s: read without an error", name)
		}
		if err := f.change(t.Context(), func(q *tasks) error { return q.add(queueEntry{ID: "b"}) }); err == nil {
			t.Errorf("%s: changed without an error", name)
		}
		if now, _ := os.ReadFile(f.path); string(now) != text {
			t.Errorf("%s: written over", name)
		}
	}
	f := newQueueFile(t)
	if err := os.MkdirAll(f.path, 0o700); err != nil { // a folder in its place
		t.Fatal(err)
	}
	if err := f.change(t.Context(), func(*tasks) error { return nil }); err == nil {
		t.Error("a folder was changed")
	}
}

// TestManyBoardsChangeOneQueue: no change of one board is lost to another's.
func TestManyBoardsChangeOneQueue(t *testing.T) {
	path := newQueueFile(t).path
	const boards, each = 4, 10
	var wg sync.WaitGroup
	for b := range boards {
		wg.Go(func() {
			f := &queueFile{path: path}
			for i := range each {
				err := context.DeadlineExceeded // on a slow disk the others may hold it for too long: that is told, and can be tried again
				for errors.Is(err, context.DeadlineExceeded) && t.Context().Err() == nil {
					err = f.change(t.Context(), func(q *tasks) error { return q.add(queueEntry{ID: fmt.Sprint(b, "-", i), State: queueWaiting}) })
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	q, err := (&queueFile{path: path}).read()
	if err != nil || len(q) != boards*each {
		t.Errorf("%d tasks, %v", len(q), err)
	}
}

func TestAHeldQueueIsNotWaitedForForEver(t *testing.T) {
	f := newQueueFile(t)
	held, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = f.change(t.Context(), func(*tasks) error {
			close(held)
			<-release
			return nil
		})
	})
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := f.change(ctx, func(*tasks) error { t.Error("two boards at once"); return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	close(release)
	wg.Wait()
}

func TestOneBoardSends(t *testing.T) {
	f := newQueueFile(t)
	release, ok := f.drive()
	if !ok {
		t.Fatal("nobody sends")
	}
	if _, ok := (&queueFile{path: f.path}).drive(); ok {
		t.Error("two boards send")
	}
	release()
	release, ok = f.drive()
	if !ok {
		t.Fatal("nobody sends after the first has ended")
	}
	release()
	if _, err := os.Stat(f.path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the lock made a queue")
	}
}
