package tracker

import (
	"sort"
	"strings"
	"unicode"
)

// toolDetailRunes bounds a tool's detail: it is a label, and no more than this much of a tool's
// input may reach the event log.
const toolDetailRunes = 200

// ToolDetail is the most telling argument of a tool call, as one line of at most 200 characters:
// the command, the path, the pattern, the question. Tools it does not know are searched for the
// usual argument names, so that MCP tools have a label too. The result is still untrusted text:
// line breaks and control characters are gone, other oddities are for whoever draws it.
func ToolDetail(tool string, input map[string]any) string {
	switch tool {
	case "AskUserQuestion":
		if q := firstOf(input, "questions", "question"); q != "" {
			return q
		}
	case "TodoWrite":
		if t := activeTodo(input); t != "" {
			return t
		}
	case "Grep", "Glob":
		return joinDetail(oneLine(input["pattern"]), oneLine(input["path"]))
	case "Agent", "Task":
		// The prompt of a subagent is long, its description is meant to be shown.
		if d := oneLine(input["description"]); d != "" {
			return d
		}
	case "ExitPlanMode":
		return oneLine(input["plan"])
	}
	for _, key := range tellingKeys() {
		if d := oneLine(input[key]); d != "" {
			return d
		}
	}
	return firstString(input)
}

// tellingKeys names the arguments that say most about a call, most telling first.
func tellingKeys() []string {
	return []string{
		"command", "file_path", "notebook_path", "path", "pattern", "url", "query", "question",
		"skill", "subject", "title", "name", "description", "prompt", "message",
	}
}

// firstOf is the field of the first element of a list of objects: questions[0].question.
func firstOf(input map[string]any, list, field string) string {
	items, ok := input[list].([]any)
	if !ok || len(items) == 0 {
		return ""
	}
	item, ok := items[0].(map[string]any)
	if !ok {
		return ""
	}
	return oneLine(item[field])
}

// activeTodo is the item of a to-do list that is in work.
func activeTodo(input map[string]any) string {
	items, ok := input["todos"].([]any)
	if !ok {
		return ""
	}
	for _, it := range items {
		item, ok := it.(map[string]any)
		if !ok || item["status"] != "in_progress" {
			continue
		}
		if d := oneLine(item["activeForm"]); d != "" {
			return d
		}
		return oneLine(item["content"])
	}
	return ""
}

// firstString is the first argument that is text, by name so that the answer never varies.
func firstString(input map[string]any) string {
	keys := make([]string, 0, len(input))
	for k := range input {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if d := oneLine(input[k]); d != "" {
			return d
		}
	}
	return ""
}

func joinDetail(pattern, path string) string {
	if pattern == "" || path == "" {
		return pattern + path
	}
	return oneLine(pattern + " in " + path)
}

// oneLine is v, if it is text, with every run of blanks and control characters as one space, cut
// to the bound with an ellipsis.
func oneLine(v any) string {
	s, ok := v.(string)
	if !ok {
		return ""
	}
	var b strings.Builder
	n, blank := 0, false
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			blank = n > 0
			continue
		}
		if n >= toolDetailRunes-2 { // room for the blank before it and for the ellipsis
			b.WriteRune('…')
			break
		}
		if blank {
			b.WriteByte(' ')
			n++
			blank = false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
