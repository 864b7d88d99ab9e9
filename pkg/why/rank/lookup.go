package rank

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Shown is what Beside shows as it is said.
type Shown struct {
	Limit    string // memory limit of the pods that it is about
	Survived string // the last error that the driver's log survived
}

// Beside adds to the verdict what a reader looks up next: how the driver ended, and the fields of the spec and settings of
// Spark that the answer is about.
func Beside(v *mechanism.View, all []Answer, shown Shown) {
	verdict := &all[0]
	l := &lookup{v: v, verdict: verdict, others: all[1:], role: verdict.RoleOf(), shown: shown, proofs: slices.Clone(verdict.Evidence)}
	for _, look := range []func(*lookup){
		(*lookup).ending, (*lookup).spec, (*lookup).policies, (*lookup).saidByOthers, (*lookup).memory, (*lookup).pod, (*lookup).counts,
		(*lookup).schedule, (*lookup).quotas, (*lookup).settings, (*lookup).progress,
	} {
		look(l)
	}
	slices.SortStableFunc(l.proofs[len(verdict.Evidence):], func(a, b cause.Proof) int { return strings.Compare(a.Field, b.Field) })
	verdict.Evidence = l.proofs
}

// lookup collects what a reader looks up beside a verdict.
type lookup struct {
	v       *mechanism.View
	verdict *Answer
	others  []Answer
	role    cause.Role // whose pods the verdict is about
	shown   Shown
	proofs  []cause.Proof
}

// add adds a value that is set and was not shown.
func (l *lookup) add(object snapshot.Ref, field, value string) {
	same := func(p cause.Proof) bool { return p.Object.Name == object.Name && p.Field == field && p.Value == value }
	if value != "" && !slices.ContainsFunc(l.proofs, same) {
		l.proofs = append(l.proofs, cause.Proof{Object: object, Field: field, Value: value, Beside: true})
	}
}

// ending is how the driver ended, where its log says why.
func (l *lookup) ending() {
	if !ByLog(l.verdict) {
		return
	}
	for i := range l.others {
		if c := &l.others[i]; HowItEnded(&c.Cause) {
			for _, p := range c.Evidence {
				l.add(p.Object, p.Field, p.Value)
			}
		}
	}
}

func (l *lookup) spec() {
	for _, f := range slices.Concat(fieldsFor(l.verdict, l.role), commonFields(&l.verdict.Cause, l.role)) {
		path := f.path(l.v.IsConnect())
		l.add(l.v.AppRef(), "spec."+path, l.v.Spec.Shown[path])
	}
}

// memory is the limit of the pods. That of a server of Spark Connect stands in its template.
func (l *lookup) memory() {
	ofTemplate := l.v.IsConnect() && l.role == cause.DriverRole
	setTooLow := l.verdict.Class == cause.Configuration && l.verdict.Topics.Has(cause.Memory)
	ofMemory := l.verdict.Class == cause.ClusterKilled || setTooLow
	if ofMemory && !ofTemplate {
		l.add(l.v.AppRef(), "memory limit of the "+string(l.role)+", computed", l.shown.Limit)
	}
}

// counts are those of attempts and executors, and how long an application of which nothing is left is kept.
func (l *lookup) counts() {
	if n := l.v.Attempts; n > 1 {
		l.add(l.v.AppRef(), "status.executionAttempts", strconv.Itoa(n))
	}
	if l.role == cause.ExecutorRole || !l.verdict.Class.Fault() {
		l.add(l.v.AppRef(), l.v.ExecutorsField(), states(l.v))
	}
	if l.verdict.Class == cause.Unknown {
		l.add(l.v.AppRef(), "spec.timeToLiveSeconds", l.v.Spec.Shown["timeToLiveSeconds"])
	}
}

func (l *lookup) schedule() {
	s := l.v.Schedule
	if s == nil || l.v.Subject.Kind != s.Kind {
		return
	}
	l.add(l.v.Subject, "status.lastRunName", s.LastRun)
	l.add(l.v.Subject, "status.nextRun", s.NextRun)
	l.add(l.v.Subject, "status.scheduleState", s.State)
}

