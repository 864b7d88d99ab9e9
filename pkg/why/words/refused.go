package words

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// refusedWords are about executors that are not there.
func (t Terms) refusedWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.LimitBelowRequest:
		what := "executor.coreLimit"
		if d.LimitRange != "" {
			what = "the default limit of LimitRange " + d.LimitRange
		}
		wants, limit := phrase.Amount(d.Asks, corev1.ResourceCPU), phrase.Amount(d.Limit, corev1.ResourceCPU)
		return Phrase{Says: others(d.Others) + fmt.Sprintf("each executor asks for %s CPU and %s is %s, so the API server refuses every "+
			"executor (a request must be less than or equal to the limit)", wants, what, limit),
			Do: []command.Command{t.do("set {executor.coreLimit} to %s or more, or {executor.coreRequest} to %s or less", wants, limit)}}, true
	case mechanism.AboveLimitRange:
		return Phrase{Says: others(d.Others) + fmt.Sprintf("LimitRange %s allows a %s at most %s %s, and an executor has a limit of %s, so the "+
			"API server refuses every executor", d.LimitRange, strings.ToLower(string(d.Type)), phrase.Amount(d.Most, d.Resource), d.Resource,
			phrase.Amount(d.Asks, d.Resource)),
			Do: []command.Command{command.Do("raise LimitRange %s, or lower what executors ask for", d.LimitRange).On("describe", c.Subject)}}, true
	case mechanism.QuotaRefuses:
		return t.quotaRefuses(c, &d), true
	case mechanism.ExecutorsMissing:
		main := driver(d.Server)
		none, them := fmt.Sprintf("none of the %d executors exists", d.Asked), "them"
		if d.Asked == 1 {
			none, them = "the executor does not exist", "it"
		}
		return Phrase{Says: fmt.Sprintf("%s although the %s has been running%s; its log says whether it asked for %s",
			none, main, lasting(d.Running), them),
			Do: []command.Command{command.Do("read the log of the %s", main).With("kubectl -n %s logs %s", c.Subject.Namespace,
				c.Subject.Name)}}, true
	default:
		return Phrase{}, false
	}
}

func (t Terms) quotaRefuses(c *cause.Cause, d *mechanism.QuotaRefuses) Phrase {
	if d.Unset {
		return Phrase{Says: others(d.Others) + fmt.Sprintf("ResourceQuota %s counts %s, which executors do not set, so the API server refuses "+
			"every executor (must specify %s)", d.Quota, d.Resource, d.Resource),
			Do: []command.Command{t.do("set %s, or a LimitRange with a default for cpu", t.coreLimit())}}
	}
	if d.Volume != "" {
		return t.quotaRefusesClaims(c, d)
	}
	each, lacks := fmt.Sprintf(" (%s %s each)", phrase.Amount(d.Asks, d.Resource), d.Resource), phrase.Amount(d.Lacks, d.Resource)
	if d.Resource == corev1.ResourcePods {
		each, lacks = "", lacks+" pods"
	}
	says := others(d.Others) + fmt.Sprintf("%s%s %s %s more than ResourceQuota %s has left (%s of %s used)",
		phrase.Counted(d.Missing, "more executor"), each, phrase.Verb(d.Missing, "needs", "need"), lacks, d.Quota,
		phrase.Amount(d.Used, d.Resource), phrase.Amount(d.Hard, d.Resource))
	if !d.Holder.Holds.IsZero() {
		says += "; " + holds(&d.Holder, d.Resource)
	}
	return Phrase{Says: says, Do: []command.Command{command.Do("%s", roomForExecutors(d)).On("describe", c.Subject)}}
}

