//go:build unix && !linux

package journal

import "errors"

func onSmallDisk(string) error { return errors.New("only Linux has mount namespaces") }
