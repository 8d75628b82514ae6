package desk

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/tmuxctl/interlock"
	"signalbox/tui/cli"
	"signalbox/tui/config"
)

func TestSilence(t *testing.T) {
	now := time.Date(2026, 3, 4, 23, 0, 0, 0, time.Local)
	x := &extras{cfg: config.Default()}
	b := &board{extras: x}
	if x.quiet(now) {
		t.Error("quiet without a wish")
	}
	b.Silence(now.Add(time.Hour))
	if !x.quiet(now.Add(59*time.Minute)) || x.quiet(now.Add(time.Hour)) {
		t.Error("a silence of an hour is none")
	}
	b.Silence(time.Time{})
	if x.quiet(now) {
		t.Error("a silence that was ended goes on")
	}
	x.cfg.Notifications.QuietHours = config.Hours{From: 22 * 60, To: 7 * 60}
	if !x.quiet(now) || x.quiet(now.Add(12*time.Hour)) || !x.quiet(now.UTC()) {
		t.Error("quiet hours are by the clock on the wall")
	}
}

// TestTurns: one board of each world has the turn, until it ends.
func TestTurns(t *testing.T) {
	env := []string{"HOME=" + t.TempDir()}
	one := newDesk("x", cli.Options{Path: "/a"}, env)
	same, other := newDesk("x", cli.Options{Path: "/a"}, env), newDesk("x", cli.Options{Path: "/b"}, env)
	first, second, elsewhere := one.turn("notify"), same.turn("notify"), other.turn("notify")
	had, keeps := first.ours(), first.ours()
	if !had || !keeps || second.ours() || !elsewhere.ours() || !same.turn("summaries").ours() {
		t.Error("the turn is not where it should be")
	}
	first.end()
	if !second.ours() {
		t.Error("nobody took over")
	}
	if !newDesk("x", cli.Options{}, nil).turn("notify").ours() {
		t.Error("without a folder there is no turn")
	}
}

// TestOneSendAtATime: a send waits for one that another process makes to the same pane.
func TestOneSendAtATime(t *testing.T) {
	env := []string{"HOME=" + t.TempDir()}
	one, same := newDesk("x", cli.Options{Path: "/a"}, env), newDesk("x", cli.Options{Path: "/a"}, env)
	under := one.turn(sendTurn("%7"))
	if !under.ours() || !same.turn(sendTurn("%8")).ours() {
		t.Fatal("a send to one pane keeps back sends to another")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	// No interlock: if the send were made it would have nothing to make it with, and panic.
	res := (&sender{desk: same}).transact(ctx, nil, interlock.Request{Target: interlock.Target{Pane: "%7"}}, nil)
	if res.Outcome != interlock.Refused || !strings.Contains(res.Detail, "under way") {
		t.Errorf("a second send ended as %q, %q", res.Outcome, res.Detail)
	}
	got := make(chan bool, 1)
	go func() { got <- same.turn(sendTurn("%7")).wait(t.Context()) }()
	under.end()
	if !<-got {
		t.Error("the first send ended, and the second has no turn")
	}
}

func TestWhereTheConfigurationIs(t *testing.T) {
	for _, c := range []struct {
		flag string
		env  []string
		want string
	}{
		{"", []string{"HOME=/h"}, "/h/.config/signalbox/config.toml"},
		{"", []string{"HOME=/h", "XDG_CONFIG_HOME=/c"}, "/c/signalbox/config.toml"},
		{"", []string{"HOME=/h", "XDG_CONFIG_HOME=c"}, "/h/.config/signalbox/config.toml"}, // relative is unset
		{"x.toml", []string{"HOME=/h"}, "x.toml"},
		{"", nil, ""},
	} {
		d := newDesk("x", cli.Options{Config: c.flag}, c.env)
		if got := d.ConfigPath(); got != filepath.FromSlash(c.want) {
			t.Errorf("%q %q: %q, want %q", c.flag, c.env, got, c.want)
		}
	}
	if c, err := newDesk("x", cli.Options{}, nil).config(); err != nil || c.Theme != config.Auto {
		t.Errorf("without a home: %v %+v", err, c)
	}
}
