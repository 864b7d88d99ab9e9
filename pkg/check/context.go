package check

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Command is command.Command.
type Command = command.Command

// Context is what is known besides a finding when it comes to what to do next.
type Context struct {
	Asked         command.Asked
	Installations []operator.Installation
	// Elsewhere says that what was seen is not what the commands reach: files. Only what reads is then a line to copy.
	Elsewhere bool
}

// NewContext returns what a snapshot knows, and what the user asked for.
func NewContext(s *snapshot.Snapshot, asked command.Asked, elsewhere bool) *Context {
	return &Context{Asked: asked, Installations: operator.Find(s.Deployments()), Elsewhere: elsewhere}
}

// Operator returns the installation that a finding is about: the one that it names, else the one that looks after its namespace, else
// the only one; nil if that is none or several.
func (x *Context) Operator(f *Finding) *operator.Installation {
	if in := x.named(f); in != nil {
		return in
	}
	if namespace := NamespaceOf(f.Object); namespace != "" {
		if in := operator.For(x.Installations, namespace); in != nil {
			return in
		}
	}
	if len(x.Installations) == 1 {
		return &x.Installations[0]
	}
	return nil
}

// named returns the installation one of whose Deployments the finding is about or names.
func (x *Context) named(f *Finding) *operator.Installation {
	refs := append([]snapshot.Ref{f.Object}, f.Related...)
	for _, e := range f.Evidence {
		refs = append(refs, e.Object)
	}
	for _, r := range refs {
		for i := range x.Installations {
			if slices.ContainsFunc(x.Installations[i].Deployments(), func(d *snapshot.Deployment) bool { return d.Key() == r.Key() }) {
				return &x.Installations[i]
			}
		}
	}
	return nil
}

// IsWebhook reports whether an object is the Deployment of an installation's webhook and nothing else.
func IsWebhook(in *operator.Installation, o snapshot.Ref) bool {
	return in != nil && in.Webhook != nil && in.Webhook.Key() == o.Key() && (in.Controller == nil || in.Controller.Key() != o.Key())
}
