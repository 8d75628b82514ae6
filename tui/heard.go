package tui

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// heard puts right what Bubble Tea makes of words that are the terminal's own and nobody's keys.
//
// A report of the focus counts there only as the last thing of a read: tmux gives a click on another pane
// the report and the click in one, and a board that misses it stays paused beside the person. And what a
// slow terminal answers to the question for its background comes after the keys have begun to be read: it
// would be taken for keys, and some of them are commands.
type heard struct {
	state hearing
	said  int // runes of the answer
	at    time.Time
}

// hearing is how far an answer has come.
type hearing uint8

const (
	hearsKeys    hearing = iota
	hearsEscape          // which may be a key, or the beginning
	hearsOpened          // ESC ]
	hearsAnswer          // ESC ] 11
	hearsClosing         // and at its end, ESC, with a \ to come
)

const (
	answerBegins = "11;"
	answerMost   = 64                     // runes; what is longer is none
	answerPause  = 500 * time.Millisecond // between its pieces
)

// How Bubble Tea names a report of the focus that it does not know.
var (
	focusGained = fmt.Sprintf("?CSI%v?", []byte("I"))
	focusLost   = fmt.Sprintf("?CSI%v?", []byte("O"))
)

// take returns the message that is meant, or nil for none.
func (h *heard) take(msg tea.Msg, now time.Time) tea.Msg {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if now.Sub(h.at) > answerPause || msg.Paste {
			h.state = hearsKeys
		}
		h.at = now
		return h.key(msg)
	case tea.MouseMsg:
	case fmt.Stringer:
		switch msg.String() {
		case focusGained:
			return tea.FocusMsg{}
		case focusLost:
			return tea.BlurMsg{}
		}
	}
	return msg
}

func (h *heard) key(msg tea.KeyMsg) tea.Msg {
	was := h.state
	h.state = hearsKeys
	runes := msg.Type == tea.KeyRunes && !msg.Paste
	switch {
	case was == hearsAnswer && (msg.Type == tea.KeyCtrlG || runes && msg.Alt && string(msg.Runes) == `\`):
		return nil
	case was == hearsAnswer && msg.Type == tea.KeyEscape:
		h.state = hearsClosing
		return nil
	case msg.Type == tea.KeyEscape:
		h.state = hearsEscape
	case runes && msg.Alt && string(msg.Runes) == "]":
		h.state, h.said = hearsOpened, 0
	case !runes || msg.Alt:
	case was == hearsClosing && msg.Runes[0] == '\\':
		return after(msg, 1)
	case was == hearsEscape && msg.Runes[0] == ']':
		h.said = 0
		if n := h.answer(msg.Runes[1:]); n > 0 {
			return after(msg, 1+n)
		}
	case was == hearsOpened || was == hearsAnswer:
		return after(msg, h.answer(msg.Runes))
	}
	return msg
}

// answer is how many of the runes are of the answer. One that begins comes with enough of its own not to
// be what a person types next.
func (h *heard) answer(runes []rune) int {
	n, before := 0, h.said
	for n < len(runes) && h.said < answerMost && h.goesOn(runes[n]) {
		n++
		h.said++
	}
	if before == 0 && n < len("11") {
		return 0
	}
	if n == len(runes) {
		h.state = hearsAnswer
	}
	return n
}

func (h *heard) goesOn(r rune) bool {
	if h.said < len(answerBegins) {
		return r == rune(answerBegins[h.said])
	}
	return strings.ContainsRune("0123456789abcdefABCDEFrg:/#?", r)
}

// after is the message without its first n runes, or nil where that is all of it.
func after(msg tea.KeyMsg, n int) tea.Msg {
	if n >= len(msg.Runes) {
		return nil
	}
	msg.Runes = msg.Runes[n:]
	return msg
}
