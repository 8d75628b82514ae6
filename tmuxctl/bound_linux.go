package tmuxctl

import (
	"os/exec"
	"runtime"
	"syscall"
)

// startBound starts a process that the kernel kills when ours ends, however it ends. over is closed
// when the process is gone: the kernel goes by the thread that started it, which has to stay until then.
func startBound(cmd *exec.Cmd, over <-chan struct{}) error {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			<-over
		}
	}()
	return <-started
}