// quotaRefusesClaims is about claims that the driver makes, one for each executor.
func (t Terms) quotaRefusesClaims(c *cause.Cause, d *mechanism.QuotaRefuses) Phrase {
	left := d.Left()
	asked := phrase.Counted(d.Missing, "executor") + " " + phrase.Verb(d.Missing, "asks", "ask") + " for " + phrase.Amount(d.Asks, d.Resource)
	if d.Missing > 1 {
		asked += " each"
	}
	says := fmt.Sprintf("ResourceQuota %s refuses the volume claim of each executor (%s, OnDemand): %s, and %s of its %s %s are left", d.Quota,
		d.Volume, asked, phrase.Amount(left, d.Resource), phrase.Amount(d.Hard, d.Resource), d.Resource)
	less := ""
	const gibi = 1 << 30
	most, ofSize := left.Value()/gibi/int64(d.Missing), strings.HasSuffix(string(d.Resource), string(corev1.ResourceRequestsStorage))
	if ofSize && most > 0 {
		less += fmt.Sprintf(", set sizeLimit of volume %s to %dGi at most", d.Volume, most)
	}
	if n := fit(left, d); n > 0 {
		less += ", ask for " + phrase.Counted(n, "executor") + t.filled(" ({executor.instances})")
	}
	return Phrase{Says: says, Do: []command.Command{command.Do("raise %s of quota %s to %s or more%s, or delete claims that are no longer "+
		"used", d.Resource, d.Quota, phrase.Amount(d.Needs(), d.Resource), less).On("describe", c.Subject)}}
}

// fit is how many executors a quota has room for.
func fit(left resource.Quantity, d *mechanism.QuotaRefuses) int {
	if d.Asks.MilliValue() <= 0 || left.Sign() <= 0 {
		return 0
	}
	return int(left.MilliValue() / d.Asks.MilliValue())
}

// roomForExecutors is how executors get room in a quota: fewer of them help where one has it.
func roomForExecutors(d *mechanism.QuotaRefuses) string {
	left := d.Left()
	less := "fewer or smaller executors"
	if left.Cmp(d.Asks) < 0 && d.Others.Running == 0 {
		less = "smaller executors (" + phrase.Amount(left, d.Resource) + " left)"
	}
	what, needs := string(d.Resource), phrase.Amount(d.Needs(), d.Resource)
	free, raise := "free quota "+d.Quota, fmt.Sprintf("raise its %s to %s or more", what, needs)
	ofQuota := fmt.Sprintf("raise %s of quota %s to %s or more", what, d.Quota, needs)
	if d.Resource == corev1.ResourcePods {
		raise = "raise it to " + needs + " pods or more"
	}
	switch h := &d.Holder; {
	case h.Connect != "":
		free, raise = "delete SparkConnect "+h.Connect+" if it is no longer used", ofQuota
	case h.Application != "" && !h.BySpec:
		free, raise = "wait until application "+h.Application+" ends", ofQuota
	}
	return free + ", " + raise + ", or ask for " + less
}

// holds says what an application or a pod holds of a quota.
func holds(h *mechanism.Holder, of corev1.ResourceName) string {
	who := "application " + h.Application
	switch {
	case h.Pod != "":
		who = "pod " + h.Pod
	case h.Connect != "":
		who = "SparkConnect " + h.Connect
	case h.Spark != "":
		who = "application " + h.Spark
	}
	amount := phrase.Amount(h.Holds, of)
	if h.BySpec {
		amount = "about " + amount
	}
	return who + " holds " + amount
}

// quotaHeld is about a quota that refused a pod, for what others hold of it.
func quotaHeld(d *mechanism.QuotaHeld) Phrase {
	var all []string
	for i := range d.By {
		all = append(all, holds(&d.By[i], d.Resource))
	}
	if d.Schedule == "" {
		return Phrase{Says: strings.Join(all, ", ")}
	}
	return Phrase{Says: strings.Join(all, ", ") + ": earlier runs of schedule " + d.Schedule + ", which starts one while others are at work " +
		"(concurrencyPolicy Allow)",
		Do: []command.Command{command.Do("set spec.concurrencyPolicy of ScheduledSparkApplication %s to Forbid, so that runs do not overlap",
			d.Schedule)}}
}

// coreLimit names the field and its setting, which are one to all but an application.
func (t Terms) coreLimit() string {
	if t.Runner == fields.Application || t.Runner == fields.Scheduled {
		return t.filled("{executor.coreLimit}") + " (spark.kubernetes.executor.limit.cores)"
	}
	return t.filled("{executor.coreLimit}")
}
