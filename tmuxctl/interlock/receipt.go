package interlock

import (
	"strings"

	"signalbox/tracker"
)

// A long paste comes back between these, a command and a shell line between those.
var (
	pasteOpen  = lazyRegexp(`^\s*<pasted_content id="[^"]{0,64}">`)
	pasteClose = lazyRegexp(`</pasted_content id="[^"]{0,64}">\s*$`)
	commandTag = lazyRegexp(`<command-name>([^<]*)</command-name>`)
	argsTag    = lazyRegexp(`<command-args>([^<]*)</command-args>`)
	shellTag   = lazyRegexp(`<bash-input>([^<]*)</bash-input>`)
)

// minPrefix is how much of a prompt that was cut short must be known before it counts as ours.
// Hooks are cut at a few hundred characters.
const minPrefix = 24

// acknowledges reports whether a prompt is the receipt for a text sent to an agent in a session.
// Two agents may share a session id; the pid tells them apart where it is known.
func (p Prompt) acknowledges(t Text, agent tracker.AgentID, session string) bool {
	if p.ClaudePID != 0 && p.ClaudePID != agent.PID {
		return false
	}
	if p.ClaudePID == 0 && session != "" && p.SessionID != session {
		return false
	}
	want := skeleton(t.Typed)
	for _, text := range []string{unwrap(p.Text, t.Command), unescape(p.Text)} {
		got := skeleton(text)
		if p.Cut {
			got = strings.TrimSuffix(got, "…")
			if len(got) >= min(minPrefix, len(want)) && strings.HasPrefix(want, got) {
				return true
			}
		} else if got != "" && got == want {
			return true
		}
	}
	return false
}

// unescape takes back what Claude does to a text that itself looks like a wrapped paste.
func unescape(text string) string {
	return strings.NewReplacer(`<\pasted_content`, "<pasted_content", `<\/pasted_content`, "</pasted_content").Replace(text)
}

// promptHeading stands before the prompt in what Claude says of one that was blocked. A hook may ask
// for it to be left out.
const promptHeading = "Original prompt:"

// blocks reports whether a prompt that was blocked is a text sent to a session.
func (p Prompt) blocks(t Text, session string) bool {
	if session != "" && p.SessionID != session {
		return false
	}
	if !strings.Contains(p.Text, promptHeading) {
		return true // Claude does not say which; in this session, and since the paste, it is ours
	}
	said := pasteClose().ReplaceAllString(p.Text, "")
	return strings.HasSuffix(skeleton(said), skeleton(t.Typed))
}

// reason is why a prompt was blocked, in the hook's words.
func (p Prompt) reason() string {
	why, _, _ := strings.Cut(p.Text, promptHeading)
	return strings.TrimSpace(why)
}

// unwrap takes a prompt out of what Claude puts around it.
func unwrap(text string, command bool) string {
	if open := pasteOpen().FindString(text); open != "" {
		return pasteClose().ReplaceAllString(text[len(open):], "")
	}
	if !command {
		return text
	}
	if m := shellTag().FindStringSubmatch(text); m != nil {
		return "!" + m[1]
	}
	if m := commandTag().FindStringSubmatch(text); m != nil {
		name := "/" + strings.TrimPrefix(m[1], "/")
		if a := argsTag().FindStringSubmatch(text); a != nil {
			name += " " + a[1]
		}
		return name
	}
	return text
}
