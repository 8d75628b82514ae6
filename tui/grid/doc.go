// Package grid is the board's middle: which windows are shown, in which order and where, what is
// selected, and the finished text of every row.
//
//	Snapshot ── Arrange(View) ──▶ []Section ── SetSections ──▶ Grid: lines, columns, selection
//	                                                             │ AppendLine, one memoised row per cell
//	                                                             ▼
//	                                                           frame
//
// The package is pure: it asks no clock, starts nothing and does no I/O. A Grid belongs to one
// goroutine, the one that draws.
//
// The selection is held by the key of a cell, which is a window id. It never follows a position:
// when rows move, it stays on the window; when the window goes, its nearest neighbour takes over.
//
// A row is built once and then reused until its window's revision, the width, its selection or its
// age text changes. The lamp is not part of the stored text, so that lamps can move without
// building anything.
package grid
