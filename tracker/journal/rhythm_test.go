package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tracker"
)

// publishing is a running PublishStatus in virtual time.
type publishing struct {
	t      *testing.T
	dir    string
	box    *mailbox
	hurry  chan struct{}
	cancel context.CancelFunc
	done   chan struct{}
	began  time.Time
	told   report
}

// report collects what a writer tells. Virtual time orders nothing for the race detector.
type report struct {
	mu   sync.Mutex
	at   []time.Time // of every successful write
	errs []error
}

func (r *report) tell(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.errs = append(r.errs, err)
	} else {
		r.at = append(r.at, time.Now())
	}
}

func (r *report) failures() []error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.errs)
}

func (r *report) writes() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.at)
}

// at lists when the file was written, since the begin.
func (p *publishing) at() []time.Duration {
	p.told.mu.Lock()
	defer p.told.mu.Unlock()
	var out []time.Duration
	for _, at := range p.told.at {
		out = append(out, at.Sub(p.began))
	}
	return out
}

func publish(t *testing.T, dir string) *publishing {
	ctx, cancel := context.WithCancel(t.Context())
	p := &publishing{
		t: t, dir: dir, box: newMailbox(), hurry: make(chan struct{}, 1), cancel: cancel,
		done: make(chan struct{}), began: time.Now(),
	}
	go func() {
		defer close(p.done)
		PublishStatus(ctx, dir, render, p.box, time.Now, p.hurry, p.told.tell)
	}()
	synctest.Wait()
	return p
}

// after lets the virtual time pass and everything settle.
func after(d time.Duration) {
	time.Sleep(d) // virtual: inside a synctest bubble
	synctest.Wait()
}

// end closes the source as the engine does and waits.
func (p *publishing) end() {
	p.cancel()
	p.box.close()
	<-p.done
}

func TestStatusFileIsWrittenOnChangeAtMostEveryTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := publish(t, t.TempDir())
		for i := range 100 {
			p.box.put(board(fmt.Sprint("change ", i)))
			after(100 * time.Millisecond)
		}
		want := []time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second, 8 * time.Second, 10 * time.Second}
		if !slices.Equal(p.at(), want) {
			t.Errorf("written at %v, want %v", p.at(), want)
		}
		p.box.put(board("quiet since"))
		after(writeGap)
		if got := shown(t, p.dir); got != "quiet since" {
			t.Errorf("the file shows %q", got)
		}
		after(10 * time.Second)
		p.box.put(board("after a pause"))
		synctest.Wait()
		if got := shown(t, p.dir); got != "after a pause" {
			t.Errorf("a change after a long pause was not written at once; the file shows %q", got)
		}
		p.end()
	})
}

func TestStatusFileIsWrittenEveryMinuteWithoutAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := publish(t, t.TempDir())
		for range 300 { // five minutes of snapshots that bring nothing public
			p.box.put(board("same"))
			after(time.Second)
		}
		after(5*time.Minute + 1*time.Second) // and five without any
		want := []time.Duration{0}
		for i := range 10 {
			want = append(want, time.Duration(i+1)*heartbeat)
		}
		if !slices.Equal(p.at(), want) {
			t.Errorf("written at %v, want every minute", p.at())
		}
		if got, want := readPublic(t, p.dir).GeneratedAt, p.began.Add(10*heartbeat).Unix(); got != want {
			t.Errorf("generatedAt %d, want %d", got, want)
		}
		p.end()
	})
}

func TestStatusFileIsWrittenAtOnceOnRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := publish(t, t.TempDir())
		p.hurry <- struct{}{} // before there is anything to write
		after(time.Second)
		p.box.put(board("one"))
		after(100 * time.Millisecond)
		p.hurry <- struct{}{} // nothing has changed
		after(100 * time.Millisecond)
		p.box.put(board("two"))
		after(100 * time.Millisecond)
		p.hurry <- struct{}{}
		synctest.Wait()
		if got := shown(t, p.dir); got != "two" {
			t.Errorf("the file shows %q", got)
		}
		want := []time.Duration{1000 * time.Millisecond, 1100 * time.Millisecond, 1300 * time.Millisecond}
		if !slices.Equal(p.at(), want) {
			t.Errorf("written at %v, want %v", p.at(), want)
		}
		p.end()
	})
}

