package tracker

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// versionName matches the file name of a native install: the binary is called by its version.
var versionName = lazyRegexp(`^\d+\.\d+\.\d+$`)

// packageDir is in the path of the script where Claude Code is a Node program.
const packageDir = "/claude-code/"

// jobWords are first arguments with which the program does something else than hold a
// conversation: it manages, serves or ends. (`claude --help` of 2.1.332, and its own helpers.)
var jobWords = []string{
	"agents", "auth", "auto-mode", "bg-pty-host", "bg-spare", "config", "daemon", "doctor", "gateway",
	"import", "install", "kill", "logs", "mcp", "migrate-installer", "plugin", "plugins", "purge", "respawn",
	"rm", "setup-token", "stop", "ultrareview", "update", "upgrade", "-v", "--version", "-h", "--help",
}

// ClaudeProcess reports whether a process looks like Claude Code by its name: `claude`, a binary
// named by its version, or a JavaScript runtime with the package's script. A name proves nothing:
// such a process is shown, never believed.
//
// What a process calls itself (argv[0]) counts before the name of its file. The binary carries
// ripgrep, ugrep and bfs and becomes one of them by argv[0] for every search an agent does, and a
// shell script called claude that starts the real one is a shell.
func ClaudeProcess(p Process) bool {
	if len(p.Args) == 0 || p.Args[0] == "" {
		return claudeName(p.Name)
	}
	// A process title may hold the job as well: "claude bg-pty-host".
	self, title, _ := strings.Cut(path.Base(strings.TrimPrefix(p.Args[0], "-")), " ")
	args := p.Args[1:]
	if title != "" {
		args = append(strings.Fields(title), args...)
	}
	switch self {
	case "node", "nodejs", "bun":
		i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
		if i < 0 || path.Base(args[i]) != "claude" && !strings.Contains(args[i], packageDir) {
			return false
		}
		args = args[i+1:]
	default:
		if !claudeName(self) {
			return false
		}
	}
	return len(args) == 0 || !slices.Contains(jobWords, args[0])
}

// claudeName also knows what the npm package calls its copy of the binary on every system.
func claudeName(name string) bool {
	return name == "claude" || name == "claude.exe" || versionName().MatchString(name)
}

// lazyRegexp compiles an expression when it is first used. Every hook call loads the whole program, and
// compiling what it never matches would be a third of its time.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
