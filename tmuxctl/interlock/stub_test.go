package interlock

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
)

// stubDir is the variable that makes the test binary a stand-in for Claude Code: it draws the
// recordings' screens, echoes pastes into its box, and does what it is told over a socket.
const stubDir = "INTERLOCK_STUB_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(stubDir); dir != "" {
		if err := runStub(dir); err != nil {
			fmt.Fprintln(os.Stderr, "stub:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const screens = "../../testdata/recordings"

// stub is the stand-in. It writes to the folder it was given: log (everything it read, as JSON
// lines), got (the prompts it took), pid.
type stub struct {
	mu      sync.Mutex
	dir     string
	screens string
	mode    string // "box", "dialog", "transcript"
	box     string
	swallow int
	echoIn  time.Duration
}

// stubRead is one piece of input, and what the stub was doing when it came.
type stubRead struct {
	Mode, Text, Box string
	Bracketed       bool
}

func runStub(dir string) error {
	s := &stub{dir: dir, screens: os.Getenv("INTERLOCK_SCREENS"), mode: "box", echoIn: 10 * time.Millisecond}
	old, err := term.MakeRaw(os.Stdin.Fd())
	if err != nil {
		return err
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "sock"))
	if err != nil {
		return err
	}
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	s.enterScreen()
	if err := os.WriteFile(filepath.Join(dir, "pid"), []byte(fmt.Sprint(os.Getpid())), 0o600); err != nil {
		return err
	}
	go s.read()
	for {
		c, err := listener.Accept()
		if err != nil {
			return err
		}
		line, _ := bufio.NewReader(c).ReadString('\n')
		verb, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch verb {
		case "exit", "suspend":
			fmt.Print("\x1b[?2004l\x1b[?1049l")
			_ = term.Restore(os.Stdin.Fd(), old)
			fmt.Fprintln(c, "ok")
			c.Close()
			if verb == "exit" {
				return nil
			}
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			<-resumed
			continue
		default:
			s.do(verb, arg)
		}
		fmt.Fprintln(c, "ok")
		c.Close()
	}
}

func (s *stub) enterScreen() {
	fmt.Print("\x1b[?1049h\x1b[?2004h\x1b[?25l")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draw()
}

// do is one order from the test.
func (s *stub) do(verb, arg string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch verb {
	case "box", "dialog", "transcript":
		s.mode = verb
	case "text":
		s.box = arg
	case "swallow":
		s.swallow++
	case "echo":
		s.echoIn, _ = time.ParseDuration(arg)
	}
	s.draw()
}

// draw puts the whole screen in one write.
func (s *stub) draw() {
	name, x, y := "approve/screens/01-idle.ansi", 2, 37
	switch s.mode {
	case "dialog":
		name, x, y = "approve/screens/02-permission.ansi", 1, 33
	case "transcript":
		name, x, y = "transcript-view/screens/01-transcript.ansi", 0, 39
	}
	raw, err := os.ReadFile(filepath.Join(s.screens, name))
	if err != nil {
		panic(err)
	}
	rows := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	if s.mode == "box" {
		lines := strings.Split(s.box, "\n")
		text := []string{"\x1b[0m❯\u00a0" + lines[0]}
		for _, l := range lines[1:] {
			text = append(text, "\x1b[0m  "+l)
		}
		text[len(text)-1] += "\x1b[7m \x1b[0m"
		x = 2 + len([]rune(lines[len(lines)-1]))
		// The box grows upwards: as many rows of the transcript go as the text needs.
		rows = append(append(append([]string{}, rows[len(lines)-1:y]...), text...), rows[y+1:]...)
	}
	fmt.Printf("\x1b[0m\x1b[2J\x1b[H%s\x1b[%d;%dH", strings.Join(rows, "\r\n"), y+1, x+1)
}

// read takes the input apart into pastes and keys.
func (s *stub) read() {
	in := bufio.NewReader(os.Stdin)
	var paste strings.Builder
	inside := false
	for {
		b, err := in.ReadByte()
		if err != nil {
			return
		}
		if b == 0x1b {
			seq := make([]byte, 5)
			if _, err := io.ReadFull(in, seq); err != nil {
				return
			}
			switch string(seq) {
			case "[200~":
				inside = true
			case "[201~":
				inside = false
				s.take(paste.String(), true)
				paste.Reset()
			default:
				s.take("\x1b"+string(seq), false)
			}
			continue
		}
		if inside {
			paste.WriteByte(b)
		} else {
			s.take(string(rune(b)), false)
		}
	}
}

func (s *stub) take(text string, bracketed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.append("log", stubRead{s.mode, text, s.box, bracketed})
	switch {
	case s.mode != "box":
	case bracketed:
		time.AfterFunc(s.echoIn, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.box += text
			s.draw()
		})
	case text != "\r":
		s.box += text
		s.draw()
	case s.swallow > 0:
		s.swallow--
	case s.box != "":
		s.append("got", stubRead{Text: s.box})
		s.box = ""
		s.draw()
	}
}

// append writes one line to a file of the stub's.
func (s *stub) append(name string, r stubRead) {
	line, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		panic(err)
	}
}
