package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

// above is the frame without its last line.
func above(d *driver) string {
	all := text(d)
	return all[:strings.LastIndexByte(all, '\n')]
}

func footer(d *driver) string {
	all := text(d)
	return strings.TrimRight(all[strings.LastIndexByte(all, '\n')+1:], " ")
}

// TestAKeyThatCannotWorkSaysWhyAndChangesNothing presses every key that is off on a shell's row, and
// on the one row of its session.
func TestAKeyThatCannotWorkSaysWhyAndChangesNothing(t *testing.T) {
	for _, where := range []struct{ board, name string }{{tuitest.Everyday, "zsh"}, {tuitest.Projects, "logs"}} {
		d := newDriver(t, 120, 40)
		d.give(tuitest.Parse(where.board))
		d.at(where.name).press("x") // bound to nothing; draws
		off := 0
		for i := range d.m.keys.table {
			b := &d.m.keys.table[i]
			why := b.why(d.m)
			if why == "" {
				continue
			}
			off++
			calls, before := len(d.board.calls), above(d)
			d.press(b.keys[0])
			if d.m.mode != browsing || above(d) != before || len(d.board.calls) != calls {
				t.Errorf("%s: %q cannot work and changes something", where.name, b.action)
			}
			if got := footer(d); !strings.Contains(got, why) {
				t.Errorf("%s: %q cannot work, and the footer says %q instead of %q", where.name, b.action, got, why)
			}
			d.clock.at = d.clock.at.Add(2 * textPause)
			d.press("g")
			if !strings.Contains(footer(d), "jump") || selected(d) != "claude" {
				t.Errorf("%s: the key after %q is swallowed", where.name, b.action)
			}
			d.at(where.name).press("x")
		}
		if off < 4 {
			t.Errorf("only %d keys are off on %s: the test tests nothing", off, where.name)
		}
	}
}

func TestTextForAnAgentThatIsNotThereIsNotReadAsKeys(t *testing.T) {
	d := everyday(t, 120, 40)
	d.at("zsh").typed("sfix it") // in one read: f would filter, i open the inbox
	if d.m.mode != browsing || d.m.view.Filter != 0 || footer(d) != " s: no agent runs there" {
		t.Errorf("a task typed on a shell's row was read as keys; the footer says %q", footer(d))
	}
	d.at("zsh")
	d.clock.at = d.clock.at.Add(time.Minute)
	d.press("s")
	for _, k := range []string{"f", "i", "x", " ", "i", "t", "enter"} { // key by key, as a person writes
		d.clock.at = d.clock.at.Add(textPause - time.Millisecond)
		d.press(k)
	}
	if d.m.mode != browsing || d.m.view.Filter != 0 || footer(d) != " s: no agent runs there" || d.m.seq.jump != 0 {
		t.Errorf("a task written on a shell's row was read as keys; the footer says %q", footer(d))
	}
	d.press("f")
	if d.m.view.Filter == 0 {
		t.Error("Enter does not end the text that nobody takes")
	}
	d.press("esc")
	d.at("zsh").press("s", "left", "f")
	if d.m.view.Filter == 0 {
		t.Error("a key that writes nothing does not end the text that nobody takes")
	}
	d.press("esc")
	d.at("zsh").press("s")
	d.clock.at = d.clock.at.Add(textPause + time.Millisecond)
	d.press("f")
	if d.m.view.Filter == 0 {
		t.Error("a key after a pause does nothing")
	}
	d.press("esc")
	d.at("zsh").typed("jk")
	if d.m.notice.text != "" {
		t.Errorf("keys that come together do nothing any more: %q", d.m.notice.text)
	}
}

func TestTheRuleNamesWhoWaitsOutOfSight(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Many(100))
	d.press("G")
	if s := text(d); !strings.Contains(s, " more  ▲1 ◆1 ──") {
		t.Errorf("nothing says who waits above:\n%s", s)
	}
	d.press("g")
	if s := text(d); !strings.Contains(s, " more  ◆1 ──") || strings.Contains(s, "more  ▲") {
		t.Errorf("nothing says who waits below:\n%s", s)
	}
	for w := 1; w < 60; w++ { // it never makes a line too wide
		d.send(tea.WindowSizeMsg{Width: w, Height: 24})
		checkFrame(t, d.m.View(), w, 24)
	}
}

