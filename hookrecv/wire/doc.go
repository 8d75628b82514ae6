// Package wire knows the two JSON forms of a hook call: what Claude Code writes to a hook's
// standard input, and the trimmed message a hook client sends to a board and to the event log.
//
// # Reading
//
// Read takes a payload as a stream and never holds it: strings are cut while they are read, what
// nobody needs is skipped, and the digest that joins a PermissionRequest to its tool call is
// computed on the way. A payload of 30 MB costs the memory of a small one. It stops behind the
// first JSON value, because Claude Code has left standard input open behind it.
//
// Claude Code's payloads differ from version to version. So a field of an unexpected type is
// treated as missing, an unknown field or event name is normal, and only what is not a JSON object
// at all is an error.
//
// # Trust
//
// Every string comes from outside. They are bounded and valid UTF-8 but not cleaned: control
// characters are the business of whoever draws them.
package wire
