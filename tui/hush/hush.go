// Package hush keeps libraries from talking to the terminal before main does.
//
// Bubble Tea asks the terminal for its background as soon as it is linked into a program, whatever the
// program is run for. It throws away what was typed before the answer came, and waits five seconds where
// none comes. Nothing that is called later can take that back, but it leaves alone a terminal that is said
// to be dumb.
//
// So TERM says that until main begins. Packages are initialized in the order of their import paths, each as
// soon as all that it imports is (the language has it so since Go 1.21). This one imports hardly anything:
// it comes before whatever has to be able to print. A test of the built program holds it to that.
package hush

import "syscall"

const name = "TERM"

// term is the value that was there. It is found out here, not in a function that is called, for the reason
// above.
var term, known = hush()

func hush() (string, bool) {
	term, known := syscall.Getenv(name)
	_ = syscall.Setenv(name, "dumb")
	return term, known
}

// Over gives TERM back, or takes it away where there was none. It is the first thing to do in main.
func Over() {
	if known {
		_ = syscall.Setenv(name, term)
	} else {
		_ = syscall.Unsetenv(name)
	}
}
