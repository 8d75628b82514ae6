package grid

import (
	"strconv"
	"strings"

	"signalbox/tui/style"
)

// spot is what the rows below the title of a repository have in front of their names: only what the
// title does not say. That is the window alone where the session is called as the repository, as it
// mostly is, and the branch where there are several.
type spot struct {
	headW int  // cells of the widest window in the section; 0 for a board grouped otherwise
	home  bool // the session is called as the repository
	forks bool // not all agents of the section are on one branch
}

// spots finds what differs between the cells of a repository.
func (s *Section) spots() {
	var at spot
	branch := ""
	for i := range s.Cells {
		c := &s.Cells[i]
		c.spot.home = sessionWord(s.Title) == c.Session.Name
		at.headW = max(at.headW, style.Width(style.Clean(c.spotHead())))
		switch b := branchAt(*c); {
		case b == "":
		case branch == "":
			branch = b
		case b != branch:
			at.forks = true
		}
	}
	for i := range s.Cells {
		s.Cells[i].spot.headW, s.Cells[i].spot.forks = at.headW, at.forks
	}
}

// sessionWord is a name as tmux lets a session have it.
func sessionWord(name string) string { return strings.NewReplacer(".", "_", ":", "_").Replace(name) }

func branchAt(c Cell) string {
	if a := c.agent(); a != nil {
		return a.Branch
	}
	return ""
}

// spotHead is the window, and its session where that has another name than the title.
func (c Cell) spotHead() string {
	if c.spot.home {
		return strconv.Itoa(c.Window.Index)
	}
	return target(c)
}

// spotBranch is the branch, where that tells the row from others.
func (c Cell) spotBranch() string {
	if c.spot.forks {
		return branchAt(c)
	}
	return ""
}

// spotWidth is how wide the column of the index has to be for a row.
func (c Cell) spotWidth() int {
	w := c.spot.headW
	if branch := c.spotBranch(); branch != "" {
		w += 1 + style.Width(style.Clean(branch))
	}
	return w
}

// appendSpot appends it, over the column of the index: the windows of a section end below each other,
// and their branches begin so.
func (g *Grid) appendSpot(b []byte, c Cell) []byte {
	text, rest := c.spotHead(), g.layout.indexW
	pad := min(max(c.spot.headW-style.Width(style.Clean(text)), 0), rest)
	b = style.Pad(b, pad)
	branch := c.spotBranch()
	if branch == "" {
		return g.fit(b, style.Dim, text, rest-pad, fieldSession)
	}
	b, used := g.cut(b, style.Dim, text, rest-pad, fieldSession)
	if rest -= pad + used; rest < 2 {
		return style.Pad(b, rest)
	}
	return g.fit(append(b, ' '), style.Dim, branch, rest-1, fieldName)
}
