// Package tmuxtest runs a private tmux server for tests, as net/http/httptest runs a private web
// server.
//
// Every Server has a directory, a socket and an environment of its own. Nothing is inherited but
// the search path: not HOME, not TMUX, not the user's tmux configuration or server. Its panes run
// a plain bash with the prompt "$ " on a screen of Width by Height cells.
//
// A test that needs tmux is skipped, loudly, where tmux is missing, and fails instead where the
// environment says CI=true. Which tmux is tested is a matter of PATH.
//
// Cleanup ends the one server it started, by its own socket, and waits until its process is gone.
// All methods fail the test on an error unless they say otherwise; call them from the test's
// goroutine only.
package tmuxtest
