// Package journal keeps what survives a restart of the board, and the public status file that
// other programs read.
//
// All files are replaced whole, by a rename within their folder: whoever reads them, and whenever
// the board is killed, finds the old content or the new one, never a part. Each is written by one
// process at a time, held by flock, which ends with its holder however that dies. The lock files
// stay behind: removing one would race with whoever opens it just then.
//
// The public status file belongs to the first board that comes; the others wait for it to end. The
// last verdicts belong to all boards together: each puts its own agents among those of the others. So
// does the inbox, which has a part for each world: boards of one tmux server share theirs.
package journal
