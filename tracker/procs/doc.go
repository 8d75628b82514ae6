// Package procs reads the process table: which processes live in which pane, who is stopped, who
// is in front of a terminal, who listens on a port, and the moment an agent ends.
//
// # Where the facts come from
//
// gopsutil lists processes and reads command lines and executables. The rest of a process (start
// time in clock ticks, process group, terminal and its foreground group, state) is read from
// /proc/<pid>/stat on Linux and from sysctl on macOS, because gopsutil lacks it or starts `ps` for
// it. Nothing in this package ever starts a process.
//
// # Who calls what
//
// Read, ReadAgent, Chain, Executable, Inspect and StdinIsTTYChild are fresh reads, safe from any
// goroutine, and block for microseconds to a few milliseconds. A Table belongs to one goroutine. Poller and
// Watcher each run in one goroutine started by the caller, and hand every event to emit in order;
// emit may block, which only delays the next look. Their SetTargets and Hurry never block and may
// be called from anywhere, before Run as well: the latest call wins.
//
// # Truth
//
// An identity is a pid with its start time. Every answer about an identity was checked against the
// start time after the process was pinned (Watcher) or read in the same line (all others). The At
// of a sweep is the moment it began: a process that started during the sweep may be missing in it.
package procs
