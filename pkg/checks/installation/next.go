package installation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// notWatchedNext: a namespace is watched by its name or, since 2.5.0, by its labels.
func notWatchedNext(f *check.Finding, x *check.Context) []check.Command {
	if len(x.Installations) != 1 {
		return []check.Command{command.Do("add %s to spark.jobNamespaces in the values of the operator that should run them", f.Object.Name)}
	}
	in := &x.Installations[0]
	if selector := in.NamespaceSelector(); selector != "" && len(in.Listed()) == 0 {
		return []check.Command{command.Do("label the namespace as --namespace-selector asks").
			With("kubectl label namespace %s %s", f.Object.Name, selector)}
	}
	if app, seen := f.First("SparkApplication"); seen && in.LabelFilter() != "" && in.WatchesAll() {
		return []check.Command{command.Do("label the applications so that the operator's filter matches: %s", in.LabelFilter()).
			With("kubectl -n %s label sparkapplication %s %s", app.Namespace, app.Name, in.LabelFilter())}
	}
	if in.Legacy() && command.InstallerOf(in).Chart == "" {
		return []check.Command{command.Do("leave out -namespace, which accepts one namespace: without it, the operator watches all").
			On("edit", in.Controller.Ref)}
	}
	list := slices.Clone(in.Listed())
	if !slices.Contains(list, f.Object.Name) {
		list = append(list, f.Object.Name)
	}
	return []check.Command{command.Set(in, command.JobNamespaces(in, list))}
}

func olderCRDNext(f *check.Finding, x *check.Context) []check.Command {
	out := []check.Command{command.CRDs(x.Operator(f), "apply the CRDs of the installed release, which Helm never changes")}
	if app, lost := f.First("SparkApplication"); lost {
		out = append(out, command.Do("then apply again %s", lostText(app, f.Related)))
	}
	return out
}

// lostText names one application, or says that there are others, whose fields were dropped.
func lostText(app snapshot.Ref, all []snapshot.Ref) string {
	for _, r := range all {
		if r.Kind == app.Kind && r != app {
			return "the applications whose fields were dropped, such as " + app.Name
		}
	}
	return "application " + app.Name + ", whose fields were dropped"
}

func undecodableNext(f *check.Finding, x *check.Context) []check.Command {
	text := "correct the value"
	if f.Field != "" {
		text = "correct " + f.Field
	}
	if len(f.Objects) > 1 {
		text += " in each of them"
	}
	out := []check.Command{command.Do("%s, or delete the object", text).On("edit", f.Object)}
	if in := x.Operator(f); in != nil && in.Down() {
		out = append(out, command.Restart("then restart the controller, which waits longer after each failure", in.Controller.Ref))
	}
	return out
}

// twoOperatorsNext: of two releases the older one is more likely to be left over, of one release the one that came second.
func twoOperatorsNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	if in == nil {
		return []check.Command{command.Set(in, command.JobNamespaces(in, nil))}
	}
	out := in
	for i := range x.Installations {
		other := &x.Installations[i]
		if other.Controller != nil && f.Names(other.Controller.Ref) && other.Recognised && out.Recognised &&
			other.Version.Compare(out.Version) < 0 {
			out = other
		}
	}
	var names []string
	for _, d := range out.Deployments() {
		names = append(names, d.Name)
	}
	stop := command.Do("stop operator %s of namespace %s, if that is the one to remove", out.Stated, out.Namespace)
	if !slices.ContainsFunc(names, func(n string) bool { return !command.ForShell(n) }) {
		stop = stop.With("kubectl -n %s scale deployment "+strings.Join(names, " ")+" --replicas 0", out.Namespace)
	}
	keep := command.Set(in, command.JobNamespaces(in, nil))
	keep.Text = "or give the operator of namespace " + in.Namespace + " namespaces of its own: " + keep.Text
	return []check.Command{stop, keep}
}

// leaderNext: the values of leader election came with 2.2.0 (charts/spark-operator-chart/values.yaml@v2.2.0); charts of 1.x pass
// -leader-election for more than one replica (templates/deployment.yaml@spark-operator-chart-1.4.6).
func leaderNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	lock := command.Value{Path: "leaderElection.lockName", Flag: "leader-election-lock-name"}
	switch {
	case f.Kind == "off":
		one := command.Do("run one replica until leader election is on").On("scale", f.Object, "--replicas 1")
		if in == nil || in.Legacy() || in.Recognised && in.Version.Compare(operator.Version{Major: 2, Minor: 2}) < 0 {
			return []check.Command{one, command.Do("start it with --leader-election=true, as the chart does")}
		}
		return []check.Command{one, command.Set(in, command.Value{Path: "controller.leaderElection.enable", To: "true", Flag: "leader-election"})}
	case f.Kind == "shared" && in != nil && in.Legacy():
		return []check.Command{command.Set(in, lock)}
	case f.Kind == "shared":
		return []check.Command{command.Do("give %s a lease of its own: --leader-election-lock-name", f.Object.Name).On("edit", f.Object)}
	}
	out := []check.Command{command.Do("read what its replicas log about the lease").
		With("kubectl -n %s logs deployment/%s --all-pods --since 1h", f.Object.Namespace, f.Object.Name)}
	return append(out, command.Restart("restart them: the new ones compete for the lease", f.Object))
}

// lacksPermissionNext: the chart grants what its release needs, but for a feature that it forgot.
func lacksPermissionNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	grants := grantsOf(f, f.Object.Name)
	again := command.Again(in, "the chart's roles and bindings")
	switch {
	case len(grants) == 0 || len(grants) > mostGrants:
		return []check.Command{again}
	case f.What == "":
		grants[0].Text = "or " + grants[0].Text
		return append([]check.Command{again}, grants...)
	default:
		return grants
	}
}

