package tracker

import (
	"strings"
	"testing"
	"time"
)

// quietScreen is a shell or program that has been quiet for long, as seen on its screen.
type quietScreen struct {
	name   string
	front  string // command line in front, split at blanks
	cursor string // left of the cursor
	last   string // last line with text; the cursor's where empty
	pane   func(*PaneRow)
	full   bool
	want   string // "kind: summary"
}

func (q quietScreen) facts() *windowFacts {
	p := &PaneRow{Pane: Pane{Command: "x", Path: "/home/me/src/api"}, Front: q.front, FrontArgs: strings.Fields(q.front)}
	if q.pane != nil {
		q.pane(p)
	}
	last := q.last
	if last == "" {
		last = strings.TrimSpace(q.cursor)
	}
	return &windowFacts{
		pane: p, output: at(0), now: at(60), home: "/home/me",
		screen: ScreenSeen{At: at(1), Cursor: q.cursor, LastLine: last, Full: q.full},
	}
}

func checkScreens(t *testing.T, all []quietScreen) {
	t.Helper()
	for _, q := range all {
		kind, summary := classify(q.facts())
		if got := kind.String() + ": " + summary; got != q.want {
			t.Errorf("%s:\n said %q\n want %q", q.name, got, q.want)
		}
	}
}

func TestShellPrompts(t *testing.T) {
	const there = "waiting: at a prompt in ~/src/api"
	typed := func(s string) string { return "waiting: typed, not run: " + s }
	checkScreens(t, []quietScreen{
		{name: "bash", front: "-bash", cursor: "me@host:~/src/api$ ", want: there},
		{name: "bash as captured, without the blank", front: "bash", cursor: "bash-5.2$", want: there},
		{name: "bash with a command", front: "bash", cursor: "me@host:~/src/api$ git push --force", want: typed("git push --force")},
		{name: "bash with a redirection", front: "bash", cursor: "[me@host api]$ ls > out # x", want: typed("ls > out # x")},
		{name: "bash in a virtual environment", front: "bash", cursor: "(venv) me@host:~/src/api$ ", want: there},
		{name: "root", front: "bash", cursor: "root@host:/# ", want: there},
		{name: "a directory with a sign in it", front: "bash", cursor: "me@host:~/C#/x$ make", want: typed("make")},
		{name: "continuation", front: "bash", cursor: "> EOF", want: typed("EOF")},
		{name: "history search", front: "bash", cursor: "(reverse-i-search)`git': git commit", want: there},
		{name: "second line of a long command", front: "bash", cursor: "--and-one-more-option", want: there},
		{name: "sh", front: "sh", cursor: "$ ", want: there},
		{name: "sh as root", front: "sh", cursor: "# ls", want: typed("ls")},
		{name: "kali, two lines", front: "zsh", cursor: "└─$ nmap", want: typed("nmap")},
		{name: "parrot, two lines", front: "bash", cursor: "└──╼ $", want: there},
		{name: "zsh", front: "-zsh", cursor: "host% ", want: there},
		{name: "zsh with a command", front: "zsh", cursor: "web1% ls", want: typed("ls")},
		{name: "zsh continuation", front: "zsh", cursor: "quote> a", want: typed("a")},
		{name: "oh my zsh", front: "zsh", cursor: "➜  api git:(main) ", want: there},
		{name: "oh my zsh, changed files", front: "zsh", cursor: "➜  api git:(main) ✗ git add .", want: typed("git add .")},
		{name: "oh my zsh with a command", front: "zsh", cursor: "➜  api git:(main) go test", want: typed("go test")},
		{name: "oh my zsh outside of a repository", front: "zsh", cursor: "➜  ~ ls", want: typed("ls")},
		{name: "agnoster", front: "zsh", cursor: " me@host \ue0b0 ~/src/api \ue0b0 \ue0a0 main \ue0b0 ", want: there},
		{name: "agnoster with a command", front: "zsh", cursor: " ~/src/api \ue0b0 \ue0a0 main \ue0b0 echo a > b", want: typed("echo a > b")},
		{name: "starship", front: "zsh", cursor: "❯ ", want: there},
		{name: "starship with a command", front: "zsh", cursor: "❯ cargo run", want: typed("cargo run")},
		{name: "starship on one line", front: "bash", cursor: "api on \ue0a0 main via 🐹 v1.26 ❯ ", want: there},
		{name: "pure with a blank that does not break", front: "zsh", cursor: "❯\u00a0ls", want: typed("ls")},
		{name: "lambda", front: "zsh", cursor: "λ ~/src » make", want: typed("make")},
		{name: "fish", front: "fish", cursor: "me@host ~/s/api> ", want: there},
		{name: "fish in a repository", front: "fish", cursor: "me@host ~/s/api (main)> git log", want: typed("git log")},
		{name: "nushell", front: "nu", cursor: "~/src/api> ls | where size > 1mb", want: typed("ls | where size > 1mb")},
		{name: "powershell", front: "pwsh", cursor: "PS /home/me/src/api> ", want: there},
		{name: "tcsh", front: "-tcsh", cursor: "host:~> ", want: there},
		{name: "a prompt without a sign", front: "bash", cursor: "me, your wish: ", want: there},
		{name: "a folder beside the home", front: "bash", pane: func(p *PaneRow) { p.Path = "/home/meadow" }, cursor: "$ ", want: "waiting: at a prompt in /home/meadow"},
		{
			name: "a server in the background", front: "bash", cursor: "$ ", pane: func(p *PaneRow) { p.Ports = []int{3000, 3001} },
			want: there + ", serving :3000 :3001",
		},
		{name: "no folder known", front: "bash", cursor: "$ ", pane: func(p *PaneRow) { p.Path = "" }, want: "waiting: at a prompt"},
		{name: "hostile prompt", front: "bash", cursor: "$ a\x1b]52;c;x\x07\u202eb", want: typed("a ]52;c;x b")},
	})
}

