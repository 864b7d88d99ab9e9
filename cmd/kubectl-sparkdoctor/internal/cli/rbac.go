package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/help"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/rbac"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const rbacLong = `Prints the smallest ClusterRole and Roles with which the selected checks run. --for-gate adds what gate reads,
--for-why what why reads, and --for-fix what the repairs write. --helm-release adds a Role of its own for gate --helm-release, which
reads all Secrets of the release's namespace. It creates nothing: pipe the output into kubectl apply.

The roles grant get on single Secrets in the operator's namespace. Without --discover or -f, these are the names that the chart uses
for release spark-operator in namespace spark-operator.`

const rbacExample = `  # For a CronJob that scans everything, with the names that this cluster has
  kubectl sparkdoctor rbac --discover --bind serviceaccount=monitoring:sparkdoctor | kubectl apply -f -

  # For a team that may read two namespaces only
  kubectl sparkdoctor rbac --job-namespaces team-a,team-b --bind group=team-a-oncall

  # For a pipeline that asks whether the operator can be upgraded
  kubectl sparkdoctor rbac --for-gate --discover --bind serviceaccount=ci:upgrades

  # For a team that asks why its applications fail
  kubectl sparkdoctor rbac --for-why --job-namespaces team-a --bind group=team-a

  # With what the repairs of one check need
  kubectl sparkdoctor rbac --checks SD3001 --for-fix`

// rbacOptions are what the user typed.
type rbacOptions struct {
	scanOptions
	name      string
	forFix    bool
	forGate   bool
	forWhy    bool
	release   bool
	releases  []string // namespaces of Helm releases
	discover  bool
	reviews   bool
	operators []string
	secrets   []string
	jobs      []string
	owners    []string
	bind      []string
	output    string
}

func newRBAC(streams genericiooptions.IOStreams) *cobra.Command {
	o := &rbacOptions{scanOptions: scanOptions{scanFlags: scanFlags{kube: genericclioptions.NewConfigFlags(true)}}}
	cmd := &cobra.Command{
		Use: "rbac", Short: "Print the minimal RBAC roles for scan, why, gate and fix", Long: rbacLong, Example: rbacExample,
		Args: help.NoArguments(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(); err != nil {
				return usageError(cmd, err)
			}
			return paged(streams, func(s genericiooptions.IOStreams) error { return o.run(cmd.Context(), s) })
		},
	}
	fs := cmd.Flags()
	*o.kube.Timeout, o.kube.Namespace = "1m", nil
	o.kube.AddFlags(fs)
	fs.StringSliceVar(&o.checks, "checks", nil, "for these checks only (ids or slugs)")
	fs.StringSliceVar(&o.skip, "skip-checks", nil, "not for these checks (ids or slugs)")
	fs.BoolVar(&o.probe, "probe", false, "also grant what scan --probe needs")
	fs.BoolVar(&o.logs, "logs", false, "also grant what scan --logs reads")
	fs.BoolVar(&o.forGate, "for-gate", false, "also grant what gate reads")
	fs.BoolVar(&o.release, "helm-release", false,
		"a further Role, with which gate --helm-release reads all Secrets of the release's namespace")
	fs.BoolVar(&o.forWhy, "for-why", false, "also grant what why reads: applications with their pods, events, logs, quotas and nodes")
	fs.BoolVar(&o.forFix, "for-fix", false, "also grant what fix needs to write")
	fs.BoolVar(&o.reviews, "access-reviews", false,
		"also grant SubjectAccessReviews, which ask what the operator's and the drivers' accounts may do and prove SD5006 and SD5007")
	fs.StringVar(&o.name, "name", "sparkdoctor", "name of the roles and their bindings")
	fs.StringSliceVar(&o.jobs, "job-namespaces", nil,
		"Roles in these namespaces and the operator's instead of a ClusterRole for all: checks that compare namespaces then see a part")
	fs.StringSliceVar(&o.operators, "operator-namespaces", nil, "where the operator runs (default spark-operator)")
	fs.StringSliceVar(&o.secrets, "webhook-secrets", nil,
		"names of the Secrets that hold the webhook's certificate (default spark-operator-webhook-certs)")
	fs.StringSliceVar(&o.owners, "owners", nil, "RESOURCE.GROUP of further kinds that own Spark objects, such as dags.example.com")
	fs.BoolVar(&o.discover, "discover", false,
		"read the Deployments of the cluster for the operator's namespaces and the names of its Secrets")
	fs.StringArrayVarP(&o.files, "filename", "f", nil, "read the names from manifests instead, such as the output of helm template")
	fs.StringArrayVar(&o.bind, "bind", nil, "add bindings to serviceaccount=NAMESPACE:NAME, user=NAME or group=NAME; may be repeated")
	fs.StringVarP(&o.output, "output", "o", "yaml", "yaml|json")
	return cmd
}

