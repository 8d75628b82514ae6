//go:build !linux && !darwin

package hookrecv

import "net"

// samePeer cannot tell here; the private directory is what keeps others out.
func samePeer(net.Conn) bool { return true }
