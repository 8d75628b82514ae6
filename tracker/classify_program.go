package tracker

import (
	"slices"
	"strings"
)

// program is the one in front of a pane, as a person would name it.
type program struct {
	name  string   // "python3", "deploy.sh"; without folders
	args  []string // behind the name
	line  string   // both
	shell bool     // a shell that reads commands from the terminal
}

// programOf names the program in front. Interpreters and wrappers step back behind what they run.
func programOf(p *PaneRow) program {
	args := p.FrontArgs
	if len(args) == 0 {
		args = strings.Fields(p.Front)
	}
	if len(args) == 0 {
		args = []string{p.Command}
	}
	if len(args) == 1 { // some programs write their whole line into the name: "npm run dev"
		if f := strings.Fields(args[0]); len(f) > 1 {
			args = f
		}
	}
	return named(args, wrapperDepth)
}

// wrapperDepth bounds how many programs may stand in front of the one that counts.
const wrapperDepth = 4

func named(args []string, depth int) program {
	name := baseName(strings.TrimPrefix(args[0], "-"))
	rest := args[1:]
	if IsShell(name) {
		switch script, isScript := shellScript(rest); {
		case !isScript:
			return program{name: name, args: rest, line: name, shell: true}
		case len(script) > 0 && depth > 0:
			return named(script, depth-1)
		}
	}
	if script := scriptOf(name, rest); len(script) > 0 && depth > 0 {
		return named(script, depth-1)
	}
	name = npmName(name)
	return program{name: name, args: rest, line: strings.TrimSpace(name + " " + strings.Join(rest, " "))}
}

// npmName is the command for what may be the script behind it.
func npmName(script string) string {
	switch script {
	case "npm-cli.js":
		return "npm"
	case "npx-cli.js":
		return "npx"
	case "yarn.js":
		return "yarn"
	case "pnpm.cjs":
		return "pnpm"
	}
	return script
}

func baseName(path string) string { return path[lastSlash(path)+1:] }

// shellScript is what a shell with these arguments runs, if it runs something instead of reading
// commands from the terminal.
func shellScript(args []string) (run []string, ok bool) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--" || a == "-":
			return args[i+1:], i+1 < len(args)
		case a == "--command":
			return strings.Fields(strings.Join(args[i+1:], " ")), true
		case slices.Contains([]string{"--rcfile", "--init-file", "--init-command", "-C", "-o", "+o", "-O", "+O"}, a):
			i++
		case len(a) > 1 && a[0] == '-' && a[1] != '-':
			if strings.Contains(a, "c") {
				return strings.Fields(strings.Join(args[i+1:], " ")), true
			}
			if strings.Contains(a, "s") {
				return nil, false
			}
		case len(a) > 1 && (a[0] == '-' || a[0] == '+'):
		default:
			return args[i:], true
		}
	}
	return nil, false
}

// scriptOf is the script that an interpreter runs, with its arguments. Modules and one-liners are
// better told by the whole line.
func scriptOf(name string, args []string) []string {
	if !isInterpreter(name) {
		return nil
	}
	for i, a := range args {
		switch {
		case slices.Contains([]string{"-m", "-c", "-e", "-p", "--eval", "--print", "-jar", "-r", "--require"}, a):
			return nil
		case !strings.HasPrefix(a, "-"):
			return args[i:]
		}
	}
	return nil
}

// carrier reports whether the program shows a shell that runs elsewhere or as somebody else.
func (p *program) carrier() bool {
	switch {
	case containerTools.has(p.name):
		return slices.ContainsFunc(p.args, func(a string) bool {
			return slices.Contains([]string{"exec", "run", "attach", "start", "debug", "shell"}, a)
		})
	case p.name == "sudo" || p.name == "doas":
		inner := p.unwrapped()
		return inner == p || inner.shell
	}
	return remotes.has(p.name)
}

func isInterpreter(name string) bool {
	bare := strings.TrimRight(name, "0123456789.")
	return slices.Contains([]string{"python", "pypy", "node", "nodejs", "ruby", "perl", "php", "lua", "luajit", "Rscript"}, bare)
}