// complete checks what was typed.
func (o *rbacOptions) complete() error {
	if o.output != "yaml" && o.output != "json" {
		return fmt.Errorf("unknown output format %q: yaml or json", o.output)
	}
	if o.discover && len(o.files) > 0 {
		return errors.New("--discover and -f cannot be combined")
	}
	for _, ns := range slices.Concat(o.jobs, o.operators) {
		if problems := validation.IsDNS1123Label(ns); len(problems) > 0 {
			return fmt.Errorf("namespace %q: %s", ns, problems[0])
		}
	}
	for _, owner := range o.owners {
		if gr := schema.ParseGroupResource(owner); gr.Group == "" || gr.Resource == "" {
			return fmt.Errorf("--owners %q is not RESOURCE.GROUP, such as workflows.argoproj.io", owner)
		}
	}
	if _, err := o.subjects(); err != nil {
		return err
	}
	if o.forGate || len(o.checks) > 0 { // who names checks may name any
		o.catalogue = checks.Catalogue()
	}
	return o.selectChecks()
}

func (o *rbacOptions) subjects() ([]rbacv1.Subject, error) {
	var out []rbacv1.Subject
	for _, one := range o.bind {
		kind, name, _ := strings.Cut(one, "=")
		namespace, account, _ := strings.Cut(name, ":")
		switch {
		case kind == "serviceaccount" && namespace != "" && account != "":
			out = append(out, rbacv1.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: account})
		case kind == "user" && name != "":
			out = append(out, rbacv1.Subject{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: name})
		case kind == "group" && name != "":
			out = append(out, rbacv1.Subject{Kind: rbacv1.GroupKind, APIGroup: rbacv1.GroupName, Name: name})
		default:
			return nil, fmt.Errorf("--bind %q is not serviceaccount=NAMESPACE:NAME, user=NAME or group=NAME", one)
		}
	}
	return out, nil
}

func (o *rbacOptions) run(ctx context.Context, streams genericiooptions.IOStreams) error {
	within := len(o.jobs) > 0 && len(o.operators)+len(o.secrets)+len(o.files) == 0 && !o.discover
	if err := o.place(ctx, streams); err != nil {
		return err
	}
	subjects, err := o.subjects()
	if err != nil {
		return err
	}
	purpose := o.wants()
	if within {
		purpose.Repairs = slices.DeleteFunc(purpose.Repairs, rbac.BeyondJobs)
		if beyond := o.repairBeyondJobs(); o.forFix && len(beyond) > 0 {
			say(streams, "left out: the repairs of %s write outside namespace %s; --operator-namespaces %s adds them",
				strings.Join(beyond, ", "), strings.Join(unique(o.jobs), ", "), strings.Join(o.operators, ","))
		}
	}
	roles := rbac.Roles(rbac.Grants(purpose), rbac.Where{Name: o.name, Operators: o.operators, Jobs: o.jobs, Subjects: subjects,
		Releases: o.releases})
	for _, ns := range o.releases {
		name, where := report.Escape(o.name)+rbac.ReleaseRole, report.Escape(ns)
		say(streams, "warning: Role %s in namespace %s "+rbac.ReleaseWarning, name, where, where)
	}
	if o.output == "json" {
		list := &corev1.List{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "List"}}
		for _, role := range roles {
			list.Items = append(list.Items, runtime.RawExtension{Object: role})
		}
		return (&printers.JSONPrinter{}).PrintObj(list, streams.Out)
	}
	printer := printers.YAMLPrinter{}
	for _, role := range roles {
		if err := printer.PrintObj(role, streams.Out); err != nil {
			return err
		}
	}
	return nil
}

