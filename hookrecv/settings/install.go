package settings

import (
	"slices"

	"signalbox/tracker"
)

// Create is a settings file with nothing but our hooks.
func Create(command string, events []tracker.HookName) []byte {
	st := newFileStyle()
	return []byte("{" + st.lead(1) + st.hooks(names(events), command) + st.newline + "}" + st.newline)
}

// Install returns the text of a settings file with our hook on exactly the events given, once each.
// Entries of ours that are there already stay where they are and run command from now on; those on
// other events go. What is installed already is returned unchanged. The error is a SyntaxError.
func Install(text []byte, command string, events []tracker.HookName) ([]byte, error) {
	text, err := update(text, command, events)
	if err != nil {
		return nil, err
	}
	for _, name := range names(events) {
		if text, err = add(text, name, command, names(events)); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// Uninstall returns the text of a settings file without our hooks: the bytes it had before Install
// if nothing else has changed since. The error is a SyntaxError.
func Uninstall(text []byte) ([]byte, error) {
	for {
		root, err := parse(text)
		if err != nil {
			return nil, err
		}
		ours := find(root)
		if len(ours) == 0 {
			return text, nil
		}
		// The last one first: that is the exact reverse of adding them one after the other.
		text = ours[len(ours)-1].remove(text, root)
	}
}

// update brings the entries of ours that are there in line: none on other events, one per event,
// with this command.
func update(text []byte, command string, events []tracker.HookName) ([]byte, error) {
	for {
		root, err := parse(text)
		if err != nil {
			return nil, err
		}
		ours := find(root)
		seen := make(map[string]bool)
		excess := slices.IndexFunc(ours, func(p place) bool {
			if seen[p.event] || !p.counts(root) || !slices.Contains(events, tracker.HookName(p.event)) {
				return true
			}
			seen[p.event] = true
			return false
		})
		if excess >= 0 {
			text = ours[excess].remove(text, root)
			continue
		}
		stale := slices.IndexFunc(ours, func(p place) bool { return p.command.str != command })
		if stale < 0 {
			return text, nil
		}
		c := ours[stale].command
		text = splice(text, c.start, c.end, literal(command))
	}
}

// add puts our hook on one event, unless it is there. all is used where nothing is there yet.
func add(text []byte, name, command string, all []string) ([]byte, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	st := styleOf(text, root)
	hooks := root.lookup("hooks")
	if hooks == nil {
		return addChild(text, root, st.leadIn(text, root, 1), st.hooks(all, command)), nil
	}
	if hooks.kind != '{' {
		return nil, fail(text, hooks.start, `"hooks" is not an object`)
	}
	groups := hooks.lookup(name)
	if groups == nil {
		return addChild(text, hooks, st.leadIn(text, hooks, 2), event(name, command)), nil
	}
	if groups.kind != '[' {
		return nil, fail(text, groups.start, "the hooks of "+name+" are not a list")
	}
	if slices.ContainsFunc(find(root), func(p place) bool { return p.groups == groups }) {
		return text, nil
	}
	return addChild(text, groups, st.leadIn(text, groups, 3), group(command)), nil
}

// A place is one entry of ours and the way to it.
type place struct {
	event   string
	command *node // its command, a string

	hooks, groups, entries *node // "hooks", the event's list, the matcher group's list
	atRoot, atHooks        int   // which member of the root and of hooks it is in
	atGroups, atEntries    int   // which element of groups and of entries
}

// find lists our entries in the order of the text. What has another shape than Claude Code's is
// passed over.
func find(root *node) []place {
	var found []place
	for i, top := range root.members {
		if top.name != "hooks" || top.value.kind != '{' {
			continue
		}
		for j, ev := range top.value.members {
			for k, g := range ev.value.items {
				p := place{event: ev.name, hooks: top.value, groups: ev.value, atRoot: i, atHooks: j, atGroups: k}
				found = append(found, p.in(g)...)
			}
		}
	}
	return found
}

// in lists our entries in one matcher group.
func (p place) in(g *node) []place {
	var found []place
	p.entries = g.lookup("hooks")
	if p.entries == nil {
		return nil
	}
	for i, entry := range p.entries.items {
		p.command, p.atEntries = entry.lookup("command"), i
		if p.command != nil && p.command.kind == '"' && isOurs(p.command.str) {
			found = append(found, p)
		}
	}
	return found
}

// counts reports whether Claude Code sees the entry: of two members of one name it reads the last.
func (p place) counts(root *node) bool {
	return root.lookup("hooks") == p.hooks && p.hooks.lookup(p.event) == p.groups
}

// remove takes the entry out, with every container around it that would be empty and was not there
// before us.
func (p place) remove(text []byte, root *node) []byte {
	switch {
	case p.entries.size() > 1:
		return removeChild(text, p.entries, p.atEntries)
	case p.groups.size() > 1 || !isCreated(text, p.groups):
		return removeChild(text, p.groups, p.atGroups)
	case p.hooks.size() > 1 || !isCreated(text, p.hooks):
		return removeChild(text, p.hooks, p.atHooks)
	}
	return removeChild(text, root, p.atRoot)
}

func names(events []tracker.HookName) []string {
	list := make([]string, len(events))
	for i, e := range events {
		list[i] = string(e)
	}
	return list
}