// mostGrants bounds the commands that make roles: more are for a manifest.
const mostGrants = 4

// grantsOf make a role and a binding for what an account lacks, one for each resource and place.
func grantsOf(f *check.Finding, name string) []check.Command {
	var rules []command.Rule
	for _, r := range f.Reviews {
		resource := r.Request.Resource
		if r.Request.Group != "" {
			resource += "." + r.Request.Group
		}
		if r.Request.Subresource != "" {
			resource += "/" + r.Request.Subresource
		}
		i := slices.IndexFunc(rules, func(o command.Rule) bool {
			return o.Namespace == r.Request.Namespace && o.Resource == resource && o.Name == r.Request.Name
		})
		if i < 0 {
			rules, i = append(rules, command.Rule{Namespace: r.Request.Namespace, Resource: resource, Name: r.Request.Name}), len(rules)
		}
		if !slices.Contains(rules[i].Verbs, r.Request.Verb) {
			rules[i].Verbs = append(rules[i].Verbs, r.Request.Verb)
		}
	}
	var out []check.Command
	for i, r := range rules {
		plain, _, _ := strings.Cut(r.Resource, ".")
		role := fmt.Sprintf("%s-%s", name, plain)
		if i > 0 && rules[i-1].Resource == r.Resource && rules[i-1].Namespace == r.Namespace {
			role += fmt.Sprintf("-%d", i+1) // the one before is for one object
		}
		account := f.Reviews[0].Account
		out = append(out, command.Grant("let service account "+account.Name+" "+strings.Join(r.Verbs, ", ")+" "+r.Resource, role, account, r)...)
	}
	return out
}

// driverAccountNext: one role holds all that is missing. The chart makes an account for drivers in each job namespace, under a name of its
// own (charts/spark-operator-chart/templates/spark/serviceaccount.yaml@v2.5.2).
func driverAccountNext(f *check.Finding, _ *check.Context) []check.Command {
	account, role := snapshot.Account{Namespace: f.Object.Namespace, Name: f.Object.Name}, f.Object.Name+"-runs-executors"
	if f.Kind == "missing" {
		made := command.Do("create the account").With("kubectl -n %s create serviceaccount %s", account.Namespace, account.Name)
		return append([]check.Command{made}, command.Grant("let it run executors", role, account, command.Rule{
			Namespace: account.Namespace, Resource: "pods,services,configmaps,persistentvolumeclaims",
			Verbs: []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
		})...)
	}
	var verbs, resources []string
	for _, r := range f.Reviews {
		if !slices.Contains(verbs, r.Request.Verb) {
			verbs = append(verbs, r.Request.Verb)
		}
		if !slices.Contains(resources, r.Request.Resource) {
			resources = append(resources, r.Request.Resource)
		}
	}
	grants := command.Grant("grant the missing permissions", role, account, command.Rule{
		Namespace: account.Namespace, Resource: strings.Join(resources, ","), Verbs: verbs,
	})
	if account.Name == snapshot.DefaultAccount {
		field := "spec.driver.serviceAccount"
		if !slices.ContainsFunc(f.Related, func(o snapshot.Ref) bool { return o.Kind == "SparkApplication" }) {
			field = spark.ServerAccountField
		}
		grants[0].Text = "name an account in " + field + " that may run executors, or let this one"
	}
	return grants
}

func defectNext(f *check.Finding, x *check.Context) []check.Command {
	var out []check.Command
	if !f.FixedIn.IsZero() {
		up := command.Upgrade(x.Operator(f), f.FixedIn, "")
		if named, _, _ := strings.Cut(f.Evidence[1].Value, " ("); strings.HasPrefix(named, "chart ") {
			up.Text = "upgrade to " + named + " or newer"
		}
		out = append(out, up)
	}
	i := slices.IndexFunc(f.Evidence, func(e check.Evidence) bool {
		return e.Field != "version" && e.Field != "fixed in" && !strings.HasPrefix(e.Field, "status.")
	})
	switch {
	case i < 0:
	case f.Evidence[i].Object.Kind == "Deployment":
		out = append(out, command.Do("or change %s of %s, which triggers it", f.Evidence[i].Field, f.Evidence[i].Object.Name))
	case f.Evidence[i].Value == "not set":
		out = append(out, command.Do("or set %s: it only shows without it", f.Evidence[i].Field))
	default:
		out = append(out, command.Do("or stop using %s, which triggers it", f.Evidence[i].Field))
	}
	if len(out) > 0 && f.FixedIn.IsZero() {
		out[0].Text = strings.TrimPrefix(out[0].Text, "or ")
	}
	if len(out) == 0 {
		return []check.Command{command.Do("read what is known of the defect").With("kubectl sparkdoctor explain %s", f.Check)}
	}
	return out
}

func schedulerNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	gap, name, _ := strings.Cut(f.What, " ")
	without := command.Do("or remove spec.batchScheduler from the applications")
	builtIn := name == operator.Volcano || name == operator.YuniKorn
	switch {
	case gap == "off" && builtIn:
		return []check.Command{command.Set(in, command.BatchScheduler(in)...), without}
	case gap == "off":
		return []check.Command{command.Set(in, command.BatchScheduler(in, name)...), without}
	case gap == "unknown" && in != nil:
		names := append(slices.Clone(in.BatchSchedulers().Names), name)
		return []check.Command{command.Set(in, command.BatchScheduler(in, names...)[1:]...), without}
	default:
		return []check.Command{command.Do("install scheduler %s with its CRDs", name), without}
	}
}

func connectNext(f *check.Finding, x *check.Context) []check.Command {
	return []check.Command{command.CRDs(x.Operator(f), "apply the CRDs of the installed release, including that of SparkConnect")}
}
