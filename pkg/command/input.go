package command

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Input is what the user typed about files, for commands about the same ones. Its zero value is a cluster.
type Input struct {
	Files, Exclude      []string // of -f and --exclude
	Recursive, Complete bool
	AsOf                string
	Archive             bool // the file is one of snapshot: nothing can be planned from it
}

// unnamed stands for a file whose name holds a secret.
const unnamed = "FILE"

// of is a command of the program about the files, without the words before it: one that reads a cluster or none is as it was. A fix of
// files only plans.
func (i Input) of(own string) string {
	if len(i.Files) == 0 || !i.takes(own) {
		return own
	}
	var b strings.Builder
	b.WriteString(own)
	if strings.HasPrefix(own, "fix ") {
		b.WriteString(" --dry-run")
	}
	for _, file := range i.Files {
		switch {
		case snapshot.Redact(file) != file:
			file = unnamed
		case file != "-":
			file = Quoted(file)
		}
		b.WriteString(" -f " + file)
	}
	if i.Recursive {
		b.WriteString(" -R")
	}
	for _, pattern := range i.Exclude {
		b.WriteString(" --exclude " + Quoted(pattern))
	}
	if i.Complete {
		b.WriteString(" --complete")
	}
	if i.AsOf != "" {
		b.WriteString(" --as-of " + Quoted(i.AsOf))
	}
	return b.String()
}

// takes reports whether a command reads files, and is not asked for what only a cluster can answer.
func (i Input) takes(own string) bool {
	words := strings.Fields(own)
	reads := len(words) > 0 && slices.Contains([]string{"scan", "why", "explain", "fix", "gate"}, words[0])
	return reads && !slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains([]string{"-f", "--probe", "--logs", "--helm-release", "--plan", "--wait"}, word)
	})
}

// Plans reports whether a line is a repair by this program that can be planned from the files.
func (i Input) Plans(line string) bool {
	own, is := strings.CutPrefix(line, "kubectl sparkdoctor fix ")
	return is && len(i.Files) > 0 && !i.Archive && i.takes("fix "+own)
}
