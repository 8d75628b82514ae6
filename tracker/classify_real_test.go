package tracker_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/tmuxctl"
	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
	"signalbox/tracker/procs"
)

// realProgram is a program in a real pane, and what is said of it once it is quiet.
type realProgram struct {
	name  string
	needs []string // programs
	argv  []string
	env   []string
	steps []step
	want  string // "kind: summary"
	ends  bool   // by itself
}

// step waits for a text on the screen and types. A trailing newline presses Enter; "^Z" presses Ctrl-Z.
type step struct{ until, keys string }

func realPrograms() []realProgram {
	return []realProgram{
		{name: "bash", argv: nil, want: "waiting: at a prompt in ~/src/api"},
		{
			name: "bash with a prompt of two lines", argv: []string{"bash", "--norc", "--noprofile"},
			env: []string{`PS1=\u at \h\n└─\$ `}, want: "waiting: at a prompt in ~/src/api",
		},
		{
			name: "a command that is typed and not run", steps: []step{{"$", "git push --for"}},
			want: "waiting: typed, not run: git push --for",
		},
		{name: "a finished command", steps: []step{{"$", "echo do''ne\n"}, {"done", ""}}, want: "waiting: at a prompt in ~/src/api"},
		{
			name: "read in bash", steps: []step{{"$", "clear; read -p 'Deploy to prod? [y/N] '\n"}, {"prod? [y/N]\n", ""}},
			want: "waiting: asks: Deploy to prod? [y/N]",
		},
		{name: "read without a word", steps: []step{{"$", "clear; read\n"}}, want: "idle: bash"},
		{
			name: "a paused job", needs: []string{"sleep"}, steps: []step{{"$", "sleep 1000\n"}, {"sleep 1000", "^Z"}, {"Stopped", ""}},
			want: "idle: paused: sleep 1000",
		},
		{name: "sleep", needs: []string{"sleep"}, steps: []step{{"$", "sleep 1000\n"}}, want: "running: sleep 1000"},
		{name: "dash", needs: []string{"dash"}, argv: []string{"dash"}, env: []string{"PS1=# "}, want: "waiting: at a prompt in ~/src/api"},
		{name: "zsh", needs: []string{"zsh"}, argv: []string{"zsh", "-f"}, env: []string{"PS1=%m%# "}, want: "waiting: at a prompt in ~/src/api"},
		{
			name: "zsh with a prompt on the right", needs: []string{"zsh"}, argv: []string{"zsh", "-f"}, env: []string{"PS1=%m%# "},
			steps: []step{{"#", "clear; PS1='%F{green}➜%f  %c '; RPS1='[%T]'\n"}, {"➜", ""}}, want: "waiting: at a prompt in ~/src/api",
		},
		{name: "fish", needs: []string{"fish"}, argv: []string{"fish", "--private"}, want: "waiting: at a prompt in ~/src/api"},
		{
			name: "fish with something typed", needs: []string{"fish"}, argv: []string{"fish", "--private"},
			steps: []step{{"~/s/api", "ls -l"}, {"ls -l", ""}}, want: "waiting: typed, not run: ls -l",
		},
		{name: "a script that asks", needs: []string{"bash"}, argv: []string{"./deploy.sh", "prod"}, want: "waiting: deploy.sh asks: Go on? [y/N]"},
		{
			name: "a build that prints", needs: []string{"make"}, argv: []string{"make", "-f", "build.mk"},
			steps: []step{{"linking", ""}}, want: "running: make -f build.mk: linking api",
		},
		{
			name: "make in a shell", needs: []string{"make"}, steps: []step{{"$", "make -f build.mk\n"}, {"linking", ""}},
			want: "running: make -f build.mk: linking api",
		},
		{name: "vim", needs: []string{"vim.tiny"}, argv: []string{"vim.tiny", "+2", "api.go"}, want: "running: editing api.go"},
		{name: "nano", needs: []string{"nano"}, argv: []string{"nano", "long.txt"}, want: "running: editing long.txt"},
		{name: "less", needs: []string{"less"}, argv: []string{"less", "long.txt"}, want: "running: reading long.txt"},
		{name: "top", needs: []string{"top"}, argv: []string{"top", "-d", "1000"}, want: "running: top -d 1000"},
		{name: "htop", needs: []string{"htop"}, argv: []string{"htop", "-d", "1000"}, want: "running: htop -d 1000"},
		{name: "man", needs: []string{"man", "less"}, argv: []string{"man", "--pager=less", "-l", "api.1"}, want: "running: reading the manual of api.1"},
		{name: "python", needs: []string{"python3"}, argv: []string{"python3", "-q"}, want: "waiting: at the prompt of python3 -q"},
		{
			name: "python at work", needs: []string{"python3"}, argv: []string{"python3", "-q"},
			steps: []step{{">>>", "import time; time.sleep(1000)\n"}, {"1000)\n", ""}}, want: "running: python3 -q: import time; time.sleep(1000)",
		},
		{
			name: "getpass", needs: []string{"python3"}, argv: []string{"python3", "-c", "import getpass; getpass.getpass()"},
			want: "waiting: password asked (python3 -c import getpass; getpass.getpass())",
		},
		{
			name: "a server", needs: []string{"python3"}, argv: []string{"python3", "-m", "http.server", "--bind", "127.0.0.1", "0"},
			steps: []step{{"Serving", ""}}, want: "running: python3 -m http.server --bind 127.0.0.1 0 :",
		},
		{name: "node", needs: []string{"node"}, argv: []string{"node"}, want: "waiting: at the prompt of node"},
		{
			name: "npm run dev", needs: []string{"npm", "node"}, argv: []string{"npm", "run", "dev"},
			steps: []step{{"ready", ""}}, want: "running: npm run dev :",
		},
		{name: "irb", needs: []string{"irb"}, argv: []string{"irb", "-f"}, want: "waiting: at the prompt of irb"},
		{name: "sqlite", needs: []string{"sqlite3"}, argv: []string{"sqlite3", "x.db"}, want: "waiting: at the prompt of sqlite3 x.db"},
		{
			name: "sqlite in the middle of a statement", needs: []string{"sqlite3"}, argv: []string{"sqlite3", "x.db"},
			steps: []step{{"sqlite>", "select\n"}, {"...>", ""}}, want: "waiting: at the prompt of sqlite3 x.db",
		},
		{name: "gdb", needs: []string{"gdb"}, argv: []string{"gdb", "-q", "-nx"}, want: "waiting: at the prompt of gdb -q -nx"},
		{name: "watch", needs: []string{"watch"}, argv: []string{"watch", "-n", "1000", "ls", "-l"}, want: "running: watching ls -l"},
		{
			name: "tail", needs: []string{"tail"}, argv: []string{"tail", "-f", "long.txt"}, steps: []step{{"line 200", ""}},
			want: "running: following long.txt: line 200",
		},
		{name: "exit 0", argv: []string{"sh", "-c", "exit 0"}, want: "idle: exited", ends: true},
		{name: "exit 3", argv: []string{"sh", "-c", "exit 3"}, want: "error: exited with status 3", ends: true},
		{name: "killed", argv: []string{"sh", "-c", "kill -9 $$"}, want: "error: killed by SIGKILL", ends: true},
	}
}

