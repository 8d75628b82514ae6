package grid

import (
	"cmp"
	"strings"
	"time"

	"signalbox/tracker"
)

// compare is the order of cells inside a section, nil for the order they come in.
func (s Sort) compare() func(a, b Cell) int {
	switch s {
	case SortUrgency:
		return byUrgency
	case SortActivity:
		return byActivity
	}
	return nil
}

// byUrgency puts what needs somebody first and, among equals, what waits longest. Below that the
// order stays as it is: busy agents must not swap places with every turn. Windows without an agent
// come last.
func byUrgency(a, b Cell) int {
	va, vb := a.Verdict(), b.Verdict()
	if c := cmp.Compare(rank(b, vb), rank(a, va)); c != 0 {
		return c
	}
	if va.NeedsPerson() {
		return va.Since.Compare(vb.Since)
	}
	return 0
}

func rank(c Cell, v tracker.Verdict) int {
	if !c.HasAgent() {
		return -1
	}
	return v.Urgency()
}

func byActivity(a, b Cell) int { return activity(b).Compare(activity(a)) }

func activity(c Cell) time.Time {
	if c.Window == nil {
		return c.Background.Verdict.Since
	}
	return c.Window.Activity
}

// byRepository groups windows by the directory tree they work in. The snapshot does not say where
// a repository begins, so the trees are those in which an agent has a branch checked out: a window
// belongs to the topmost such directory above it, else to its own directory.
func byRepository(cells []Cell) []Section {
	anchors := make(map[string]bool)
	for _, c := range cells {
		if a := c.Window.Agent(); a != nil && a.CWD != "" && a.Branch != "" {
			anchors[a.CWD] = true
		}
	}
	index := make(map[string]int)
	var out []Section
	for _, c := range cells {
		root := anchorOf(anchors, directory(c.Window))
		i, ok := index[root]
		if !ok {
			i = len(out)
			index[root] = i
			out = append(out, Section{Key: "dir:" + root, Title: title(root), Path: root})
		}
		out[i].Cells = append(out[i].Cells, c)
		out[i].Attached = out[i].Attached || c.Session.Attached
	}
	for i := range out {
		out[i].Branch = branchOf(out[i].Cells)
		out[i].spots()
	}
	return out
}

// branchOf is the branch that all agents of a tree are on, or "".
func branchOf(cells []Cell) string {
	branch := ""
	for _, c := range cells {
		a := c.Window.Agent()
		if a == nil || a.Branch == "" {
			continue
		}
		if branch != "" && a.Branch != branch {
			return ""
		}
		branch = a.Branch
	}
	return branch
}

// anchorOf is the topmost anchor at or above dir, else dir.
func anchorOf(anchors map[string]bool, dir string) string {
	top := dir
	for p := dir; p != ""; p = p[:max(strings.LastIndexByte(p, '/'), 0)] {
		if anchors[p] {
			top = p
		}
	}
	return top
}

func directory(w *tracker.WindowRow) string {
	if a := w.Agent(); a != nil && a.CWD != "" {
		return a.CWD
	}
	if p := w.LeadPane(); p != nil {
		return p.Path
	}
	return ""
}

func title(root string) string {
	if root == "" {
		return "no directory"
	}
	if b := base(root); b != "" {
		return b
	}
	return root
}

// Tilde shortens a path below the home directory.
func Tilde(path, home string) string {
	if home == "" || home == "/" || !strings.HasPrefix(path, home) {
		return path
	}
	if rest := path[len(home):]; rest == "" || rest[0] == '/' {
		return "~" + rest
	}
	return path
}

// tildeAll shortens every path below the home directory in a text.
func tildeAll(text, home string) string {
	if len(home) < 2 || !strings.Contains(text, home) {
		return text
	}
	text = strings.ReplaceAll(text, home+"/", "~/")
	if rest, ok := strings.CutSuffix(text, home); ok {
		return rest + "~"
	}
	return text
}
