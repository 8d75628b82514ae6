//go:build !linux && !darwin

package client

// ancestors is the parent alone where the system has no cheap way to ask for more.
func ancestors(pid int) []int { return []int{pid} }
