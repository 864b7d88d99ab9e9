package main

import (
	"os"
	"testing"
)

// TestTable fails when the table in pkg/redact is not that of the version in go.mod.
func TestTable(t *testing.T) {
	want, err := table()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../pkg/redact/gitleaks.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Fatal("pkg/redact/gitleaks.go is not what gitleaks has now: make generate")
	}
}
