package config_test

import (
	"errors"
	"testing"

	"signalbox/tui/config"
)

// FuzzParse: any bytes are a configuration or an *Error with lines of the file, and what was read
// can be shown and read again.
func FuzzParse(f *testing.F) {
	acts := actions()
	f.Add("theme = \"dark\"\n[keys]\njump = [\"o\"]\n[notifications]\nfor = []")
	f.Add("keys = { jump = 'x', a.b = { c = 1 } }\n[[keys]]\n")
	f.Add("[summaries]\ncommand = ['a']\nevery = \"1m\"\n")
	f.Add("a.b.c = 1979-05-27\n\"\" = 1\n[x.\"y.z\"]\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := config.Parse([]byte(text), acts)
		if err != nil {
			var e *config.Error
			if !errors.As(err, &e) || len(e.Problems) == 0 {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if _, err := config.Parse([]byte(config.Show(c, acts)), acts); err != nil {
			t.Fatalf("%v\n%s", err, config.Show(c, acts))
		}
	})
}
