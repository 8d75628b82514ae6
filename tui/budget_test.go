package tui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// large is a board of 500 windows on a screen that shows them all.
func large(t testing.TB) (*driver, *tracker.Snapshot) {
	d := newDriver(t, 300, 260)
	snap := tuitest.Many(500)
	d.give(snap)
	d.m.View()
	return d, snap
}

// changed is a copy of a snapshot in which one window has another summary: all other rows are
// shared, as the engine does it.
func changed(s *tracker.Snapshot, at int) *tracker.Snapshot {
	next := *s
	next.Rev++
	next.Sessions = append([]*tracker.SessionRow(nil), s.Sessions...)
	for i, sess := range next.Sessions {
		row := *sess
		row.Windows = append([]*tracker.WindowRow(nil), sess.Windows...)
		next.Sessions[i] = &row
		for j, w := range row.Windows {
			if at == 0 {
				other := *w
				other.Summary, other.Rev = "something else now", next.Rev
				row.Windows[j] = &other
			}
			at--
		}
	}
	return &next
}

func TestAllOf500WindowsAreOnTheLargeScreen(t *testing.T) {
	d, _ := large(t)
	if above, below := d.m.grid.Hidden(); above.Rows+below.Rows != 0 {
		t.Fatalf("%d rows are out of sight: the budgets below would count too few", above.Rows+below.Rows)
	}
	if n := d.m.grid.Builds(); n < 500 {
		t.Fatalf("the first frame built %d rows", n)
	}
}

func TestUnchangedSnapshotBuildsNoRow(t *testing.T) {
	d, snap := large(t)
	before := d.m.grid.Builds()
	d.give(snap)
	d.m.View()
	if n := d.m.grid.Builds() - before; n != 0 {
		t.Errorf("an unchanged snapshot built %d rows", n)
	}
}

func TestOneChangedWindowBuildsOneRow(t *testing.T) {
	d, snap := large(t)
	before := d.m.grid.Builds()
	d.give(changed(snap, 123))
	d.m.View()
	if n := d.m.grid.Builds() - before; n != 1 {
		t.Errorf("one changed window built %d rows", n)
	}
}

// A new status is a row and the sum in the title above it.
func TestOneChangedStatusBuildsItsRowAndItsTitle(t *testing.T) {
	d, snap := large(t)
	at, one := 0, -1
	snap.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool {
		if w.Agent() != nil && at > 100 {
			one = at
			return false
		}
		at++
		return true
	})
	next := changed(snap, one)
	next.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool {
		if w.Rev != next.Rev {
			return true
		}
		p, a := *w.LeadPane(), *w.Agent()
		a.Verdict.Status = tracker.StatusUnknown
		p.Agent, w.Panes = &a, []*tracker.PaneRow{&p}
		return false
	})
	before := d.m.grid.Builds()
	d.give(next)
	d.m.View()
	if n := d.m.grid.Builds() - before; n != 2 {
		t.Errorf("one new status built %d lines, want a row and a title", n)
	}
}

func TestLampsMoveWithoutBuildingRows(t *testing.T) {
	d, _ := large(t)
	before, frame := d.m.grid.Builds(), d.m.View()
	d.pass(time.Second / 2)
	if d.m.View() == frame {
		t.Error("no lamp moved")
	}
	if n := d.m.grid.Builds() - before; n != 0 {
		t.Errorf("a step of the lamps built %d rows", n)
	}
}

func TestSelectionBuildsTwoRows(t *testing.T) {
	d, _ := large(t)
	before := d.m.grid.Builds()
	d.press("j")
	d.m.View()
	if n := d.m.grid.Builds() - before; n != 2 {
		t.Errorf("moving the selection built %d rows, want the one it left and the one it reached", n)
	}
}

func TestAgesBuildOnlyRowsWhoseTextChanges(t *testing.T) {
	d, _ := large(t)
	before := d.m.grid.Builds()
	d.pass(500 * time.Millisecond) // every age text of the board is still true
	d.m.View()
	if n := d.m.grid.Builds() - before; n != 0 {
		t.Errorf("half a second built %d rows", n)
	}
}

func TestCleanViewAllocatesNothing(t *testing.T) {
	d, _ := large(t)
	if n := testing.AllocsPerRun(50, func() { _ = d.m.View() }); n > 1 {
		t.Errorf("View of a clean frame allocates %v times", n)
	}
}

func TestFullRebuildAllocations(t *testing.T) {
	d, _ := large(t)
	n := testing.AllocsPerRun(10, func() {
		d.m.grid.SetStyle(d.m.style) // every row is out of date
		d.m.dirty = true
		_ = d.m.View()
	})
	if n > 2000 {
		t.Errorf("a full rebuild of 500 windows allocates %v times, want at most 2000", n)
	}
}

func BenchmarkFullRebuild500(b *testing.B) {
	d, _ := large(b)
	b.ReportAllocs()
	for b.Loop() {
		d.m.grid.SetStyle(d.m.style)
		d.m.dirty = true
		_ = d.m.View()
	}
}

func BenchmarkOneChange500(b *testing.B) {
	d, snap := large(b)
	snaps := []*tracker.Snapshot{changed(snap, 10), changed(snap, 10)}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.m.Update(snapshotMsg{snap: snaps[i%2]})
		_ = d.m.View()
	}
}

func BenchmarkLampStep500(b *testing.B) {
	d, _ := large(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.m.frame = i
		d.m.dirty = true
		_ = d.m.View()
	}
}

func BenchmarkKey(b *testing.B) {
	d, _ := large(b)
	keys := []tea.KeyMsg{keyMsg("j"), keyMsg("k")}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.m.Update(keys[i%2])
		_ = d.m.View()
	}
}

func BenchmarkCleanView(b *testing.B) {
	d, _ := large(b)
	for b.Loop() {
		_ = d.m.View()
	}
}
