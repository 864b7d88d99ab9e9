package catalog

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
)

// Meaning returns what the signature says of a message that has these groups.
func (s *Signature) Meaning(groups map[string]string) string { return expand(s.Says, groups) }

// Steps returns what to do about a message that has these groups, with these names for fields. The fields are named first, so that a group
// that looks like a placeholder stays as it is.
func (s *Signature) Steps(names fields.Names, groups map[string]string) []command.Command {
	out := make([]command.Command, 0, len(s.Next))
	for _, next := range s.Next {
		out = append(out, command.Command{Text: expand(names.Fill(next), groups)})
	}
	return out
}