func (l *lookup) quotas() {
	if l.verdict.Class != cause.Quota {
		return
	}
	for i := range l.v.Quotas {
		q := &l.v.Quotas[i]
		l.add(snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name}, "status", quotaText(q))
	}
}

// settings are those of Spark that the answer is about.
func (l *lookup) settings() {
	about := l.verdict.Settings()
	for key, value := range l.v.Spec.Settings() {
		if slices.Contains(about, key) {
			l.add(l.v.AppRef(), "spec.sparkConf["+key+"]", value)
		}
	}
}

// progress is what the log tells of the work. What clients asked of a server and failed is no fault of it.
func (l *lookup) progress() {
	w := &l.v.Work
	if l.verdict.Class.Fault() || !w.Seen || l.v.Driver == nil {
		return
	}
	lines := []string{"", w.Stopped, w.Wrote, l.shown.Survived}
	if w.Tasks.Of > 0 {
		lines[0] = fmt.Sprintf("%d/%d tasks of the last stage finished", w.Tasks.Done, w.Tasks.Of)
	}
	if l.v.IsConnect() {
		lines = lines[:3]
	}
	for _, line := range lines {
		l.add(mechanism.Ref(l.v.Driver), "log "+app.MainName(l.v.Driver), line)
	}
}

// HowItEnded reports whether a cause says no more than how the driver's process ended.
func HowItEnded(c *cause.Cause) bool {
	return c.Effect && c.Class == cause.Unknown && c.Trust == cause.ByContainer
}

// RoleOf is which pods an answer is about.
func (a *Answer) RoleOf() cause.Role {
	if a.Role == cause.ExecutorRole {
		return a.Role
	}
	return cause.DriverRole
}

// OnceEach leaves out what the evidence of an answer says twice: causes that were put together may rest on the same fact.
func OnceEach(all []Answer) {
	for i := range all {
		var kept []cause.Proof
		for _, p := range all[i].Evidence {
			if !slices.ContainsFunc(kept, func(k cause.Proof) bool { return sameProof(&k, &p) }) {
				kept = append(kept, p)
			}
		}
		all[i].Evidence = kept
	}
}

func sameProof(a, b *cause.Proof) bool {
	return a.Object.Kind == b.Object.Kind && a.Object.Name == b.Object.Name && a.Field == b.Field && a.Value == b.Value && a.At.Equal(b.At)
}

// pod is what to look up of the pod that a cause is about.
func (l *lookup) pod() {
	d := mechanism.SubjectPod(l.v, &l.verdict.Cause)
	if d == nil {
		return
	}
	switch l.verdict.Class {
	case cause.Image:
		l.add(mechanism.Ref(d), "spec.containers["+app.MainName(d)+"].image", app.MainImage(d))
		node, arch := l.v.Architecture(d.Spec.NodeName)
		l.add(node, "metadata.labels[kubernetes.io/arch]", arch)
	case cause.ClusterKilled, cause.Scheduling:
		l.add(mechanism.Ref(d), "spec.nodeName", d.Spec.NodeName)
	}
}

// states counts executors by state, as the operator recorded them.
func states(v *mechanism.View) string {
	count := map[string]int{}
	for _, state := range v.Names() {
		count[state]++
	}
	out := make([]string, 0, len(count))
	for state, n := range count {
		out = append(out, fmt.Sprintf("%d %s", n, state))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// policies are the NetworkPolicies of the namespace, where a connection failed.
func (l *lookup) policies() {
	if l.verdict.Class != cause.Network {
		return
	}
	for i := range l.v.NetworkPolicies {
		p := &l.v.NetworkPolicies[i]
		l.add(mechanism.PolicyRef(p), "spec", mechanism.PolicyText(p))
	}
}

func quotaText(q *corev1.ResourceQuota) string {
	out := make([]string, 0, len(q.Status.Hard))
	for name, hard := range q.Status.Hard {
		used := q.Status.Used[name]
		out = append(out, fmt.Sprintf("%s of %s %s used", used.String(), hard.String(), name))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
