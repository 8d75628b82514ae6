// Package fakeagent is a simulated Claude Code. Tests, the benchmark and `signalbox demo` run it
// where the real program would need an account and a network.
//
// It looks like Claude Code from every side the board looks at it: the screen with its cursor, the
// terminal modes, the keys it reads, ~/.claude/sessions/<pid>.json, the transcript, the hooks of
// settings.json in their order, `claude agents --json` and `claude --version`. What it draws and
// writes follows the recordings of Claude Code 2.1.332 in testdata/recordings, and the tests
// compare the two. It never does any work: a command it "runs" is not run, a file it "writes" is
// not written.
//
// # Prompts are scripts
//
//	bash CMD          asks for permission, then pretends to run CMD
//	bgbash CMD        starts a shell in the background; "sleep N" lasts N seconds, "30s CMD" 30, others 10
//	slow N [TEXT]     streams words for N seconds
//	ask               asks a question          plan     asks for approval of a plan
//	write PATH        asks to create a file    tool NAME DETAIL   a tool that needs no permission
//	fail STATUS       an API error             agent PROMPT       a subagent with that script
//	                  "bash CMD # why" and "agent [what] PROMPT" carry a description
//	say TEXT          answers TEXT             /clear /compact /model /config /exit
//	! CMD             shell mode               anything else is echoed
//
// Several lines, or parts separated by " ;; ", are done one after the other in one turn.
//
// # Ownership and order
//
// Run owns the terminal from its start to its return and restores it on every way out. One
// goroutine reads keys and draws; a turn, a subagent and a background shell are one goroutine each,
// and Run waits for all of them. All state sits behind one mutex, which is never held while a hook
// runs. Hooks of one agent start in the order Claude Code starts them; they are processes of their
// own and may be seen in another order.
package fakeagent
