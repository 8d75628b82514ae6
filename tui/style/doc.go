// Package style is how the board looks: colours by role, lamps by status, and text that is exactly
// as wide as it should be.
//
// Everything is rendered once, when a Style is built for a theme, a colour profile and a glyph set.
// A frame only appends finished strings; nothing here runs lipgloss per frame.
//
// Two rules hold the picture together. Colour means status and nothing else: names are drawn in the
// terminal's own foreground, all the rest is dim. And every lamp has a shape of its own, so that
// the board reads the same without any colour.
//
// All text from outside passes through Clean or Fit before it is drawn. Both are pure and safe for
// use from any goroutine, as is a built Style.
package style
