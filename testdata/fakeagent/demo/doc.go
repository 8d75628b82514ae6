// Package demo builds the world of `signalbox demo`: a private home folder, a private tmux server
// with sessions of simulated agents and plain programs, and a script that takes them through every
// status within the first minute and then goes on calmly.
//
// Nothing of the user's is read or changed: the home folder, Claude's folder, the tmux socket and
// every process live in one temporary directory, which is gone at the end. The end comes by Close,
// or by itself when the process that made the world dies however it dies: everything in the world
// holds a connection to it, and a guard process outside of tmux ends the server and removes the
// directory when that connection closes.
//
// The package runs no tmux. It asks for it through the Tmux interface, whose implementation belongs
// to package tmuxctl.
package demo
