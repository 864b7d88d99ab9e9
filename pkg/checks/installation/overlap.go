package installation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// overlaps knows what two installations have in common.
type overlaps struct {
	coverage *facts.WebhookCoverage
	apps     map[string][]*snapshot.SparkApplication
}

// overlap is what an older installation takes, too.
type overlap struct {
	other      *operator.Installation
	everywhere bool     // both controllers take all namespaces, or cannot be told apart
	namespaces []string // that both controllers take
	mutated    []string // in which the webhooks of both see pods
}

// running returns the installations that do something, the oldest first: one that is scaled to zero is on its way out.
func (o *overlaps) running() []*operator.Installation {
	var out []*operator.Installation
	for i := range o.coverage.Installations {
		if in := &o.coverage.Installations[i]; in.ScaledUp() {
			out = append(out, in)
		}
	}
	slices.SortStableFunc(out, func(a, b *operator.Installation) int {
		return cmp.Or(a.Controller.Created.Compare(b.Controller.Created), a.Controller.Compare(b.Controller.Ref))
	})
	return out
}

func (o *overlaps) between(in, other *operator.Installation) (overlap, bool) {
	shared := overlap{other: other}
	if in.ControllerLease() == (snapshot.Key{}) || in.ControllerLease() != other.ControllerLease() {
		shared.everywhere, shared.namespaces = o.controllers(in, other)
	} // else only one of them works at a time, which is SD5005
	for _, name := range o.known() {
		if o.mutates(in, name) && o.mutates(other, name) {
			shared.mutated = append(shared.mutated, name)
		}
	}
	return shared, shared.everywhere || len(shared.namespaces)+len(shared.mutated) > 0
}

// controllers returns the namespaces that both controllers take. Where filters by label decide, only applications that
// both take prove it.
func (o *overlaps) controllers(in, other *operator.Installation) (everywhere bool, namespaces []string) {
	filtered := in.LabelFilter() != "" || other.LabelFilter() != ""
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(o.known(), in.Listed(), other.Listed())))) {
		both := o.takes(in, name) && o.takes(other, name)
		if both && filtered {
			both = slices.ContainsFunc(o.apps[name], func(app *snapshot.SparkApplication) bool {
				return in.Picks(app.Labels) && other.Picks(app.Labels)
			})
		}
		if both {
			namespaces = append(namespaces, name)
		}
	}
	return in.WatchesAll() && other.WatchesAll() && !filtered, namespaces
}

func (o *overlaps) takes(in *operator.Installation, name string) bool {
	yes, known := in.Reconciles(name, o.coverage.Namespaces[name])
	return yes && known
}

// mutates reports whether the webhook of an installation changes the pods of applications in a namespace.
func (o *overlaps) mutates(in *operator.Installation, name string) bool {
	if in.Webhook == nil || in.Webhook.Replicas == 0 {
		return false
	}
	return slices.ContainsFunc(o.coverage.RegisteredFor(in), func(one facts.PodWebhook) bool {
		return o.coverage.Sees(name, one) == facts.Sees
	})
}

// known are the namespaces that hold applications.
func (o *overlaps) known() []string { return slices.Sorted(maps.Keys(o.apps)) }

func (o *overlaps) finding(in *operator.Installation, shared []overlap) check.Finding {
	d := in.Controller
	f := check.Finding{
		About: check.Of(d), Severity: check.Warning, Certainty: facts.VersionCertainty(in),
		Field: "spec.template.spec.containers", Evidence: []check.Evidence{facts.ToldTo(in)},
	}
	oldest := in
	for _, one := range shared {
		if one.other.Recognised && oldest.Recognised && one.other.Version.Compare(oldest.Version) < 0 {
			oldest = one.other
		}
	}
	f.Then(separate(in, oldest)...)
	var texts []string
	hit := map[string]bool{}
	for _, one := range shared {
		f.Certainty = max(f.Certainty, facts.VersionCertainty(one.other))
		f.Evidence = append(f.Evidence, facts.ToldTo(one.other))
		f.Related = append(f.Related, one.other.Controller.Ref)
		texts = append(texts, one.text())
		for _, name := range slices.Concat(one.namespaces, one.mutated) {
			hit[name] = hit[name] || len(o.apps[name]) > 0
		}
	}
	applications := 0
	for _, name := range slices.Sorted(maps.Keys(hit)) {
		if n := len(o.apps[name]); n > 0 {
			applications += n
			f.Related = append(f.Related, snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: name})
			f.Severity = check.Error
		}
	}
	f.Message = fmt.Sprintf("operator %s %s; %s", in.Stated, strings.Join(texts, ", and "), thereAre(applications))
	return f
}

// separate stops the operator of the oldest release, which is more likely to be left over, or of one release the one that came second.
func separate(in, oldest *operator.Installation) []check.Command {
	var names []string
	for _, d := range oldest.Deployments() {
		names = append(names, d.Name)
	}
	stop := command.Do("stop operator %s of namespace %s, if that is the one to remove", oldest.Stated, oldest.Namespace)
	if !slices.ContainsFunc(names, func(n string) bool { return !command.ForShell(n) }) {
		stop = stop.With("kubectl -n %s scale deployment "+strings.Join(names, " ")+" --replicas 0", oldest.Namespace)
	}
	keep := command.Set(in, command.JobNamespaces(in, nil))
	keep.Text = "or give the operator of namespace " + in.Namespace + " namespaces of its own: " + keep.Text
	return []check.Command{stop, keep}
}

// text says what is shared, to go on after "operator 2.5.1".
func (v overlap) text() string {
	with := fmt.Sprintf("and so does operator %s of namespace %s", v.other.Stated, v.other.Namespace)
	var parts []string
	switch {
	case v.everywhere:
		parts = append(parts, "reconciles all namespaces, "+with)
	case len(v.namespaces) > 0:
		parts = append(parts, "reconciles namespace "+phrase.FirstOf(v.namespaces)+", "+with)
	}
	if len(v.mutated) > 0 {
		if len(parts) == 0 {
			return "mutates pods of namespace " + phrase.FirstOf(v.mutated) + ", " + with
		}
		parts = append(parts, "both mutate its pods")
		if v.everywhere || len(v.namespaces) > 1 || !slices.Equal(v.namespaces, v.mutated) {
			parts[1] = "both mutate pods of namespace " + phrase.FirstOf(v.mutated)
		}
	}
	return strings.Join(parts, "; ")
}

func thereAre(applications int) string {
	if applications == 0 {
		return "no application exists there yet"
	}
	return phrase.Counted(applications, "application") + " there"
}