func TestFailedWriteKeepsTheOldFileAndIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := publish(t, t.TempDir())
		p.box.put(board("old"))
		after(10 * time.Second)
		unblock := block(t, filepath.Join(p.dir, statusName))
		p.box.put(board("new"))
		synctest.Wait()
		if got := shown(t, p.dir); got != "old" || len(p.told.failures()) != 1 {
			t.Errorf("after a failed write the file shows %q and %d errors were told", got, len(p.told.failures()))
		}
		unblock()
		after(retryGap) // no further change
		if got := shown(t, p.dir); got != "new" {
			t.Errorf("the write was not tried again: the file shows %q", got)
		}

		unblock = block(t, filepath.Join(p.dir, statusName))
		after(heartbeat + time.Second)
		unblock()
		after(retryGap)
		if age := time.Now().Unix() - readPublic(t, p.dir).GeneratedAt; age > int64(retryGap/time.Second) {
			t.Errorf("a heartbeat that failed was not made up for: the file is %d s old", age)
		}
		if err := errors.Join(p.told.failures()...); !strings.Contains(err.Error(), filepath.Join(p.dir, statusName)) {
			t.Errorf("the error does not name the file: %v", err)
		}
		p.end()
	})
}

func TestLastChangeIsWrittenAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := publish(t, t.TempDir())
		p.box.put(board("first"))
		after(100 * time.Millisecond)
		p.box.put(board("within the pause"))
		synctest.Wait()
		p.cancel()
		synctest.Wait()
		p.box.put(board("published by the engine while it ended"))
		p.box.close()
		<-p.done
		if got := shown(t, p.dir); got != "published by the engine while it ended" {
			t.Errorf("the file shows %q", got)
		}
	})
}

func TestEndDoesNotWaitForASourceThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := publish(t, t.TempDir())
		p.box.put(board("x"))
		synctest.Wait()
		ended := time.Now()
		p.cancel()
		<-p.done
		if took := time.Since(ended); took != lastWait {
			t.Errorf("ended after %v, want %v", took, lastWait)
		}
	})
}

// An empty list says that tmux does not run. As long as that is not known nothing is said.
func TestNothingIsWrittenBeforeTmuxWasAsked(t *testing.T) {
	for _, tt := range []struct {
		name  string
		state string
		rows  bool
		want  bool
	}{
		{"not asked yet", tracker.StateUnknown, false, false},
		{"never reached", tracker.StateFailed, false, false},
		{"reached before, not now", tracker.StateFailed, true, true},
		{"not running", tracker.StateAbsent, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := publish(t, t.TempDir())
				snap := board("x")
				if snap.Tmux.State = tt.state; !tt.rows {
					snap.Sessions = nil
				}
				p.box.put(snap)
				p.hurry <- struct{}{}
				after(5 * time.Minute)
				if got := readPublic(t, p.dir).GeneratedAt != 0; got != tt.want {
					t.Errorf("written: %v, want %v", got, tt.want)
				}
				p.end()
			})
		})
	}
}

func TestSecondBoardTakesOverWhenTheFirstEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		first := publish(t, dir)
		second := publish(t, dir)
		first.box.put(board("first"))
		second.box.put(board("second"))
		second.hurry <- struct{}{}
		after(10 * time.Minute)
		if got := shown(t, dir); got != "first" || second.told.writes()+len(second.told.failures()) > 0 {
			t.Fatalf("the file shows %q; the second wrote at %v and complained %v", got, second.at(), second.told.failures())
		}
		first.end()
		after(takeoverEvery)
		if got := shown(t, dir); got != "second" {
			t.Errorf("the second did not take over: the file shows %q", got)
		}
		second.end()
	})
}

func TestWaitingBoardEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		first, second := publish(t, dir), publish(t, dir)
		second.end()
		first.end()
	})
}

func TestRemovedFolderIsMadeAgainAndHasOneWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "state", "thegrid")
		first := publish(t, dir)
		first.box.put(board("first"))
		after(time.Minute)
		if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
			t.Fatal(err)
		}
		second := publish(t, dir) // finds no lock and makes its own
		second.box.put(board("second"))
		synctest.Wait()
		for i := range 10 {
			first.box.put(board(fmt.Sprint("first ", i)))
			after(10 * time.Second)
			if got := shown(t, dir); got != "second" {
				t.Fatalf("two boards write: the file shows %q", got)
			}
		}
		second.end()
		after(takeoverEvery)
		if got := shown(t, dir); got != "first 9" {
			t.Errorf("the file shows %q", got)
		}
		if err := errors.Join(first.told.failures()...); err != nil {
			t.Errorf("a lost lock was told as a failure: %v", err)
		}
		first.end()
	})
}

func TestFolderThatCannotBeMadeIsToldAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := filepath.Join(t.TempDir(), "state")
		if err := os.WriteFile(base, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		p := publish(t, filepath.Join(base, "thegrid"))
		p.box.put(board("x"))
		after(time.Minute)
		if len(p.told.failures()) == 0 {
			t.Error("nobody was told")
		}
		if err := os.Remove(base); err != nil {
			t.Fatal(err)
		}
		after(takeoverEvery)
		if got := shown(t, p.dir); got != "x" {
			t.Errorf("the file shows %q", got)
		}
		p.end()
	})
}
