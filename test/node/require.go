package node

import (
	"os"
	"testing"
)

// Require skips a test that needs a node unless SPARKDOCTOR_NODE is set, which make test-node does, and where no node can run.
func Require(t testing.TB) {
	t.Helper()
	if os.Getenv("SPARKDOCTOR_NODE") == "" {
		t.Skip("a real node is needed: make test-node runs this")
	}
	if err := Supported(); err != nil {
		t.Skip(err.Error())
	}
}
