package style

import "github.com/charmbracelet/x/ansi"

// marked switches on the look of letters that were looked for. It needs no colour, and takes none from
// the text.
const marked = "\x1b[4m"

// AppendMarked appends what AppendFit does, with some letters underlined. find notes in hit, which has
// a place for each byte of the clean text, what was found of its first bytes; those behind them are
// not drawn.
func (s *Style) AppendMarked(b []byte, r Role, text string, w int, find func(text string, shown int, hit []bool)) []byte {
	if w <= 0 {
		return b
	}
	text = Clean(text)
	start := len(b)
	fit := string(AppendFit(nil, text, w, s.Signs.Ellipsis))
	shown := 0
	for shown < min(len(fit), len(text)) && fit[shown] == text[shown] {
		shown++
	}
	hit := make([]bool, len(text))
	find(text, shown, hit)
	b = append(b, s.open[r]...)
	on, any := false, false
	for i := 0; i < shown; {
		cluster, _ := ansi.FirstGraphemeCluster(fit[i:], ansi.GraphemeWidth)
		end := i + len(cluster)
		if is := end <= shown && among(hit[i:end]); is != on {
			b, on, any = s.turn(b, r, is), is, true
		}
		b = append(b, cluster...)
		i = end
		shown = max(shown, end)
	}
	if on {
		b = s.turn(b, r, false)
	}
	b = append(b, fit[shown:]...)
	if s.open[r] != "" {
		b = append(b, reset...)
	}
	if any && ansi.StringWidth(string(b[start:])) != w { // its parts join: exact is better than marked
		return s.AppendFit(b[:start], r, text, w)
	}
	return b
}

// AppendMarkedCut appends it without padding, and returns how many cells it took.
func (s *Style) AppendMarkedCut(b []byte, r Role, text string, w int, find func(text string, shown int, hit []bool)) ([]byte, int) {
	n := min(Width(Clean(text)), w)
	if n <= 0 {
		return b, 0
	}
	return s.AppendMarked(b, r, text, n, find), n
}

// turn switches the mark on or off in a text of a role.
func (s *Style) turn(b []byte, r Role, on bool) []byte {
	if on {
		return append(b, marked...)
	}
	return append(append(b, reset...), s.open[r]...)
}

func among(hit []bool) bool {
	for _, h := range hit {
		if h {
			return true
		}
	}
	return false
}
