// Package registry reads Claude Code's own word on its sessions: the files
// ~/.claude/sessions/<pid>.json, watched, and `claude agents --json`, asked now and then.
//
// # Files
//
// Claude Code (2.1.139 and newer say their status there) writes one small file per process, in
// place: it overwrites the old text and then cuts the file to its new length, so a reader can meet
// the new text with the tail of the old behind it, or an empty file. Such a file is read again
// after a moment and at its next change. The name `<digits>.json` decides what is read; whatever
// else lies in the folder, and files of another shape, are passed over in silence.
//
// # Trust
//
// A file outlives its process (kill -9), and pids are used again. Verify says whether the process
// it speaks of is the one that lives under this pid now. A file is verified when it is read, never
// from memory; the end of a process is not this package's to tell.
//
// # Who calls what
//
// Watch.Run and AgentsPoller.Run each run in one goroutine started by the caller, and hand every
// event to emit in order. emit may block, which only delays what follows; nothing is lost. Decode,
// Verify and DecodeAgents are pure. Hurry and SetAgents never block and may be called from anywhere.
// AgentsClient.Ask may be called from anywhere; only one call runs at a time.
package registry