func TestShellsThatWaitForSomethingElse(t *testing.T) {
	checkScreens(t, []quietScreen{
		{name: "read -p", front: "bash", cursor: "Deploy to prod? [y/N] ", want: "waiting: asks: Deploy to prod? [y/N]"},
		{name: "read with a name", front: "bash", cursor: "Enter a name: ", want: "waiting: asks: Enter a name:"},
		{name: "read -s", front: "zsh", cursor: "Password: ", want: "waiting: password asked"},
		{name: "read without a prompt", front: "bash", cursor: "", last: "building", want: "idle: bash: building"},
		{name: "an empty screen", front: "bash", cursor: "", want: "idle: bash"},
		{name: "a paused job", front: "bash", cursor: "$ ", pane: func(p *PaneRow) { p.Jobs = []string{"vim api.go"} }, want: "idle: paused: vim api.go"},
		{name: "paused jobs", front: "fish", cursor: "~> ls", pane: func(p *PaneRow) { p.Jobs = []string{"htop", "vim api.go"} }, want: "idle: paused: htop, vim api.go"},
		{name: "a paused job behind a program", front: "sleep 9", cursor: "", pane: func(p *PaneRow) { p.Jobs = []string{"vim"} }, want: "running: sleep 9"},
		{name: "a script", front: "/bin/bash ./deploy.sh prod", cursor: "", last: "uploading 3 files", want: "running: deploy.sh prod: uploading 3 files"},
		{name: "a script with options of its shell", front: "bash -eu -o pipefail ./ci.sh", cursor: "", want: "running: ci.sh"},
		{name: "a script that asks", front: "sh ./deploy.sh", cursor: "Continue (yes/no)? ", want: "waiting: deploy.sh asks: Continue (yes/no)?"},
		{name: "a command of a shell", front: "sh -c make -j4 all", cursor: "", last: "cc -c x.c", want: "running: make -j4 all: cc -c x.c"},
		{name: "a login shell with an init file", front: "bash --rcfile /x/rc -il", cursor: "$ ", want: "waiting: at a prompt in ~/src/api"},
		{name: "fish with an init command", front: "fish -C clear", cursor: "~> ", want: "waiting: at a prompt in ~/src/api"},
	})
}

