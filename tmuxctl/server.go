package tmuxctl

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"signalbox/tracker"
)

// defaultName is the socket name tmux uses when it is told nothing.
const defaultName = "default"

// Server says which tmux server to talk to. The zero value is tmux's default one.
type Server struct {
	Name string // as for tmux -L; "" for the default name
	Path string // as for tmux -S; wins over Name
	PID  int    // process of the server where $TMUX told it, else 0
	dir  string // where named sockets are, for Socket
}

// SelectServer chooses the server as tmux does: the path, else the name, else the one we are in,
// else the default one. getenv is os.Getenv or a stand-in.
func SelectServer(name, path string, getenv func(string) string) Server {
	s := Server{Name: name, Path: path, dir: socketDir(getenv("TMUX_TMPDIR"))}
	if name == "" && path == "" {
		v := ParseTmuxVar(getenv("TMUX"))
		s.Path, s.PID = v.Socket, v.PID
	}
	return s
}

// Socket is the path of the socket, as far as it can be told without asking tmux.
func (s Server) Socket() string {
	if s.Path != "" {
		return s.Path
	}
	dir := s.dir
	if dir == "" {
		dir = socketDir("")
	}
	return filepath.Join(dir, s.name())
}

// Args are tmux's own flags for this server.
func (s Server) Args() []string {
	if s.Path != "" {
		return []string{"-S", s.Path}
	}
	return []string{"-L", s.name()}
}

func (s Server) name() string {
	if s.Name == "" {
		return defaultName
	}
	return s.Name
}

// socketDir is where tmux keeps named sockets. Like tmux it falls back silently when TMUX_TMPDIR
// names no folder.
func socketDir(tmpdir string) string {
	base := "/tmp"
	if tmpdir != "" {
		if real, err := filepath.EvalSymlinks(tmpdir); err == nil {
			base = real
		}
	}
	return filepath.Join(base, "tmux-"+strconv.Itoa(os.Getuid()))
}

// TmuxVar is the decoded environment variable TMUX.
type TmuxVar struct {
	Socket  string
	PID     int
	Session tracker.SessionID
}

// ParseTmuxVar decodes "socket,pid,session". What is missing or malformed stays zero.
func ParseTmuxVar(v string) TmuxVar {
	var t TmuxVar
	rest := v
	if i := strings.LastIndexByte(rest, ','); i >= 0 {
		if isDigits(rest[i+1:]) {
			t.Session = tracker.SessionID("$" + rest[i+1:])
		}
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, ','); i >= 0 {
		t.PID, _ = strconv.Atoi(rest[i+1:])
		rest = rest[:i]
	}
	t.Socket = rest
	return t
}
