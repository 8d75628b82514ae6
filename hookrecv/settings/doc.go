// Package settings puts our hooks into Claude Code's settings.json and takes them out again.
//
// The file belongs to somebody else, so it is edited as text: order, formatting, unknown keys and
// numbers stay byte for byte what they are, and taking the hooks out gives back the file as it was
// before, without a memory of it. That works because what we insert says by its form what was
// there: it goes right behind the element before it, and
//
//   - a list or object of ours begins with white space: "Stop": [ {…} ]. It goes with its content;
//   - one that was there and empty gets its first element right behind the bracket: [{…} ].
//     It stays.
//
// A program that reformats the file destroys these signs; then a container we cannot tell from one
// of ours goes when it is empty.
//
// Our entry is recognised by what it runs: a program called signalbox with the argument hook. One
// with an older path or form is brought up to date rather than doubled.
//
// Everything is decided on the bytes by pure functions (Install, Uninstall); a Change is the same
// for a file, to be shown first and applied later.
package settings