// wants are what the selected checks read and repair.
func (o *rbacOptions) wants() rbac.Purpose {
	w := rbac.Purpose{Needs: scan.Needs(o.selected, o.probe, o.logs), Secrets: o.secrets, Reviews: o.reviews}
	if o.forWhy {
		w.Needs = snapshot.Needs(w.Needs, scan.WhyNeeds(o.logs))
	}
	for _, c := range o.selected {
		if o.forFix {
			w.Repairs = append(w.Repairs, c.Repairs...)
		}
		for _, need := range c.AllNeeds() {
			if c.Absence && need.Role <= snapshot.Compared {
				w.Again = append(w.Again, need.View)
			}
		}
	}
	// Argo's are the owners that Spark objects are known to have.
	for _, owner := range append([]string{"workflows.argoproj.io"}, o.owners...) {
		w.Owners = append(w.Owners, schema.ParseGroupResource(owner))
	}
	return w
}

// repairBeyondJobs are the checks of which a repair writes more than the namespaces of jobs hold.
func (o *rbacOptions) repairBeyondJobs() []string {
	var out []string
	for _, c := range o.selected {
		if slices.ContainsFunc(c.Repairs, rbac.BeyondJobs) {
			out = append(out, c.ID)
		}
	}
	return out
}

// place finds out where the operator is, unless the flags say all of it.
func (o *rbacOptions) place(ctx context.Context, streams genericiooptions.IOStreams) error {
	if o.discover || len(o.files) > 0 {
		s, err := o.deployments(ctx, streams)
		if err != nil {
			return err
		}
		found := operator.Find(s.Deployments())
		if len(found) == 0 {
			return errors.New("no Deployment of the Spark Operator was found; " +
				"name its namespace with --operator-namespaces and its Secret with --webhook-secrets")
		}
		for _, in := range found {
			say(streams, "operator %s in namespace %s, webhook's Secret %s",
				report.Escape(in.Stated), report.Escape(in.Namespace), report.Escape(in.WebhookSecret().Name))
			o.operators = append(o.operators, in.Namespace)
			if o.release {
				o.releases = append(o.releases, scan.ReleaseNamespace(&in))
			}
			if secret := in.WebhookSecret(); secret.Name != "" {
				o.operators, o.secrets = append(o.operators, secret.Namespace), append(o.secrets, secret.Name)
			}
		}
	}
	if len(o.operators) == 0 {
		o.operators = []string{"spark-operator"}
	}
	if len(o.secrets) == 0 {
		o.secrets = []string{"spark-operator-webhook-certs"}
	}
	if o.release && len(o.releases) == 0 {
		o.releases = o.operators
	}
	o.operators = unique(o.operators)
	o.secrets = unique(o.secrets)
	o.releases = unique(o.releases)
	return nil
}

func (o *rbacOptions) deployments(ctx context.Context, streams genericiooptions.IOStreams) (*snapshot.Snapshot, error) {
	if len(o.files) > 0 {
		s, _, err := manifests.Read(ctx, manifests.Options{Paths: o.files, Stdin: streams.In, Now: time.Now()})
		return s, err
	}
	conn, err := o.connect()
	if err != nil {
		return nil, err
	}
	s, _, err := collect.Cluster(ctx, conn,
		collect.ClusterOptions{Needs: []snapshot.Need{{View: snapshot.Deployments, Scope: snapshot.Everywhere}}, Now: time.Now})
	if err != nil {
		return nil, collect.Explain(err, snapshot.Redact(conn.Host()))
	}
	if c := s.Coverage(snapshot.Deployments); c.State == snapshot.Unseeable {
		return nil, fmt.Errorf("--discover lists Deployments, and you may not list them in %s: ask an administrator to run it, or pass "+
			"--operator-namespaces and --webhook-secrets", report.Escape(snapshot.Redact(conn.Host())))
	}
	return s, nil
}

func unique(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
