package interlock

import "testing"

func TestVimKeys(t *testing.T) {
	vim, normal, other := []byte(`{"editorMode":"vim"}`), []byte(`{"editorMode":"normal"}`), []byte(`{"model":"x"}`)
	for _, c := range []struct {
		name  string
		files [][]byte
		vim   bool
		bad   bool
	}{
		{name: "none"},
		{name: "missing files", files: [][]byte{nil, nil}},
		{name: "the user's", files: [][]byte{nil, other, vim}, vim: true},
		{name: "the stronger one decides", files: [][]byte{normal, vim}},
		{name: "broken", files: [][]byte{[]byte(`{"editorMode"`), vim}, bad: true},
	} {
		got, err := VimKeys(c.files...)
		if got != c.vim || (err != nil) != c.bad {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}
