package cli

import (
	"bytes"
	"os"
	"testing"
	"time"
)

func TestWhileRead(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, end := whileRead(t.Context(), w)
	defer end()
	select {
	case <-ctx.Done():
		t.Fatal("somebody reads, and it ended")
	case <-time.After(50 * time.Millisecond): // it has asked by now; the rest of the test does not depend on it
	}
	r.Close()
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("nobody reads, and it goes on")
	}
	ctx, end = whileRead(t.Context(), &bytes.Buffer{})
	if ctx.Err() != nil {
		t.Error("what is no file has no reader to lose")
	}
	end()
	if ctx.Err() == nil {
		t.Error("it goes on after its end")
	}
}
