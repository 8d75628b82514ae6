package wire

import "signalbox/tracker"

const (
	// A label has 200 characters at most; one more piece tells that something was cut.
	inputTextLimit = 2 * detailLimit
	// inputNodes bounds the values kept of one input: more than any real call has, a to-do list or
	// four questions with their options included.
	inputNodes = 256
	// inputDepth is as deep as a label may lie: input, list, item, text.
	inputDepth = 4
)

// toolQuestion is the tool whose input grows after the call: its PostToolUse has the answers added.
const toolQuestion = "AskUserQuestion"

// toolPlan is the tool that asks for the approval of a plan.
const toolPlan = "ExitPlanMode"

// A toolInput is what is kept of tool_input: the beginning of its texts, for the label, and the
// digest of all of it.
type toolInput struct {
	seen   bool
	fields map[string]any
	sum    digest // of all members
	answer digest // the part of sum that is added after the call
	nodes  int    // values kept so far
}

func (in *toolInput) read(l *lexer) error {
	*in = toolInput{seen: true}
	c, err := l.token()
	if err != nil {
		return err
	}
	if c != '{' {
		in.sum, err = l.value(1, nil, true)
		return err
	}
	l.pos++
	in.fields = make(map[string]any)
	for first := true; ; first = false {
		key, ok, err := l.member(first)
		if err != nil || !ok {
			return err
		}
		name := string(l.key)
		v, sum, err := in.keep(l, 1)
		if err != nil {
			return err
		}
		put(in.fields, name, v)
		sum = pair(key, sum)
		in.sum += sum
		if name == "answers" || name == "annotations" {
			in.answer += sum
		}
	}
}

// keep reads one value and returns the texts in it, as encoding/json would, up to the bounds; what
// is no text or lies beyond them is nil. The digest is that of value.
func (in *toolInput) keep(l *lexer, depth int) (any, digest, error) {
	c, err := l.token()
	if err != nil {
		return nil, 0, err
	}
	if in.nodes >= inputNodes || depth >= inputDepth {
		sum, err := l.value(depth, nil, true)
		return nil, sum, err
	}
	switch c {
	case '"':
		text := newCut(inputTextLimit)
		sum, err := l.value(depth, text, true)
		in.nodes++
		return text.text(inputTextLimit), sum, err
	case '{':
		l.pos++
		return in.keepObject(l, depth)
	case '[':
		l.pos++
		return in.keepArray(l, depth)
	}
	sum, err := l.value(depth, nil, true)
	return nil, sum, err
}

func (in *toolInput) keepObject(l *lexer, depth int) (any, digest, error) {
	object, sum := map[string]any{}, digest(0)
	in.nodes++
	for first := true; ; first = false {
		key, ok, err := l.member(first)
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			return object, sum.as('{'), nil
		}
		name := string(l.key)
		v, s, err := in.keep(l, depth+1)
		if err != nil {
			return nil, 0, err
		}
		put(object, name, v)
		sum += pair(key, s)
	}
}

func (in *toolInput) keepArray(l *lexer, depth int) (any, digest, error) {
	var array []any
	sum := digest(0)
	in.nodes++
	for first := true; ; first = false {
		ok, err := l.next(first, ']')
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			return array, sum.as('['), nil
		}
		v, s, err := in.keep(l, depth+1)
		if err != nil {
			return nil, 0, err
		}
		if v != nil {
			array = append(array, v)
		}
		sum = pair(sum, s)
	}
}

// put sets a member that was kept.
func put(object map[string]any, name string, v any) {
	if v != nil {
		object[name] = v
	}
}

// key is the digest of a call: the same for its PreToolUse, PermissionRequest and PostToolUse. The
// answers of an AskUserQuestion do not count: only the last of the three has them.
func (in *toolInput) key(tool string) string {
	sum := in.sum
	if tool == toolQuestion {
		sum -= in.answer
	}
	return pair(newDigest('"').bytes([]byte(tool)).done(), sum).String()
}

// detail is the call's label. Most versions of Claude Code ask for a plan's approval without the
// plan in the input.
func (in *toolInput) detail(tool string) string {
	label := tracker.ToolDetail(tool, in.fields)
	if label == "" && tool == toolPlan {
		return "plan approval"
	}
	return label
}
