// Package demo is what kubectl sparkdoctor demo shows: questions, the command that answers each, and the files that they read.
package demo

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/examples"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// Step is one question and the command that answers it.
type Step struct {
	Question string
	Args     []string // the first is the name of the command
}

// Steps are those of the demo, on its files in a directory.
func Steps(dir string) []Step {
	files := []string{"-f", dir, "--as-of", examples.DemoTime} // a directory begins with no dash
	with := func(args ...string) []string { return append(args, files...) }
	return []Step{
		{"What is wrong in the cluster? (Without -o summary: with evidence)", with("scan", "-o", "summary")},
		{"Why did payments/etl fail?", with("why", "etl", "-n", "payments")},
		{"What would fix change? A dry run of one repair:", with("fix", "SD3001", "--dry-run")},
	}
}

// Line is the command as a user types it.
func (s Step) Line() string {
	words := []string{"kubectl", "sparkdoctor"}
	for _, arg := range s.Args {
		if !strings.HasPrefix(arg, "-") {
			arg = command.Quoted(arg)
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}
