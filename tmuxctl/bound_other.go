//go:build !linux

package tmuxctl

import "os/exec"

// startBound starts a process. Here no kernel ties it to ours; see keepReadable.
func startBound(cmd *exec.Cmd, _ <-chan struct{}) error { return cmd.Start() }