func TestProgramsThatWait(t *testing.T) {
	repl := func(s string) string { return "waiting: at the prompt of " + s }
	checkScreens(t, []quietScreen{
		{name: "python", front: "python3", cursor: ">>> ", want: repl("python3")},
		{name: "python with something typed", front: "python3", cursor: ">>> for x in y:", want: repl("python3")},
		{name: "python in a block", front: "python3", cursor: "... ", want: repl("python3")},
		{name: "python at work", front: "python3", cursor: "", last: ">>> train()", want: "running: python3: train()"},
		{name: "ipython", front: "/usr/bin/python3 /usr/bin/ipython", cursor: "In [12]: ", want: repl("ipython")},
		{name: "a debugger in a script", front: "python3 manage.py test", cursor: "(Pdb) ", want: repl("manage.py test")},
		{name: "node", front: "node", cursor: "> ", want: repl("node")},
		{name: "irb", front: "irb", cursor: "irb(main):001:0> ", want: repl("irb")},
		{name: "irb in a block", front: "irb", cursor: "irb(main):001* ", want: repl("irb")},
		{name: "psql", front: "psql -h db shop", cursor: "shop=# ", want: repl("psql -h db shop")},
		{name: "psql as nobody special", front: "psql shop", cursor: "shop=> select 1", want: repl("psql shop")},
		{name: "psql in a statement", front: "psql shop", cursor: "shop-# ", want: repl("psql shop")},
		{name: "psql at work", front: "psql shop", cursor: "", last: "shop=# vacuum full;", want: "running: psql shop: vacuum full;"},
		{name: "sqlite", front: "sqlite3 x.db", cursor: "sqlite> ", want: repl("sqlite3 x.db")},
		{name: "sqlite in a statement", front: "sqlite3 x.db", cursor: "   ...> ", want: repl("sqlite3 x.db")},
		{name: "mysql", front: "mysql", cursor: "MariaDB [(none)]> ", want: repl("mysql")},
		{name: "gdb", front: "gdb ./a.out", cursor: "(gdb) ", want: repl("gdb ./a.out")},
		{name: "iex", front: "iex -S mix", cursor: "iex(1)> ", want: repl("iex -S mix")},
		{name: "redis", front: "redis-cli", cursor: "127.0.0.1:6379> ", want: repl("redis-cli")},
		{name: "php", front: "php -a", cursor: "php > ", want: repl("php -a")},

		{name: "sudo", front: "sudo apt update", cursor: "[sudo] password for me: ", want: "waiting: password asked (sudo apt update)"},
		{name: "sudo in German", front: "sudo apt update", cursor: "[sudo] Passwort für me: ", want: "waiting: password asked (sudo apt update)"},
		{name: "ssh", front: "ssh build1", cursor: "me@build1's password: ", want: "waiting: password asked (ssh build1)"},
		{name: "a key", front: "ssh build1", cursor: "Enter passphrase for key '/home/me/.ssh/id': ", want: "waiting: password asked (ssh build1)"},
		{name: "a second factor", front: "ssh build1", cursor: "(me@build1) Verification code: ", want: "waiting: password asked (ssh build1)"},
		{
			name: "an unknown host", front: "ssh build1", cursor: "Are you sure you want to continue connecting (yes/no/[fingerprint])? ",
			want: "waiting: ssh asks: Are you sure you want to continue connecting (yes/no/[fingerprint])?",
		},
		{name: "apt", front: "apt install x", cursor: "Do you want to continue? [Y/n] ", want: "waiting: apt asks: Do you want to continue? [Y/n]"},
		{name: "git, the second question", front: "git push", cursor: "Password for 'https://me@example.org': ", want: "waiting: password asked (git push)"},
		{name: "git", front: "git push", cursor: "Username for 'https://example.org': ", want: "waiting: git asks: Username for 'https://example.org':"},
		{name: "a key to press", front: "./install", cursor: "Press ENTER to continue...", want: "waiting: install asks: Press ENTER to continue..."},
		{name: "rm", front: "rm -i a", cursor: "rm: remove regular file 'a'? ", want: "waiting: rm asks: rm: remove regular file 'a'?"},

		{name: "ssh at a prompt", front: "ssh build1", cursor: "me@build1:~$ ", want: "waiting: ssh build1: at a prompt"},
		{name: "ssh at work", front: "ssh build1", cursor: "", last: "me@build1:~$ make", want: "running: ssh build1: make"},
		{name: "ssh that shows output", front: "ssh build1", cursor: "", last: "CC x.o", want: "running: ssh build1: CC x.o"},
		{name: "a container", front: "docker exec -it web bash", cursor: "root@4f1e:/app# ", want: "waiting: docker exec -it web bash: at a prompt"},
		{name: "another user", front: "sudo -s", cursor: "root@host:/# ", want: "waiting: sudo -s: at a prompt"},
	})
}

