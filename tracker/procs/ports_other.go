//go:build !linux

package procs

import "errors"

// errNoPorts: gopsutil starts `lsof` for it here.
var errNoPorts = errors.New("listening ports cannot be read on this system")

func netSpace(int) (string, error)   { return "", errNoPorts }
func listening(int) (sockets, error) { return nil, errNoPorts }
func portsOf(int, sockets) []int     { return nil }
