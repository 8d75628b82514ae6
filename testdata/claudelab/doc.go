// Package claudelab runs a real Claude Code in a private tmux server, offline, for tests: HOME and
// environment are built from nothing, the key is a dummy, and the model is a stand-in on loopback
// whose script is the prompt. See Model for the prompts it knows.
//
// The executable comes from the environment variable SIGNALBOX_TEST_CLAUDE; without it the tests
// skip loudly. `.ci/run` installs a pinned version and sets it.
package claudelab