func TestProgramsAtWork(t *testing.T) {
	on := func(ports ...int) func(*PaneRow) { return func(p *PaneRow) { p.Ports = ports } }
	title := func(s string) func(*PaneRow) { return func(p *PaneRow) { p.Title = s } }
	checkScreens(t, []quietScreen{
		{name: "vim", front: "vim +12 -u NONE src/api.go", full: true, want: "running: editing api.go"},
		{name: "vim with many", front: "vim a b c d", full: true, want: "running: editing a, b and 2 more"},
		{name: "vim alone", front: "vim", full: true, want: "running: vim"},
		{name: "vim in a folder", front: "nvim .", full: true, want: "running: nvim in ~/src/api"},
		{name: "vim that moved on", front: "nvim .", full: true, pane: title("judge.go + (~/src/api) - NVIM"), want: "running: editing judge.go"},
		{name: "vim without a name", front: "vim", full: true, pane: title("[No Name] - VIM"), want: "running: vim"},
		{name: "nano", front: "nano -r 80 notes.txt", full: true, want: "running: editing notes.txt"},
		{name: "emacs", front: "emacs -nw api.go", full: true, want: "running: editing api.go"},
		{name: "an editor as root", front: "sudo -u www vim /etc/hosts", full: true, want: "running: editing hosts"},
		{name: "vimdiff", front: "vimdiff old/a.go new/a.go", full: true, want: "running: comparing a.go and a.go"},
		{name: "less", front: "less -R +F /var/log/syslog", full: true, cursor: ":", want: "running: reading syslog"},
		{name: "less at its prompt, on the ordinary screen", front: "less -X a.txt", cursor: ":", last: ":", want: "running: reading a.txt"},
		{name: "man", front: "man 5 crontab", full: true, want: "running: reading the manual of crontab"},
		{name: "git log", front: "git log", full: true, cursor: ":", want: "running: git log"},
		{name: "htop", front: "htop", full: true, last: "F1Help F2Setup", want: "running: htop"},
		{name: "top", front: "top", last: "4242 me 20 0 x", want: "running: top"},
		{name: "watch", front: "watch -n 5 -d kubectl get pods -w", full: true, want: "running: watching kubectl get pods -w"},
		{name: "tail", front: "tail -n 100 -f /var/log/syslog", last: "Dec 1 cron[1]: done", want: "running: following syslog: Dec 1 cron[1]: done"},
		{name: "tail -F", front: "tail -F a.log b.log", last: "", want: "running: following a.log, b.log"},
		{name: "fswatch", front: "fswatch -o src", want: "running: watching src"},
		{name: "a dev server", front: "npm run dev", pane: on(3000), last: "ready in 300 ms", want: "running: npm run dev :3000"},
		{name: "a dev server of another name", front: "node /src/node_modules/.bin/vite --host", pane: on(5173), want: "running: vite --host :5173"},
		{name: "a module", front: "python3 -m http.server", pane: on(8000), want: "running: python3 -m http.server :8000"},
		{name: "a script", front: "python3 -u /home/me/src/api/manage.py runserver", pane: on(8000), want: "running: manage.py runserver :8000"},
		{name: "npm before it names itself", front: "node /usr/lib/node_modules/npm/bin/npm-cli.js ci", last: "added 3 packages", want: "running: npm ci: added 3 packages"},
		{name: "make", front: "make -j8", last: "  CC  judge.o", want: "running: make -j8: CC judge.o"},
		{name: "go test", front: "go test ./...", last: "ok  signalbox/tracker 0.3s", want: "running: go test ./...: ok signalbox/tracker 0.3s"},
		{
			name: "a long command", front: "cargo build --release --features one,two,three --target x", last: "Compiling x v1",
			want: "running: cargo build --release --features…: Compiling x v1",
		},
		{name: "progress", front: "pip install x", cursor: "45% ", last: "45%", want: "running: pip install x: 45%"},
		{name: "progress of another kind", front: "wget x", cursor: "x 12%[==>    ] 1.2M ", want: "running: wget x: x 12%[==> ] 1.2M"},
		{name: "nothing printed yet", front: "sleep 1000", last: "me@host:~$ sleep 1000", want: "running: sleep 1000"},
		{name: "an alias", front: "kubectl get pods -w", last: "me@host:~$ kgp", want: "running: kubectl get pods -w"},
		{name: "a frame", front: "lazydocker", last: "└──────┘", want: "running: lazydocker"},
		{name: "an unknown full-screen program", front: "mytui", full: true, last: "q: quit", cursor: "> ", want: "running: mytui"},
		{name: "without a process table", pane: func(p *PaneRow) { p.Command = "cargo" }, last: "Compiling x", want: "running: cargo: Compiling x"},
		{name: "a shell without a process table", pane: func(p *PaneRow) { p.Command = "zsh" }, cursor: "% ", want: "waiting: at a prompt in ~/src/api"},
	})
}

