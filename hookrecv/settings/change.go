package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/rogpeppe/go-internal/diff"

	"signalbox/tracker"
)

// ErrChanged says that somebody wrote to the file between planning and applying. Plan again.
var ErrChanged = errors.New("the file has changed meanwhile")

const (
	// newFileMode is that of a settings file we make: it may come to hold secrets.
	newFileMode fs.FileMode = 0o600
	newDirMode  fs.FileMode = 0o700
	// backupSuffix is put behind the path of a settings file for the copy made before each write.
	backupSuffix = ".signalbox-backup"
)

// A Change is what is going to happen to one settings file. Planning it touches nothing.
type Change struct {
	Path          string // as given
	Before, After []byte // nil: no such file

	target string // the file behind a symbolic link
	mode   fs.FileMode
}

// PlanInstall plans to put our hooks for the events into the settings file at path, which need not
// exist. A file that cannot be edited safely is an error that holds a *SyntaxError and begins with
// path, line and column.
func PlanInstall(path, command string, events []tracker.HookName) (*Change, error) {
	c, err := load(path)
	if err != nil {
		return nil, err
	}
	if c.Before == nil {
		c.After = Create(command, events)
		return c, nil
	}
	if c.After, err = Install(c.Before, command, events); err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return c, nil
}

// PlanUninstall plans to take our hooks out of the settings file at path. A file that holds just
// what PlanInstall makes where there is none is planned to go.
func PlanUninstall(path string) (*Change, error) {
	c, err := load(path)
	if err != nil || c.Before == nil {
		return c, err
	}
	if c.After, err = Uninstall(c.Before); err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	if isCreation(c.Before) {
		c.After = nil
	}
	return c, nil
}

// isCreation reports whether a settings file is, to the byte, one that Create made.
func isCreation(text []byte) bool {
	root, err := parse(text)
	if err != nil {
		return false
	}
	ours := find(root)
	if len(ours) == 0 {
		return false
	}
	var events []tracker.HookName
	for _, p := range ours {
		events = append(events, tracker.HookName(p.event))
	}
	return bytes.Equal(text, Create(ours[0].command.str, events))
}

// load reads a settings file. A symbolic link is followed: the file behind it is what is edited.
func load(path string) (*Change, error) {
	c := &Change{Path: path, target: path, mode: newFileMode}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s is a symbolic link to a file that does not exist", path)
		}
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading settings: %w", err)
	}
	c.target = target
	info, err := os.Stat(target)
	if err != nil {
		return nil, fmt.Errorf("reading settings: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	c.mode = info.Mode().Perm()
	if c.Before, err = os.ReadFile(target); err != nil {
		return nil, fmt.Errorf("reading settings: %w", err)
	}
	if c.Before == nil {
		c.Before = []byte{}
	}
	return c, nil
}

// Empty reports whether there is nothing to do.
func (c *Change) Empty() bool {
	return (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After)
}

// Diff is the change for people, as a unified diff; empty when there is nothing to do.
func (c *Change) Diff() string {
	if c.Empty() {
		return ""
	}
	before, after := c.Path, c.Path
	if c.Before == nil {
		before = os.DevNull
	}
	if c.After == nil {
		after = os.DevNull
	}
	text := diff.Diff(before, c.Before, after, c.After)
	_, text, _ = bytes.Cut(text, []byte("\n")) // the command line of a diff nobody ran
	return string(text)
}

// Backup is where Apply keeps the file as it was before; empty when there is none to keep.
func (c *Change) Backup() string {
	if c.Before == nil || c.After == nil || c.Empty() {
		return ""
	}
	return c.Path + backupSuffix
}

// Apply makes the change: first the backup, then the file, each written aside and renamed, with
// the mode the file had. It fails with ErrChanged, without a write, when the file is no longer
// what it was when the change was planned. Between that look and the rename lies a moment in which
// another program's write would be lost.
func (c *Change) Apply() error {
	if c.Empty() {
		return nil
	}
	now, err := load(c.Path)
	if err != nil {
		return err
	}
	if (now.Before == nil) != (c.Before == nil) || !bytes.Equal(now.Before, c.Before) || now.target != c.target {
		return fmt.Errorf("%s: %w", c.Path, ErrChanged)
	}
	if c.After == nil {
		if err := os.Remove(c.target); err != nil {
			return fmt.Errorf("removing settings: %w", err)
		}
		return nil
	}
	if c.Before == nil {
		if err := os.MkdirAll(filepath.Dir(c.target), newDirMode); err != nil {
			return fmt.Errorf("making the settings folder: %w", err)
		}
	} else if err := write(c.Backup(), c.Before, c.mode); err != nil {
		return fmt.Errorf("backing up settings: %w", err)
	}
	if err := write(c.target, c.After, c.mode); err != nil {
		return fmt.Errorf("writing settings: %w", err)
	}
	return nil
}

// write replaces a file whole. The new content is made beside it: a rename does not cross file
// systems.
func write(path string, data []byte, mode fs.FileMode) error {
	return renameio.WriteFile(path, data, mode,
		renameio.WithTempDir(filepath.Dir(path)), renameio.WithStaticPermissions(mode))
}
