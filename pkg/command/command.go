// Package command holds what to do next: imperatives, and command lines with real names that a shell takes as they are. All of it is
// values; nothing here runs anything.
package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Command is one thing to do.
type Command struct {
	Text string // imperative of a few words, lower case, without a full stop
	Line string // to copy into a shell; empty: there is none
	// Later says that it helps the next time only.
	Later bool
	// Then says that it helps only once what comes before it is done.
	Then bool
	// InManifest says that Text is about a file, and has Place or ApplyFile in it.
	InManifest bool
}

// Place and ApplyFile stand in a text for where a manifest has a field, and for how its file is applied.
const (
	Place     = "{place}"
	ApplyFile = "{apply}"
)

// Do is a command without a line.
func Do(format string, args ...any) Command { return Command{Text: fmt.Sprintf(format, args...)} }

// With returns the command with a line that has names in it. There is none if one of the names is not for a shell.
func (c Command) With(format string, names ...string) Command {
	c.Line = Line(format, names...)
	return c
}

// On returns the command with a line of kubectl about an object: the verb, TYPE and NAME, and the flags that follow.
func (c Command) On(verb string, o snapshot.Ref, flags ...string) Command {
	c.Line = ""
	if !ForShell(Type(o)) || !ForShell(o.Name) {
		return c
	}
	if o.Namespace != "" && !ForShell(o.Namespace) {
		return c
	}
	words := []string{"kubectl"}
	if o.Namespace != "" {
		words = append(words, "-n", o.Namespace)
	}
	words = append(words, verb, Type(o), o.Name)
	if verb == "logs" { // takes TYPE/NAME, and the word behind a name as one of a container (pkg/cmd/logs/logs.go of k8s.io/kubectl@v0.36.3)
		words = append(words[:len(words)-2], Type(o)+"/"+o.Name)
	}
	c.Line = strings.Join(append(words, flags...), " ")
	return c
}

// Type is the kind of an object as kubectl takes it, with the group of kinds that other groups may have as well.
func Type(o snapshot.Ref) string {
	kind := strings.ToLower(o.Kind)
	switch group := o.Group(); group {
	case "argoproj.io", "scheduling.volcano.sh", "scheduling.x-k8s.io":
		return kind + "." + group
	default:
		return kind
	}
}

// Line puts names into a command line. It is empty if one of them is not for a shell: an API server takes no such names, but in files
// is whatever somebody wrote.
func Line(format string, names ...string) string {
	args := make([]any, 0, len(names))
	for _, name := range names {
		if !ForShell(name) {
			return ""
		}
		args = append(args, name)
	}
	return fmt.Sprintf(format, args...)
}

// ForShell reports whether a name can stand in a command line as it is.
func ForShell(name string) bool {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:,/@+%="
	return name != "" && name[0] != '-' && name[0] != '=' &&
		!strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune(harmless, r) })
}

// Quoted is a word for a shell, whatever is in it.
func Quoted(word string) string {
	if ForShell(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Reads reports whether a line changes nothing in a cluster.
func Reads(line string) bool {
	for _, part := range strings.Split(strings.NewReplacer(" | ", " && ", " || ", " && ").Replace(line), " && ") {
		words := strings.Fields(part)
		if len(words) > 3 && words[1] == "-n" {
			words = append([]string{words[0]}, words[3:]...)
		}
		plain := strings.Join(words, " ") + " "
		if !slices.ContainsFunc(readers(), func(reader string) bool { return strings.HasPrefix(plain, reader+" ") }) {
			return false
		}
	}
	return true
}

// readers are the beginnings of lines that change nothing.
func readers() []string {
	return []string{
		"kubectl get", "kubectl describe", "kubectl logs", "kubectl events", "kubectl top", "kubectl auth can-i", "kubectl rollout status",
		"kubectl sparkdoctor scan", "kubectl sparkdoctor why", "kubectl sparkdoctor explain", "kubectl sparkdoctor gate",
		"helm list", "helm get", "helm show", "helm template", "helm history", "aws iam get-role", "grep", "awk", "test",
	}
}
