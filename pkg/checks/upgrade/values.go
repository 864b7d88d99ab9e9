package upgrade

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Give adds Helm values of the operator's chart to an upgrade, unless they contradict the installation: a verdict with them would be about
// another one. Values of 1.x are not compared, since their names differ.
func Give(s *snapshot.Snapshot, u *check.Upgrade, values helm.Values, compare bool) (computed bool) {
	mine, computed := operator.OfUser(values, u.From)
	r := ReleaseOf(u)
	made := operator.Choose(u.To, mine, r.Name, r.Namespace)
	if compare && u.Installation != nil && u.From.Major >= 2 {
		u.Compared = true
		u.Contradictions = contradictions(s, u, mine)
	}
	if len(u.Contradictions) > 0 {
		u.Doubted = made
		return computed
	}
	u.Chosen = made
	return computed
}

// comparison compares the values that the user set with an installation.
type comparison struct {
	values helm.Values
	made   operator.Installation // of the installed release's chart, with the values
	found  []check.Contradiction
}

// contradictions compares what values set with what is installed, as the chart of the installed release makes it. What is not set may
// have been a default of an older chart. Images are left out, which policies rewrite, and replicas, which people scale.
func contradictions(s *snapshot.Snapshot, u *check.Upgrade, v helm.Values) []check.Contradiction {
	in, r := u.Installation, ReleaseOf(u)
	c := &comparison{values: v, made: operator.Choose(u.From, v, r.Name, r.Namespace).Installation}
	for _, name := range []string{"fullnameOverride", "nameOverride"} {
		if c.plain(name) && v.Text(name) != "" && c.made.Controller.Name != in.Controller.Name {
			c.add(name, v.Text(name), in.Controller, "metadata.name", in.Controller.Name)
		}
	}
	if set, is := v.At("webhook.enable").(bool); is {
		switch seen := s.Covers(snapshot.Deployments, in.Namespace); {
		case !set && in.Webhook != nil:
			c.add("webhook.enable", "false", in.Webhook, "", "installed")
		case set && in.Webhook == nil && seen:
			c.add("webhook.enable", "true", in.Controller, "", "without a webhook")
		}
	}
	c.namespaces(in)
	c.selector(in)
	c.flag("controller.uiService.enable", in.Controller, c.made.Controller, "enable-ui-service")
	c.flag("controller.batchScheduler.enable", in.Controller, c.made.Controller, "enable-batch-scheduler")
	if c.made.Webhook != nil && in.Webhook != nil {
		c.flag("webhook.port", in.Webhook, c.made.Webhook, "webhook-port")
		c.account("webhook", in.Webhook, c.made.Webhook)
	}
	c.account("controller", in.Controller, c.made.Controller)
	return c.found
}

// plain reports whether the user set a value, and not to a template, which Helm fills in.
func (c *comparison) plain(path string) bool {
	return c.values.Has(path) && c.values.At(path) != nil && !strings.Contains(c.values.Text(path), "{{")
}

func (c *comparison) add(value, says string, d *snapshot.Deployment, field, has string) {
	c.found = append(c.found, check.Contradiction{Value: value, Says: snapshot.Redact(says), Object: d.Ref, Field: field, Has: has})
}

func (c *comparison) differs(value, says string, d *snapshot.Deployment, field, has string) {
	if says != has {
		c.add(value, says, d, field, has)
	}
}

// flag compares a flag that the chart writes, if the Deployment has it or the value is a boolean.
func (c *comparison) flag(value string, in, made *snapshot.Deployment, name string) {
	if !c.plain(value) {
		return
	}
	has, found := operator.FlagsOf(in)[name]
	says := operator.FlagsOf(made)[name]
	if _, is := c.values.At(value).(bool); is {
		if says != "true" {
			says = "false"
		}
		on, err := strconv.ParseBool(has)
		if has = strconv.FormatBool(on); found && err != nil {
			return
		}
	} else if !found {
		return
	}
	c.differs(value, says, in, "--"+name, has)
}

// namespaces compares sets: the order of a list means nothing.
func (c *comparison) namespaces(in *operator.Installation) {
	const value = "spark.jobNamespaces"
	raw, isList := c.values.At(value).([]any)
	if !isList || len(raw) != len(c.values.List(value)) || slices.ContainsFunc(c.values.List(value), isTemplate) {
		return
	}
	has, says := namespacesOf(in.Controller), namespacesOf(c.made.Controller)
	if !strings.Contains(has, "$(") { // which its environment fills in
		c.differs(value, says, in.Controller, "--namespaces", has)
	}
}

func isTemplate(text string) bool { return strings.Contains(text, "{{") }

// namespacesOf are those that a controller watches, sorted; "all" where it names none, or the empty one among others.
func namespacesOf(d *snapshot.Deployment) string {
	list := strings.Split(strings.Trim(operator.FlagsOf(d)["namespaces"], `"'`), ",")
	if slices.Contains(list, "") {
		return "all"
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(list))), ", ")
}

// selector compares what both select: the order of requirements means nothing.
func (c *comparison) selector(in *operator.Installation) {
	const value, name = "spark.jobNamespaceSelector", "namespace-selector"
	if !c.plain(value) || beforeSelectors(in) {
		return
	}
	says, wrong := labels.Parse(operator.FlagsOf(c.made.Controller)[name])
	has, bad := labels.Parse(strings.Trim(operator.FlagsOf(in.Controller)[name], `"'`))
	if wrong == nil && bad == nil {
		c.differs(value, says.String(), in.Controller, "--"+name, has.String())
	}
}

// beforeSelectors reports whether the chart does not know the selector yet (kubeflow/spark-operator#2808).
func beforeSelectors(in *operator.Installation) bool { return in.Version.Before(2, 5, 0) }

func (c *comparison) account(part string, in, made *snapshot.Deployment) {
	value := part + ".serviceAccount.name"
	if c.plain(value) && c.values.Text(value) != "" {
		c.differs(value, made.Account.Name, in, "spec.template.spec.serviceAccountName", in.Account.Name)
	}
}
