package casefile

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Text says what could not be looked at, and how to have it next time.
func (u Unseen) Text() string {
	text := u.What
	switch {
	case u.Reason == snapshot.Forbidden:
		text = "you may not read " + u.What
	case u.Reason != "":
		text += ": " + u.Reason
	}
	if u.NextTime != "" && u.Command == "" { // which is said once for all
		text += "; next time: " + u.NextTime
	}
	return text
}

// Unlisted says of a kind that it could not be listed.
func (u Unseen) Unlisted() string {
	if u.Reason == snapshot.Forbidden {
		return "you may not list " + u.What
	}
	return "could not list " + u.Text()
}

// Granting are the commands by which an administrator lets it be read, each once.
func Granting(list []Unseen) []string {
	var out []string
	for _, u := range list {
		if u.Command != "" && !slices.Contains(out, u.Command) {
			out = append(out, u.Command)
		}
	}
	return out
}
