package fakeagent

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// newUUID is a random version 4 UUID, the form of session, prompt and record ids.
func newUUID() string {
	b := randomBytes(16)
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails, see crypto/rand
	return b
}

func randomHex(n int) string { return hex.EncodeToString(randomBytes(n)) }

// stamp numbers messages and tool calls as the stand-in model of the recordings does. The random
// end keeps two agents that think in the same nanosecond apart.
func stamp(prefix string) string {
	return prefix + strconv.FormatInt(time.Now().UnixNano(), 10) + randomHex(2)
}

// maxProjectName is where Claude cuts the encoded directory name and appends a hash.
const maxProjectName = 200

// encodeProject turns a directory into the name of its folder under projects/: every UTF-16 unit
// that is not a letter or digit becomes a dash.
func encodeProject(cwd string) string {
	var b strings.Builder
	units := utf16.Encode([]rune(cwd))
	for _, u := range units {
		if u < 128 && (u >= '0' && u <= '9' || u >= 'A' && u <= 'Z' || u >= 'a' && u <= 'z') {
			b.WriteByte(byte(u))
		} else {
			b.WriteByte('-')
		}
	}
	name := b.String()
	if len(name) <= maxProjectName {
		return name
	}
	var h int32
	for _, u := range units {
		h = h*31 + int32(u)
	}
	abs := int64(h)
	if abs < 0 {
		abs = -abs
	}
	return name[:maxProjectName] + "-" + strconv.FormatInt(abs, 36)
}

// procStart is the start time of a process in the form Claude writes: on Linux field 22 of
// /proc/<pid>/stat, elsewhere what `ps -o lstart` prints in the C locale and UTC.
func procStart(pid int) (string, error) {
	if runtime.GOOS != "linux" {
		cmd := exec.Command("ps", "-o", "lstart=", "-p", strconv.Itoa(pid))
		cmd.Env = []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin"}
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("asking ps for the start time: %w", err)
		}
		return strings.TrimSpace(string(out)), nil
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", fmt.Errorf("reading the start time: %w", err)
	}
	// The program's name (field 2) may hold blanks and brackets: count from its end.
	_, rest, ok := strings.Cut(string(b[strings.LastIndexByte(string(b), ')'):]), ") ")
	fields := strings.Fields(rest)
	const afterName = 22 - 3 // field 3 is the first one after the name
	if !ok || len(fields) <= afterName {
		return "", fmt.Errorf("reading the start time: unexpected form of /proc/%d/stat", pid)
	}
	return fields[afterName], nil
}

// pidDomain names the pid namespace as Claude does; "" where that form is not known.
func pidDomain() string {
	if runtime.GOOS != "linux" {
		return ""
	}
	ns, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	id, _ := os.ReadFile("/etc/machine-id")
	return "linux:" + strings.TrimSpace(string(id)) + ":" + ns
}

// tildePath shortens a path below the home folder for the header.
func tildePath(path, home string) string {
	if home == "" || path == home {
		return path
	}
	if rel, err := filepath.Rel(home, path); err == nil && !strings.HasPrefix(rel, "..") {
		return "~/" + rel
	}
	return path
}

// envValue is the last value of a variable in an environment list.
func envValue(env []string, name string) string {
	v := ""
	for _, e := range env {
		if rest, ok := strings.CutPrefix(e, name+"="); ok {
			v = rest
		}
	}
	return v
}
