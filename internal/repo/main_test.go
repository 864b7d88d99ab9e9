package repo_test

import (
	"os"
	"testing"
)

// TestMain leaves the package's folder for the root of the tree: the rules name files as the tree does.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	m.Run()
}
