package rank

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Beside adds to the verdict what a reader looks up next: how the driver ended, the fields of the spec that the cause is about, and the
// settings of Spark that are named to the reader. Limit is the memory limit of the pods that it is about, as it is said.
func Beside(v *mechanism.View, all []Answer, named []string, limit string) {
	verdict := &all[0]
	proofs := slices.Clone(verdict.Evidence)
	add := func(object snapshot.Ref, field, value string) {
		same := func(p cause.Proof) bool { return p.Object.Name == object.Name && p.Field == field && p.Value == value }
		if value != "" && !slices.ContainsFunc(proofs, same) {
			proofs = append(proofs, cause.Proof{Object: object, Field: field, Value: value, Beside: true})
		}
	}
	if Logged(&verdict.Cause) {
		for i := range all[1:] {
			if c := &all[1+i]; HowItEnded(&c.Cause) {
				for _, p := range c.Evidence {
					add(p.Object, p.Field, p.Value)
				}
			}
		}
	}
	role := verdict.RoleOf()
	for _, field := range slices.Concat(fieldsFor(verdict, role), commonFields(&verdict.Cause, role)) {
		if rest, of := strings.CutPrefix(field, "driver."); of && v.IsConnect() {
			field = "server." + rest
		}
		add(v.AppRef(), "spec."+field, v.Spec(strings.Split(field, ".")...))
	}
	policiesBeside(v, &verdict.Cause, add)
	beside(v, &verdict.Cause, role, add)
	ofTemplate := v.IsConnect() && role == "driver" // its limit stands in the template
	if !ofTemplate && (verdict.Class == cause.ClusterKilled || verdict.Class == cause.Configuration && verdict.Topics.Has(cause.Memory)) {
		add(v.AppRef(), "memory limit of the "+role+", computed", limit)
	}
	podBeside(v, &verdict.Cause, add)
	if n := v.Attempts; n > 1 {
		add(v.AppRef(), "status.executionAttempts", strconv.Itoa(n))
	}
	if role == "executor" || !verdict.Class.Fault() {
		add(v.AppRef(), v.ExecutorsField(), states(v))
	}
	scheduleBeside(v, add)
	if verdict.Class == cause.Unknown {
		add(v.AppRef(), "spec.timeToLiveSeconds", v.Spec("timeToLiveSeconds"))
	}
	if verdict.Class == cause.Quota {
		for i := range v.Quotas {
			add(snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: v.Quotas[i].Namespace, Name: v.Quotas[i].Name}, "status",
				quotaText(&v.Quotas[i]))
		}
	}
	quoted := mechanism.Quoted(&verdict.Cause)
	for key, value := range v.Settings() {
		if strings.Contains(quoted, key) || slices.Contains(named, key) {
			add(v.AppRef(), "spec.sparkConf["+key+"]", value)
		}
	}
	if !verdict.Class.Fault() && v.Work.Seen && v.Driver != nil {
		progressBeside(v, add)
	}
	slices.SortStableFunc(proofs[len(verdict.Evidence):], func(a, b cause.Proof) int { return strings.Compare(a.Field, b.Field) })
	verdict.Evidence = proofs
}

func scheduleBeside(v *mechanism.View, add func(object snapshot.Ref, field, value string)) {
	s := v.Schedule
	if s == nil || v.Subject.Kind != s.GetKind() {
		return
	}
	for _, field := range []string{"lastRunName", "nextRun", "scheduleState"} {
		value, _, _ := unstructured.NestedString(s.Object, "status", field)
		add(v.Subject, "status."+field, value)
	}
}

// progressBeside adds what the log tells of the work. What clients asked of a server and failed is no fault of it.
func progressBeside(v *mechanism.View, add func(object snapshot.Ref, field, value string)) {
	w := &v.Work
	lines := []string{"", w.Stopped, w.Wrote, w.Survived}
	if w.Tasks != "" {
		lines[0] = w.Tasks + " tasks of the last stage finished"
	}
	if v.IsConnect() {
		lines = lines[:3]
	}
	for _, line := range lines {
		add(mechanism.Ref(v.Driver), "log "+mechanism.MainName(v.Driver), line)
	}
}

// HowItEnded reports whether a cause says no more than how the driver's process ended.
func HowItEnded(c *cause.Cause) bool {
	return c.Effect && c.Class == cause.Unknown && c.Trust == cause.ByContainer
}

// RoleOf is which pods an answer is about.
func (a *Answer) RoleOf() string {
	if a.Role == cause.ExecutorRole {
		return string(a.Role)
	}
	return string(cause.DriverRole)
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

// podBeside adds what to look up of the pod that a cause is about.
func podBeside(v *mechanism.View, verdict *cause.Cause, add func(object snapshot.Ref, field, value string)) {
	d := mechanism.SubjectPod(v, verdict)
	if d == nil {
		return
	}
	switch verdict.Class {
	case cause.Image:
		add(mechanism.Ref(d), "spec.containers["+mechanism.MainName(d)+"].image", mechanism.MainImage(d))
		node, arch := v.Architecture(d.Spec.NodeName)
		add(node, "metadata.labels[kubernetes.io/arch]", arch)
	case cause.ClusterKilled, cause.Scheduling:
		add(mechanism.Ref(d), "spec.nodeName", d.Spec.NodeName)
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

// fieldsFor are the fields of the spec that causes of a class are about.
func fieldsFor(c *Answer, role string) []string {
	switch c.Class {
	case cause.ClusterKilled:
		return []string{role + ".memory", role + ".memoryOverhead", role + ".priorityClassName"}
	case cause.Configuration:
		if c.Topics.Has(cause.Memory) {
			return []string{role + ".memory", role + ".memoryOverhead", role + ".javaOptions", role + ".cores"}
		}
		return []string{"mainClass", "mainApplicationFile"}
	case cause.Credentials:
		return []string{"driver.serviceAccount", "executor.serviceAccount"}
	case cause.Dependency:
		return []string{"image", "sparkVersion", "mainApplicationFile", "deps.packages", "deps.jars", "deps.pyFiles"}
	case cause.CodeFailed:
		return []string{"mainApplicationFile", "mainClass"}
	case cause.Image:
		return []string{"image", "sparkVersion", "imagePullPolicy", "imagePullSecrets", role + ".image"}
	case cause.Scheduling, cause.Quota, cause.SlowButProgressing:
		return []string{role + ".cores", role + ".coreRequest", role + ".coreLimit", role + ".memory", role + ".memoryOverhead",
			role + ".nodeSelector", "executor.instances", "batchScheduler"}
	case cause.Submission:
		return []string{"driver.memory", "driver.cores", "driver.coreLimit", "driver.serviceAccount", "driver.priorityClassName", "driver.labels"}
	default:
		return nil
	}
}

// commonFields are those that a reader of any fault looks up.
func commonFields(c *cause.Cause, role string) []string {
	if !c.Class.Fault() {
		return nil
	}
	return []string{role + ".memory", role + ".cores", "image", "sparkVersion", "mainApplicationFile", "mainClass", "restartPolicy.type"}
}

// policiesBeside names the NetworkPolicies of the namespace, where a connection failed.
func policiesBeside(v *mechanism.View, c *cause.Cause, add func(object snapshot.Ref, field, value string)) {
	if c.Class != cause.Network {
		return
	}
	for i := range v.NetworkPolicies {
		p := &v.NetworkPolicies[i]
		add(mechanism.PolicyRef(p), "spec", mechanism.PolicyText(p))
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