func TestPanesThatEndedOrCannotBeRead(t *testing.T) {
	dead := func(status, signal int) func(*PaneRow) {
		return func(p *PaneRow) { p.Dead, p.DeadStatus, p.DeadSignal = true, status, signal }
	}
	checkScreens(t, []quietScreen{
		{name: "status 0", pane: dead(0, 0), last: "Pane is dead (status 0, Tue Dec  1 00:59:33 2026)", want: "idle: exited"},
		{name: "status 1", pane: dead(1, 0), want: "error: exited with status 1"},
		{name: "status of a signal", pane: dead(137, 0), want: "error: exited with status 137 (SIGKILL)"},
		{name: "a signal", pane: dead(0, 9), want: "error: killed by SIGKILL"},
		{name: "another signal", pane: dead(0, 31), want: "error: killed by signal 31"},
		{name: "a signal that only the screen tells", pane: dead(0, 0), last: "Pane is dead (signal 15, Tue Dec  1 00:59:33 2026)", want: "error: killed by SIGTERM"},
	})
	f := quietScreen{front: "bash", cursor: "$ "}.facts()
	f.screen.Problem, f.output = "tmux did not answer\nin time", f.now
	if kind, text := classify(f); kind != KindError || text != "tmux did not answer in time" {
		t.Errorf("a pane that cannot be read: %s: %s", kind, text)
	}
}

func TestOutputMakesAWindowActive(t *testing.T) {
	for _, tt := range []struct {
		name          string
		output, front float64 // seconds before now
		cursor        string
		args          string
		jobs          bool
		want          WindowKind
	}{
		{"a shell right after output", 9.9, 99, "$ ", "bash", false, KindActive},
		{"a shell after ten seconds", 10, 99, "$ ", "bash", false, KindWaiting},
		{"a program right after output", 0, 99, "", "make", false, KindActive},
		{"a quiet program", 10, 99, "", "make", false, KindRunning},
		{"a program that has just begun", 99, 3, "", "make", false, KindActive},
		{"right after Ctrl-Z", 1, 1, "$ ", "bash", true, KindActive},
		{"some time after Ctrl-Z", 11, 11, "$ ", "bash", true, KindIdle},
	} {
		f := quietScreen{front: tt.args, cursor: tt.cursor}.facts()
		f.output = f.now.Add(-time.Duration(tt.output * float64(time.Second)))
		f.pane.FrontAt = f.now.Add(-time.Duration(tt.front * float64(time.Second)))
		f.screen.At = f.now
		if tt.jobs {
			f.pane.Jobs = []string{"vim"}
		}
		if kind, _ := classify(f); kind != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, kind, tt.want)
		}
	}
}

