package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// projectDirUnits is where Claude Code cuts the name of a project folder.
const projectDirUnits = 200

// ProjectDir is the name of the folder under projects/ for sessions started in cwd. The rule is
// Claude Code's: every UTF-16 unit outside of [A-Za-z0-9] becomes a dash; a name of more than 200
// is cut there and gets a dash and the base-36 hash of the whole path. Different paths may share a
// name, so it is never turned back into a path.
func ProjectDir(cwd string) string {
	var name strings.Builder
	units := utf16.Encode([]rune(cwd))
	var hash int32
	for i, u := range units {
		hash = hash*31 + int32(u)
		if i >= projectDirUnits {
			continue
		}
		if u < 0x80 && (u >= '0' && u <= '9' || u >= 'A' && u <= 'Z' || u >= 'a' && u <= 'z') {
			name.WriteByte(byte(u))
		} else {
			name.WriteByte('-')
		}
	}
	if len(units) <= projectDirUnits {
		return name.String()
	}
	abs := int64(hash)
	if abs < 0 {
		abs = -abs
	}
	return name.String() + "-" + strconv.FormatInt(abs, 36)
}

// validSession reports whether id can be a file name of Claude Code's making. Ids come from hook
// payloads and registry files, and must not lead out of the projects folder.
func validSession(id string) bool {
	if id == "" || len(id) > 128 || strings.HasPrefix(id, "agent-") {
		return false
	}
	for _, c := range []byte(id) {
		ok := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-' || c == '_'
		if !ok {
			return false
		}
	}
	return true
}

// places finds the transcripts of sessions.
type places struct {
	projects string // <claude dir>/projects
}

// told is the path a hook named, if it may be believed: inside the projects folder and the file
// of this very session. Everything else is refused; the session is then searched by its id.
func (p places) told(t Target) string {
	if t.Path == "" || !filepath.IsAbs(t.Path) || filepath.Base(t.Path) != t.SessionID+".jsonl" {
		return ""
	}
	path := filepath.Clean(t.Path)
	if within(p.projects, path) {
		return path
	}
	// The same folder may go by two names, one of them through a symbolic link.
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return ""
	}
	root, err := filepath.EvalSymlinks(p.projects)
	if err != nil || !within(root, filepath.Join(dir, filepath.Base(path))) {
		return ""
	}
	return path
}

// within reports whether path lies in a folder of root: root/<project>/<file>.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return false
	}
	parts := strings.Split(rel, string(filepath.Separator))
	return len(parts) == 2 && parts[0] != ".."
}

// expected is where the session should be.
func (p places) expected(t Target) string {
	if t.CWD == "" {
		return ""
	}
	return filepath.Join(p.projects, ProjectDir(t.CWD), t.SessionID+".jsonl")
}

// search looks for the session in every project folder. With several copies (a session moved
// between folders) the one written last is it. A missing projects folder is an empty one.
func (p places) search(session string) (found string, err error) {
	dirs, err := os.ReadDir(p.projects)
	if err != nil && !missing(err) {
		return "", fmt.Errorf("searching transcripts: %w", err)
	}
	var newest time.Time
	for _, d := range dirs {
		path := filepath.Join(p.projects, d.Name(), session+".jsonl")
		st, err := os.Stat(path)
		if err == nil && st.Mode().IsRegular() && (found == "" || st.ModTime().After(newest)) {
			found, newest = path, st.ModTime()
		}
	}
	return found, nil
}

// place remembers where one session is.
type place struct {
	path   string        // where it is, or is expected
	found  bool          // it has been seen there
	wait   time.Duration // until the next search after this one; doubles with each failure
	search time.Time     // no search before this
	failed error         // why the last search could not be made
}

// find updates the place: told, expected, found by search, in this order. It costs a stat or two
// while the file is not there, and a search now and then. Not to find it is no error.
func (l *place) find(p places, t Target, now time.Time) error {
	told, expected := p.told(t), p.expected(t)
	for _, path := range []string{told, expected, l.path} {
		if path != "" && isFile(path) {
			l.path, l.found, l.wait = path, true, 0
			return nil
		}
	}
	l.found = false
	l.path = firstNonEmpty(told, expected)
	if now.Before(l.search) {
		return l.failed
	}
	l.wait = min(max(2*l.wait, searchFirst), searchMost)
	l.search = now.Add(l.wait)
	var path string
	path, l.failed = p.search(t.SessionID)
	if path != "" {
		l.path, l.found, l.wait = path, true, 0
	}
	return l.failed
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}