var (
	containerTools = names{"docker", "podman", "kubectl", "oc", "lxc", "incus", "machinectl", "multipass", "limactl"}
	remotes        = names{
		"ssh", "mosh", "mosh-client", "telnet", "vagrant", "su", "chroot", "nsenter", "unshare", "bwrap",
		"systemd-nspawn", "toolbox", "distrobox", "nix-shell", "nix", "poetry", "pipenv", "script", "adb", "minicom", "picocom", "tsh",
	}
)

var (
	editors = names{
		"vim", "vi", "nvim", "vim.tiny", "vim.basic", "nano", "pico", "emacs", "emacsclient", "micro", "hx", "helix",
		"kak", "joe", "jed", "ne", "mcedit", "vis", "ed", "ex",
	}
	differs  = names{"vimdiff", "nvimdiff"}
	pagers   = names{"less", "more", "most", "bat", "batcat", "zless", "lnav", "view"}
	watches  = names{"watch", "viddy", "hwatch"}
	notifies = names{"fswatch", "inotifywait"}
	repls    = names{
		"psql", "mysql", "mariadb", "sqlite3", "gdb", "lldb", "dlv", "irb", "pry", "iex", "ghci", "ipython", "julia",
		"scala", "sftp", "redis-cli", "mongosh", "R", "octave", "deno", "bun",
	}
	monitors = names{"top", "htop", "btop", "atop", "iotop", "nmon", "man", "info"}
	wrappers = names{"sudo", "doas", "env", "nice", "ionice", "nohup", "time", "timeout", "stdbuf", "caffeinate"}
)

// names are programs. Not a map: one would be built at every start of the program, of which each hook is one.
type names []string

func (n names) has(name string) bool { return slices.Contains(n, name) }

// fullScreen reports whether a program is known to paint a picture, even where it leaves the
// ordinary screen for it.
func fullScreen(name string) bool {
	return editors.has(name) || differs.has(name) || pagers.has(name) || watches.has(name) || monitors.has(name)
}

// valueOptions are the options of a program that take the next argument for their value.
func valueOptions(name string) []string {
	switch name {
	case "vim", "vi", "nvim", "vim.tiny", "vim.basic", "view", "vimdiff":
		return []string{"-c", "--cmd", "-u", "-U", "-i", "-S", "-t", "-T", "-w", "-W", "-s"}
	case "nano", "pico":
		return []string{"-r", "-s", "-T", "-Y", "-J", "-Q", "-o", "-C", "-X"}
	case "emacs", "emacsclient":
		return []string{"-l", "--load", "-f", "--funcall", "--eval", "-e", "-a", "-s"}
	case "less", "zless":
		return []string{"-p", "-P", "-b", "-h", "-j", "-k", "-o", "-t", "-T", "-x", "-y", "-z", "-#"}
	case "watch", "viddy", "hwatch":
		return []string{"-n", "--interval"}
	case "tail":
		return []string{"-n", "-c", "-s", "--pid", "--lines", "--bytes"}
	case "sudo", "doas":
		return []string{"-u", "-g", "-h", "-p", "-C", "-r", "-t", "-T", "-U"}
	case "nice", "ionice":
		return []string{"-n", "-c"}
	case "timeout":
		return []string{"-k", "-s"}
	case "stdbuf":
		return []string{"-i", "-o", "-e"}
	}
	return nil
}

// operands are the arguments of a program without its options and their values.
func (p *program) operands() []string {
	var out []string
	values := valueOptions(p.name)
	for i := 0; i < len(p.args); i++ {
		switch a := p.args[i]; {
		case a == "--":
			return append(out, p.args[i+1:]...)
		case slices.Contains(values, a):
			i++
		case a == "" || a[0] == '-' || a[0] == '+' && (editors.has(p.name) || pagers.has(p.name)):
		default:
			out = append(out, a)
		}
	}
	return out
}

// unwrapped is the program that a wrapper like sudo or timeout runs, or p itself.
func (p *program) unwrapped() *program {
	if !wrappers.has(p.name) {
		return p
	}
	values := valueOptions(p.name)
	duration := p.name == "timeout"
	for i := 0; i < len(p.args); i++ {
		switch a := p.args[i]; {
		case slices.Contains(values, a):
			i++
		case a == "" || a[0] == '-' || strings.Contains(a, "="):
		case duration:
			duration = false
		default:
			inner := named(p.args[i:], wrapperDepth)
			return inner.unwrapped()
		}
	}
	return p
}
