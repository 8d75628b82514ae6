package fakeagent

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// slashCommands are the entries of the command menu, in the order Claude lists them.
var slashCommands = [...][2]string{
	{"/clear", "Clear conversation history and free up context"},
	{"/compact", "Clear history but keep a summary in context"},
	{"/config", "Open settings"},
	{"/exit", "Exit Claude Code"},
	{"/model", "Switch model (currently Opus 5.5)"},
	{"/code-review", "Review the current diff or a PR for bugs"},
	{"/effort", "Set the model's effort level"},
	{"/help", "Show help and available commands"},
}

// maxMenu is how many rows a menu shows.
const maxMenu = 5

// menu is the picker above the composer while a command or a file name is being typed, or nil.
// While it is open it takes the Enter.
func (s *screen) menu() []string {
	text := s.comp.string()
	if s.comp.shell || strings.ContainsAny(text, "\n") {
		return nil
	}
	if strings.HasPrefix(text, "/") && !strings.Contains(text, " ") {
		return s.commandMenu(text)
	}
	word := text[strings.LastIndex(text, " ")+1:]
	if strings.HasPrefix(word, "@") && len(word) > 1 {
		return []string{"    + " + cut(clean(fileFor(word)), s.width-8)}
	}
	return nil
}

func (s *screen) commandMenu(typed string) []string {
	var rows []string
	for _, c := range slashCommands {
		if !strings.Contains(c[0]+" "+c[1], typed[1:]) || len(rows) == maxMenu {
			continue
		}
		row := pad(c[0], 28) + c[1]
		if len(rows) == 0 {
			rows = append(rows, "  "+fg(colourBlue, cut("❯ "+row, s.width-4)))
		} else {
			rows = append(rows, "    "+fg(colourGrey, cut(row, s.width-6)))
		}
	}
	return rows
}

// fileFor is the file a picker offers for what was typed. No folder is read for it.
func fileFor(word string) string {
	name := strings.TrimPrefix(word, "@")
	if strings.HasPrefix("README.md", name) {
		return "README.md"
	}
	return name + ".md"
}

// drawHistory is the search for earlier prompts, where Enter takes one into the composer.
func (s *screen) drawHistory() drawnDialog {
	var dd drawnDialog
	dd.add(fg(colourRule, rule(s.width)), "  Search prompts · everywhere")
	shown := s.history
	if len(shown) > 7 {
		shown = shown[len(shown)-7:]
	}
	for i, h := range shown {
		mark := "  "
		if i == len(shown)-1 {
			mark = fg(colourBlue, "❯") + " "
		}
		dd.add("  " + mark + cut(clean(h), s.width-6))
	}
	inner := s.width - 6
	search := "⌕ Filter history…"
	dd.x, dd.y = 6, len(dd.rows)+1
	dd.add("  ╭"+rule(inner)+"╮", "  │ "+pad(ansi.Truncate(search, inner-2, ""), inner-1)+"│", "  ╰"+rule(inner)+"╯", "")
	dd.add("  " + fg(colourGrey, cut("↑/↓ to navigate · ctrl+s to change scope · Enter to use · Esc to cancel", s.width-3)))
	return dd
}