// workplace is a folder with what the programs need.
func workplace(t *testing.T, home string) string {
	t.Helper()
	dir := filepath.Join(home, "src", "api")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var long strings.Builder
	for i := range 200 {
		fmt.Fprintln(&long, "line", i+1)
	}
	for name, text := range map[string]string{
		"api.go":       "package api\n\nvar X = 1\n",
		"long.txt":     long.String(),
		"api.1":        ".TH API 1\n.SH NAME\napi \\- an example\n",
		"build.mk":     "all:\n\t@echo compiling api.c\n\t@echo linking api\n\t@sleep 1000\n",
		"deploy.sh":    "#!/usr/bin/env bash\nread -p 'Go on? [y/N] '\n",
		"package.json": `{"name":"api","version":"1.0.0","scripts":{"dev":"node server.js"}}`,
		"server.js":    "require('net').createServer().listen(0, '127.0.0.1', () => console.log('ready'));",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// realRig reads a real server the way the board does.
type realRig struct {
	t    *testing.T
	s    *tmuxtest.Server
	conn tmuxctl.Conn
}

// row is the window of a pane on a board that has just read everything and then heard nothing for
// a while.
func (r *realRig) row(id tracker.PaneID) *tracker.WindowRow {
	r.t.Helper()
	st := tracker.NewState(tracker.SourceTmux, tracker.SourceProcess)
	st.SetHome(r.s.Home())
	topo, err := tmuxctl.List(r.t.Context(), r.conn)
	if err != nil {
		r.t.Fatal(err)
	}
	st.Apply(tracker.TmuxListed{At: time.Now(), Topology: topo})
	table := procs.NewTable()
	seen, err := table.Sweep(r.t.Context(), tracker.TargetsOf(st.Snapshot(), time.Now()).PanePIDs, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	st.Apply(seen)
	if ports, err := table.Ports(); err == nil {
		st.Apply(tracker.ProcessesSeen{At: seen.At, Procs: ports})
	}
	scr, err := tmuxctl.Capture(r.t.Context(), r.conn, id, tmuxctl.CaptureOptions{})
	if err != nil {
		r.t.Fatal(err)
	}
	now := time.Now()
	st.Apply(tracker.ScreenSeen{At: now, Pane: id, PanePID: scr.PID, Cursor: scr.BeforeCursor(), LastLine: scr.LastLine(), Full: scr.Alternate})
	st.Settle(now.Add(time.Minute))
	_, win, _ := st.Snapshot().FindPane(id)
	if win == nil {
		r.t.Fatalf("pane %s is gone", id)
	}
	return win
}

func (r *realRig) play(id tracker.PaneID, steps []step) {
	r.t.Helper()
	for _, st := range steps {
		r.s.UntilText(id, st.until)
		switch line, enter := strings.CutSuffix(st.keys, "\n"); {
		case st.keys == "^Z":
			r.s.UntilFormat(id, "#{pane_current_command}", "sleep")
			r.s.SendKeys(id, "C-z")
		case enter:
			r.s.Shell(id, line)
		case line != "":
			r.s.Type(id, line)
		}
	}
}

func missing(programs []string) string {
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			return p
		}
	}
	return ""
}

// TestRealPrograms looks at real programs in a real tmux, through the real listing, process table
// and capture.
func TestRealPrograms(t *testing.T) {
	s := tmuxtest.New(t)
	dir := workplace(t, s.Home())
	s.Run("set-option", "-g", "remain-on-exit", "on")
	conn := tmuxctl.NewExec(tmuxctl.Server{Path: s.Socket()}, tmuxctl.ExecOptions{Tmux: s.Tmux(), Environ: s.Env()})
	all := realPrograms()
	panes := make([]tmuxtest.Pane, len(all))
	for i, p := range all { // they start while others are looked at
		if missing(p.needs) == "" {
			panes[i] = s.NewWindow(s.Main().Session, tmuxtest.Command{Argv: p.argv, Env: p.env, Dir: dir})
		}
	}
	r := &realRig{t: t, s: s, conn: conn}
	for i, p := range all {
		if panes[i].ID != "" {
			r.play(panes[i].ID, p.steps)
		}
	}
	for i, p := range all {
		t.Run(p.name, func(t *testing.T) {
			if m := missing(p.needs); m != "" {
				t.Skipf("SKIPPED, NOT TESTED: %s is not installed here", m)
			}
			if p.ends {
				s.UntilDead(panes[i].ID)
			}
			got := ""
			for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
				r.t = t
				win := r.row(panes[i].ID)
				got = win.Kind.String() + ": " + win.Summary
				if got == p.want || strings.HasSuffix(p.want, " :") && strings.HasPrefix(got, p.want) {
					return
				}
			}
			t.Errorf("said  %q\nwant  %q\n%s", got, p.want, s.Capture(panes[i].ID))
		})
	}
}
