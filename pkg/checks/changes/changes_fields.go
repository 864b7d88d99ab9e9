package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// lostField is a field of a CRD that the CRD of the manifests does not keep: the API server prunes it from every object that it reads or
// writes (GetRESTOptions and unstructuredSchemaCoercer.apply in pkg/apiserver/customresource_handler.go of
// k8s.io/apiextensions-apiserver@v0.36.3).
type lostField struct {
	view    snapshot.View
	path    string // below spec
	users   []*snapshot.Object
	settled bool // all stored objects were compared
}

func (l *lostField) field() string { return "spec." + l.path }

// of names the field and its resource.
func (l *lostField) of() string {
	resource, _, _ := strings.Cut(string(l.view), ".")
	return l.field() + " of " + resource
}

// lostFields are the outermost ones, with the objects that use them.
func lostFields(s *snapshot.Snapshot, u *check.Upgrade) []lostField {
	var out []lostField
	next := u.Target.OperatorCRDs()
	for _, c := range s.OperatorCRDs() {
		i := slices.IndexFunc(next, func(n snapshot.CRD) bool { return n.Name == c.Name })
		if i < 0 || c.Stored() == nil || next[i].Stored() == nil || len(next[i].Stored().Fields) == 0 || next[i].PreservesUnknown {
			continue
		}
		view := snapshot.View(c.Name)
		settled := s.Compared[view] != nil && s.CoversAll(view)
		for _, field := range c.Stored().Fields {
			if !next[i].Stored().Keeps(field) && !lostAbove(next[i].Stored(), c.Stored(), field) {
				out = append(out, lostField{view: view, path: field, users: usersOf(s, view, field), settled: settled})
			}
		}
	}
	return out
}

// lostAbove reports whether a field is lost together with one that it is within.
func lostAbove(next, now *snapshot.CRDVersion, field string) bool {
	for i := range field {
		if field[i] == '.' && now.Has(field[:i]) && !next.Keeps(field[:i]) {
			return true
		}
	}
	return false
}

// usersOf are the objects of a view that set a field.
func usersOf(s *snapshot.Snapshot, view snapshot.View, field string) []*snapshot.Object {
	var out []*snapshot.Object
	add := func(o *snapshot.Object) {
		if slices.Contains(o.Unkept(), field) {
			out = append(out, o)
		}
	}
	switch view {
	case snapshot.SparkApplications:
		for _, app := range s.SparkApplications() {
			add(&app.Object)
		}
	case snapshot.ScheduledSparkApplications:
		for i := range s.ScheduledSparkApplications() {
			add(&s.ScheduledSparkApplications()[i].Object)
		}
	case snapshot.SparkConnects:
		for i := range s.SparkConnects() {
			add(&s.SparkConnects()[i].Object)
		}
	}
	return out
}

// fieldFindings are one warning for each resource whose objects use fields that are lost, and one info for the others.
func fieldFindings(s *snapshot.Snapshot, u *check.Upgrade, whole upgradedPart) []check.Finding {
	lost := lostFields(s, u)
	var out []check.Finding
	for _, view := range []snapshot.View{snapshot.SparkApplications, snapshot.ScheduledSparkApplications, snapshot.SparkConnects} {
		inUse := slices.DeleteFunc(slices.Clone(lost), func(l lostField) bool { return l.view != view || len(l.users) == 0 })
		if len(inUse) > 0 {
			out = append(out, pruned(u, whole, inUse))
		}
	}
	lost = slices.DeleteFunc(lost, func(l lostField) bool { return len(l.users) > 0 })
	var list []change
	var unread []lostField
	for _, l := range lost {
		now := "in the schema, and no stored object sets it"
		if !l.settled {
			now, unread = "in the schema", append(unread, l)
		}
		list = append(list, change{goes, l.of(), now, ""})
	}
	for _, f := range whole.differs(u, "fields", list) {
		if slices.ContainsFunc(unread, func(l lostField) bool { return s.Compared[l.view] == nil }) {
			f.Message += "; stored objects were not compared"
		}
		f.Next = append(f.Next, listUsers(unread)...)
		out = append(out, f)
	}
	return out
}

// pruned is about fields of one resource that stored objects set.
func pruned(u *check.Upgrade, whole upgradedPart, fields []lostField) check.Finding {
	first := fields[0].users[0]
	f := check.Finding{
		About: check.About{Object: upgrade.ReleaseRef(u), Seen: &whole.now.Object}, Severity: check.Warning,
		Identity: check.Identity{Kind: "pruned", What: first.Kind + " pruned"},
		Field:    fields[0].field(),
	}
	var names []string
	for _, l := range fields {
		names = append(names, l.field())
		for i, o := range l.users {
			if i < facts.ShownApps {
				f.Saw(o.Ref, l.field(), "set")
			}
			if !slices.Contains(f.Related, o.Ref) {
				f.Related = append(f.Related, o.Ref)
			}
		}
	}
	f.Message = fmt.Sprintf("the CRD in the manifests of %s has no %s: the API server will hide and then drop what %s there, such as %s/%s",
		u.To, facts.SomeOf(names, facts.MaxNamed, "field"), phrase.Counted(len(f.Related), first.Kind)+
			phrase.Verb(len(f.Related), " sets", " set"), first.Namespace, first.Name)
	f.Next = []check.Step{{When: check.Before, Do: "install CRDs that have " + facts.SomeOf(names, facts.MaxNamed, "field") +
		", or change the objects so that they do without"}}
	return f
}

// listUsers prints commands that list the objects with a lost field, where they were not compared: an archive holds no whole objects, and
// a listing may be incomplete. Items of lists and values of maps have no such command.
func listUsers(fields []lostField) []check.Step {
	var out []check.Step
	for _, l := range fields {
		if strings.ContainsAny(l.path, "*[") || !command.ForShell(l.field()) || !command.ForShell(string(l.view)) || len(out) == maxChanges {
			continue
		}
		out = append(out, check.Step{
			When: check.Before, Do: "list the objects that use " + l.field() + ", which the API server will drop from them",
			Command: fmt.Sprintf(`kubectl get %s -A -o jsonpath='{range .items[?(@.%s)]}{.metadata.namespace}/{.metadata.name}{"\n"}{end}'`,
				l.view, l.field()),
		})
	}
	return out
}