// A look that is older than the last output says nothing about the cursor.
func TestOldLooksSayNothing(t *testing.T) {
	repl := quietScreen{front: "python3", cursor: ">>> "}.facts()
	repl.output = at(2)
	if kind, _ := classify(repl); kind != KindRunning {
		t.Errorf("a program that printed since: %s", kind)
	}
	shell := quietScreen{front: "bash", cursor: "", last: "x"}.facts()
	shell.output = at(2)
	if kind, text := classify(shell); kind != KindWaiting || text != "at a prompt in ~/src/api" {
		t.Errorf("a shell that printed since: %s: %s", kind, text)
	}
}

// The state notes a change of the foreground, and wakes up when a window is active no more.
func TestForegroundChangeIsNotedAndWearsOff(t *testing.T) {
	shell := Process{PID: 100, Group: 100, TermGroup: 100, TTY: 5, Start: 1, Name: "bash", Args: []string{"-bash"}}
	behind := shell
	behind.TermGroup = 300
	vim := Process{PID: 300, PPID: 100, Group: 300, TermGroup: 300, TTY: 5, Start: 3, Name: "vim", Args: []string{"vim", "my file.go"}}
	inner := Process{PID: 301, PPID: 300, Group: 301, TermGroup: 301, TTY: 6, Start: 4, Name: "sh", Args: []string{"sh", "-i"}}
	s := play(listed(0, 0), ProcessesSeen{At: at(1), Complete: true, Procs: []Process{shell}})
	window := func() string {
		_, w, _ := s.Snapshot().FindPane("%0")
		return w.Kind.String() + ": " + w.Summary
	}
	s.SetHome("/src")
	if got := window(); got != "waiting: at a prompt in ~" {
		t.Fatalf("at first: %s", got)
	}
	// inner stands on a terminal of its own, as below sudo: it is not what the pane shows.
	s.Apply(ProcessesSeen{At: at(20), Complete: true, Procs: []Process{behind, vim, inner}})
	if got := window(); got != "active: editing my file.go" {
		t.Errorf("right after the change: %s", got)
	}
	if next := s.Next(); !next.Equal(at(20).Add(activeFor)) {
		t.Errorf("next look at %v", next)
	}
	s.Apply(SourceWorks{At: at(25), Source: SourceTmux})
	s.Settle(at(29))
	if got := window(); got != "active: editing my file.go" {
		t.Errorf("a little later: %s", got)
	}
	if s.Settle(at(30)) == ChangeNone {
		t.Error("nothing changed when the window was active no more")
	}
	if got := window(); got != "running: editing my file.go" {
		t.Errorf("later: %s", got)
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("bash", "me@host:~$ ls", "x", uint8(0))
	f.Add("sudo -u x vim a", "➜  api git:(main", "Pane is dead (signal 9", uint8(1))
	f.Add("timeout -k 3 9 env A=1 nice -n 3 watch -n 1 x", "\xff> \u00a0", "$", uint8(2))
	f.Fuzz(func(t *testing.T, front, cursor, last string, bits uint8) {
		q := quietScreen{front: front, cursor: cursor, last: last, full: bits&1 != 0}
		facts := q.facts()
		facts.pane.Dead, facts.pane.Title = bits&2 != 0, last+" - VIM"
		kind, summary := classify(facts)
		if summary != clipLine(summary, maxSummary) || kind > KindError {
			t.Errorf("%d: %q", kind, summary)
		}
	})
}
