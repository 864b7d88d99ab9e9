package words

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
)

// Terms are what fields are called in advice. The zero value has those of a SparkApplication.
type Terms fields.Names

// about returns the terms for advice about a process.
func (t Terms) about(role cause.Role) Terms {
	t.Role = role
	return t
}

// do is advice that names fields by placeholders. Only the format may have any: values are put in afterwards, and stay as they are.
func (t Terms) do(format string, args ...any) command.Command {
	return command.Do(t.filled(format), args...)
}

// filled is a text with the names of fields.
func (t Terms) filled(text string) string { return fields.Names(t).Fill(text) }

// sizes are fields by which a pod asks for room. The container of a server asks in its template for all of it.
func (t Terms) sizes(list string) string {
	if t.Runner == fields.Connect && t.Role == cause.DriverRole {
		return "resources of the container in spec.server.template"
	}
	return t.filled(list)
}

// of is the name of a field that a detail names.
func (t Terms) of(field string) string { return fields.Names(t).Of(field) }

// Recreation is how a server takes a new spec: the operator creates its pod, and does not change one that exists (mutateServerPod in
// internal/controller/sparkconnect/reconciler.go@v2.5.2).
type Recreation struct {
	Pod     snapshot.Ref
	Changed time.Time // of the spec, since the pod was created; zero: it has the spec as it is
	Now     bool      // it is all that is to be done
}

// Recreated are words about a server, and that its pod is to be re-created.
func Recreated(p Phrase, r Recreation) Phrase {
	next := command.Do("after a change of the spec, delete the server pod: the operator creates it again, and changes none that exists").
		With("kubectl -n %s delete pod %s", r.Pod.Namespace, r.Pod.Name)
	if !r.Changed.IsZero() {
		p.Says += "; the SparkConnect was changed at " + r.Changed.UTC().Format(time.TimeOnly) +
			", after this pod was created, and the pod does not have the change"
	}
	if !r.Now && r.Changed.IsZero() {
		next.Then = true
		p.Do = append(p.Do, next)
		return p
	}
	next.Text = "delete the server pod: the operator creates it again, from the spec as it is now"
	p.Do = append([]command.Command{next}, p.Do...)
	return p
}
