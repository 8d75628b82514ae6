package style

import "github.com/charmbracelet/lipgloss"

// Role is a part of the picture with a colour of its own.
type Role uint8

// Text to Faint carry no meaning but weight. The rest are the statuses and the state of the
// sources; nothing else may use them.
const (
	Text       Role = iota // the terminal's foreground
	Strong                 // the same, bold: what is selected, or asked for now
	Dim                    // all that stands beside
	Faint                  // rules and lamps that are off
	Needs                  // needs-input
	NeedsSoft              // its second step while pulsing
	Review                 // review
	ReviewSoft             // its second step while pulsing
	Busy                   // busy
	Idle                   // idle: as quiet as what stands beside, but whole where there are no colours
	Failed                 // a turn that ended in an error
	Unknown                // unknown
	Good                   // a lamp that is green
	Warn                   // a source that is stale
	Bad                    // a lamp that is red
	roles
)

// ink is one role's look in one theme, given per colour depth so that sixteen colours are chosen
// and not computed.
type ink struct {
	color     lipgloss.CompleteColor
	bold      bool
	faint     bool // sixteen colours only: "bright black" is invisible in some palettes
	hasColor  bool
	monoAttrs string // SGR attributes where there is no colour
}

func hue(trueColor, c256, c16 string) ink {
	return ink{color: lipgloss.CompleteColor{TrueColor: trueColor, ANSI256: c256, ANSI: c16}, hasColor: true}
}

func (i ink) strong() ink { i.bold = true; return i }

func (i ink) mono(attrs string) ink { i.monoAttrs = attrs; return i }

// Theme names a palette.
type Theme string

// Themes. Mono uses weight alone; it is also what NO_COLOR asks for.
const (
	Dark     Theme = "dark"
	Light    Theme = "light"
	Contrast Theme = "contrast"
	Mono     Theme = "mono"
)

// Themes lists every theme.
func Themes() []Theme { return []Theme{Dark, Light, Contrast, Mono} }

func quiet(trueColor, c256 string) ink {
	i := hue(trueColor, c256, "")
	i.faint = true
	return i.mono("2")
}

// palette returns the inks of a theme. Contrast ratios on the usual backgrounds: text that must be
// read keeps 4.5:1, lamps 3:1, rules less.
func palette(t Theme, darkBackground bool) [roles]ink {
	switch {
	case t == Contrast && darkBackground:
		return contrastDark()
	case t == Contrast:
		return contrastLight()
	case t == Light:
		return light()
	}
	return dark()
}

func dark() [roles]ink {
	return [roles]ink{
		Text:       {},
		Strong:     ink{bold: true}.mono("1"),
		Dim:        quiet("#9096a1", "246"),
		Faint:      quiet("#4b505a", "239"),
		Needs:      hue("#f5c451", "221", "11").strong().mono("1"),
		NeedsSoft:  hue("#b8933f", "178", "3").mono(""),
		Review:     hue("#c39bff", "141", "13").strong().mono("1"),
		ReviewSoft: hue("#9474c9", "98", "5").mono(""),
		Busy:       hue("#a38dd0", "140", "5").mono(""),
		Idle:       quiet("#9096a1", "246").mono(""),
		Failed:     hue("#f2777a", "210", "9").strong().mono("1"),
		Unknown:    quiet("#9096a1", "246"),
		Good:       hue("#7fb785", "108", "2").mono(""),
		Warn:       hue("#d9a25f", "179", "3").mono("1"),
		Bad:        hue("#f2777a", "210", "9").mono("1"),
	}
}

func light() [roles]ink {
	return [roles]ink{
		Text:       {},
		Strong:     ink{bold: true}.mono("1"),
		Dim:        quiet("#656b75", "242"),
		Faint:      quiet("#c3c8cf", "251"),
		Needs:      hue("#a15c00", "130", "3").strong().mono("1"),
		NeedsSoft:  hue("#b0731f", "136", "3").mono(""),
		Review:     hue("#7a2fe0", "92", "5").strong().mono("1"),
		ReviewSoft: hue("#9660d8", "134", "5").mono(""),
		Busy:       hue("#7353b0", "97", "5").mono(""),
		Idle:       quiet("#656b75", "242").mono(""),
		Failed:     hue("#c4232c", "160", "1").strong().mono("1"),
		Unknown:    quiet("#656b75", "242"),
		Good:       hue("#2c7a3f", "28", "2").mono(""),
		Warn:       hue("#a15c00", "130", "3").mono("1"),
		Bad:        hue("#c4232c", "160", "1").mono("1"),
	}
}

func contrastDark() [roles]ink {
	p := dark()
	p[Dim] = hue("#c8ccd4", "252", "7").mono("")
	p[Faint] = hue("#9096a1", "246", "7").mono("2")
	p[Needs] = hue("#ffdd33", "226", "11").strong().mono("1")
	p[NeedsSoft] = hue("#ffdd33", "226", "11").mono("")
	p[Review] = hue("#d7b3ff", "183", "13").strong().mono("1")
	p[ReviewSoft] = hue("#d7b3ff", "183", "13").mono("")
	p[Busy] = hue("#b99cf5", "147", "13").mono("")
	p[Idle] = p[Dim]
	p[Failed] = hue("#ff9191", "210", "9").strong().mono("1")
	p[Unknown] = p[Dim]
	p[Good] = hue("#8fe39a", "120", "10").mono("")
	p[Warn] = hue("#ffb454", "215", "11").strong().mono("1")
	p[Bad] = hue("#ff9191", "210", "9").strong().mono("1")
	return p
}

func contrastLight() [roles]ink {
	p := light()
	p[Dim] = hue("#3a3f47", "238", "0").mono("")
	p[Faint] = hue("#7b818a", "244", "0").mono("2")
	p[Needs] = hue("#7a4100", "94", "3").strong().mono("1")
	p[NeedsSoft] = hue("#7a4100", "94", "3").mono("")
	p[Review] = hue("#5b12b8", "55", "5").strong().mono("1")
	p[ReviewSoft] = hue("#5b12b8", "55", "5").mono("")
	p[Busy] = hue("#5a4590", "60", "5").mono("")
	p[Idle] = p[Dim]
	p[Failed] = hue("#9b1119", "124", "1").strong().mono("1")
	p[Unknown] = p[Dim]
	p[Good] = hue("#155a27", "22", "2").mono("")
	p[Warn] = hue("#7a4100", "94", "3").strong().mono("1")
	p[Bad] = hue("#9b1119", "124", "1").strong().mono("1")
	return p
}