func TestTheRuleNamesTheSessionThatGoesOn(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Many(100))
	rule := func() string { return strings.Split(text(d), "\n")[1] }
	seen := 0
	for range 60 {
		d.send(tea.MouseMsg{Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
		first, rest := strings.Split(text(d), "\n")[2], rule()
		titled := strings.HasPrefix(rest, "─── ")
		if isTitle := strings.Contains(first, "(main)"); titled == isTitle && strings.TrimSpace(first) != "" {
			t.Fatalf("the first line is %q and the rule above it %q", first, rest)
		}
		if titled {
			seen++
		}
	}
	if seen == 0 {
		t.Error("no session ever went on across the edge: the test tests nothing")
	}
	d.press("g")
	if strings.Contains(rule(), "api") {
		t.Errorf("nothing is scrolled away, and the rule says %q", rule())
	}
}

func TestWhatAKeyGoesRoundIsShownAndWhereItIs(t *testing.T) {
	d := everyday(t, 80, 24)
	for _, c := range []struct{ key, all, chosen, stays string }{
		{"f", "show  all · needs you · busy · agents", "needs you", "f only needs you"},
		{"o", "order  tmux · urgency · activity", "urgency", "o by urgency"},
		{"v", "group  session · repository", "repository", "v by repository"},
	} {
		d.press(c.key)
		if got := footer(d); got != " "+c.all {
			t.Errorf("%s shows %q, want %q", c.key, got, c.all)
		}
		if !strings.Contains(d.m.View(), d.m.style.Render(style.Strong, c.chosen)) {
			t.Errorf("%s does not show that %q is chosen", c.key, c.chosen)
		}
		d.press("j")
		if got := footer(d); !strings.Contains(got, c.stays) {
			t.Errorf("after %s the footer says %q, want %q in it", c.key, got, c.stays)
		}
	}
	if got := footer(d); !strings.HasSuffix(got, "f only needs you   o by urgency   v by repository") || !strings.Contains(got, "? help") {
		t.Errorf("three choices together: %q", got)
	}
	d.press("f", "f", "f", "o", "o", "v", "j")
	if got := footer(d); strings.Contains(got, "by ") || strings.Contains(got, "only") {
		t.Errorf("every choice is the default again, and the footer says %q", got)
	}
}

func TestChoicesNameThePersonsOwnKeys(t *testing.T) {
	d := everyday(t, 80, 24, func(o *Options) { o.Keys = map[string][]string{"sort": {"O"}, "group": {}} })
	d.press("O", "j")
	if got := footer(d); !strings.HasSuffix(got, "O by urgency") {
		t.Errorf("the footer says %q", got)
	}
}

func TestANarrowBoardHasTwoOrders(t *testing.T) {
	d := everyday(t, 34, 20)
	first := above(d)
	d.press("o")
	if got := footer(d); got != " order  urgency · activity" || above(d) == first {
		t.Errorf("one press says %q, and moves the rows: %v", got, above(d) != first)
	}
	d.press("o", "j", "k")
	if got := footer(d); above(d) != first || strings.Contains(got, "by ") {
		t.Errorf("two presses do not lead back; the footer says %q", got)
	}
	d.m.view.Sort = grid.SortUrgency // chosen while there was more room
	d.press("j", "k")
	if got := footer(d); strings.Contains(got, "by ") {
		t.Errorf("the order that a narrow board has anyway is named as a choice: %q", got)
	}
}

func TestInboxSaysWhatIsNewOpenSeenAndOver(t *testing.T) {
	d := newDriver(t, 80, 24)
	const board = "$ a\n0 x | busy | . | 1m\n1 y | review | . | 1m\n"
	d.give(tuitest.Parse(board + "> review 3m %1 one: done\n> needs-input over 4m %0 two: Bash: ls\n> review read 5m %0 three: done\n> ended over 6m - four: ended while busy"))
	words := func() string {
		d.press("i")
		var out []string
		for _, l := range strings.Split(text(d), "\n") {
			if f := strings.Fields(strings.Trim(l, "▌")); len(f) > 4 && strings.HasSuffix(f[1], "m") {
				out = append(out, f[2]+" "+f[3])
			}
		}
		d.press("esc")
		return strings.Join(out, ", ")
	}
	if got, want := words(), "new one, over two, seen three, new four"; got != want {
		t.Errorf("the first time it says %q, want %q", got, want)
	}
	if got, want := words(), "open one, over two, seen three, over four"; got != want {
		t.Errorf("the second time it says %q, want %q", got, want)
	}
}

func TestEnterInTheInboxJumps(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("i")
	if got := footer(d); !strings.HasPrefix(got, " ↵ jump   j k choose") {
		t.Errorf("the footer of the inbox says %q", got)
	}
	d.press("j", "enter")
	d.settle()
	if a := d.m.selectedAgent(); !d.board.did("jump %3") || a == nil || a.Name != "web-tests" {
		t.Errorf("the board was asked for %v and selects %v", d.board.calls, a)
	}
	d = everyday(t, 80, 24, func(o *Options) { o.ReadOnly = true })
	d.press("i", "j", "enter")
	d.settle()
	if a := d.m.selectedAgent(); d.board.did("jump %3") || a == nil || a.Name != "web-tests" || footer(d) != " the board is read-only" {
		t.Errorf("read-only: the board was asked for %v, selects %v and says %q", d.board.calls, a, footer(d))
	}
}

func TestTheMouseWorksInTheInbox(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("i")
	at := func(text string) int {
		for y, l := range strings.Split(ansi.Strip(d.m.View()), "\n") {
			if strings.Contains(l, text) {
				return y
			}
		}
		t.Fatalf("%q is not in the inbox\n%s", text, ansi.Strip(d.m.View()))
		return 0
	}
	click := func(y int) {
		d.send(tea.MouseMsg{X: 10, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	entry := func() string { return d.m.inbox()[d.m.entryAt()].Title }
	click(at("infra:3 agent"))
	if entry() != "tf-docs" || d.m.mode != reading {
		t.Errorf("a click selects %s", entry())
	}
	d.send(tea.MouseMsg{Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
	if entry() != "api-worker" {
		t.Errorf("the wheel goes to %s", entry())
	}
	for _, y := range []int{0, 1, 2, 3, at("old-worker") + 1, 22, 23} { // beside the entries
		click(y)
		click(y)
	}
	if entry() != "api-worker" || d.m.mode != reading {
		t.Errorf("clicks beside the entries select %s", entry())
	}
	click(at("infra:3 agent"))
	click(at("infra:3 agent"))
	d.settle()
	if d.m.mode != browsing || !d.board.did("jump %9") {
		t.Errorf("a double click asks for %v", d.board.calls)
	}
}

func TestFoldsLeaveSessionsOfOneWindowAlone(t *testing.T) {
	d := newDriver(t, 120, 40)
	d.give(tuitest.Parse(tuitest.Projects))
	d.at("logs").press("z")
	if got := footer(d); got != " z: the session is this one window" || len(d.m.view.Folded) != 0 {
		t.Errorf("folding one row says %q and folds %v", got, d.m.view.Folded)
	}
	d.press("Z")
	if s := text(d); !strings.Contains(s, "3 windows folded") || !strings.Contains(s, "design-system") {
		t.Errorf("folding all gives\n%s", s)
	}
	d.press("Z")
	if s := text(d); strings.Contains(s, "folded") {
		t.Errorf("unfolding all gives\n%s", s)
	}
	d.give(tuitest.Parse("$ a\n0 x | shell | . | 1m\n$ b\n0 y | shell | . | 1m\n"))
	d.press("Z")
	if got := footer(d); got != " Z: no session has more than one window" {
		t.Errorf("folding all where nothing folds says %q", got)
	}
}

func TestTheSelectionStaysWhenItsSessionGetsATitle(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse(tuitest.Projects))
	d.at("logs")
	key := d.m.grid.SelectedKey()
	snap := tuitest.Parse(tuitest.Projects)
	s := *snap.Sessions[len(snap.Sessions)-1]
	extra := *s.Windows[0]
	extra.ID, extra.Index, extra.Name = "@99", 1, "second"
	s.Windows = append([]*tracker.WindowRow{}, s.Windows[0], &extra)
	snap.Sessions[len(snap.Sessions)-1], snap.Rev = &s, 2
	d.give(snap)
	if d.m.grid.SelectedKey() != key || !strings.Contains(text(d), "0 logs") {
		t.Errorf("a second window moved the selection from %s to %s:\n%s", key, d.m.grid.SelectedKey(), text(d))
	}
}
