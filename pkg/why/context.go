package why

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
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// inContext adds to the verdict what a reader looks up next: how the driver ended, and the fields of the spec that the cause is about.
func inContext(v *mechanism.View, log driverLog, all []cause.Cause) {
	verdict := &all[0]
	proofs := slices.Clone(verdict.Evidence)
	add := func(object snapshot.Ref, field, value string) {
		same := func(p cause.Proof) bool { return p.Object.Name == object.Name && p.Field == field && p.Value == value }
		if value != "" && !slices.ContainsFunc(proofs, same) {
			proofs = append(proofs, cause.Proof{Object: object, Field: field, Value: value, Beside: true})
		}
	}
	if logged(verdict) {
		for _, c := range all[1:] {
			if c.Effect && c.Class == cause.Unknown && c.Trust == cause.ByContainer {
				for _, p := range c.Evidence {
					add(p.Object, p.Field, p.Value)
				}
			}
		}
	}
	role := roleOf(verdict)
	for _, field := range slices.Concat(fieldsFor(v, verdict, role), commonFields(verdict, role)) {
		if rest, of := strings.CutPrefix(field, "driver."); of && v.IsConnect() {
			field = "server." + rest
		}
		add(v.AppRef(), "spec."+field, v.Spec(strings.Split(field, ".")...))
	}
	policiesBeside(v, verdict, add)
	beside(v, verdict, role, add)
	ofTemplate := v.IsConnect() && role == "driver" // its limit stands in the template
	if !ofTemplate && (verdict.Class == cause.ClusterKilled || verdict.Class == cause.Configuration && aboutMemory(verdict.Message)) {
		add(v.AppRef(), "memory limit of the "+role+", computed", v.LimitText(role))
	}
	podBeside(v, verdict, add)
	if n := v.Attempts; n > 1 {
		add(v.AppRef(), "status.executionAttempts", strconv.Itoa(n))
	}
	if role == "executor" || !verdict.Class.Fault() {
		add(v.AppRef(), v.ExecutorsField(), states(v))
	}
	if s := v.Schedule; s != nil && v.Subject.Kind == s.GetKind() {
		for _, field := range []string{"lastRunName", "nextRun", "scheduleState"} {
			value, _, _ := unstructured.NestedString(s.Object, "status", field)
			add(v.Subject, "status."+field, value)
		}
	}
	if verdict.Class == cause.Unknown {
		add(v.AppRef(), "spec.timeToLiveSeconds", v.Spec("timeToLiveSeconds"))
	}
	if verdict.Class == cause.Quota {
		for i := range v.Quotas {
			add(snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: v.Quotas[i].Namespace, Name: v.Quotas[i].Name}, "status",
				quotaText(&v.Quotas[i]))
		}
	}
	for key, value := range v.Settings() {
		if strings.Contains(text(verdict), key) {
			add(v.AppRef(), "spec.sparkConf["+key+"]", value)
		}
	}
	if !verdict.Class.Fault() && log.seen && v.Driver != nil {
		if v.IsConnect() {
			log.Survived = nil // what clients asked of a server and failed is no fault of it
		}
		log.progress(func(line string) { add(mechanism.Ref(v.Driver), "log "+mechanism.MainName(v.Driver), line) })
	}
	slices.SortStableFunc(proofs[len(verdict.Evidence):], func(a, b cause.Proof) int { return strings.Compare(a.Field, b.Field) })
	verdict.Evidence = proofs
}

// podBeside adds what to look up of the pod that a cause is about.
func podBeside(v *mechanism.View, verdict *cause.Cause, add func(object snapshot.Ref, field, value string)) {
	d := subjectPod(v, verdict)
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

// roleOf is which pods a cause is about.
func roleOf(c *cause.Cause) string {
	if strings.Contains(c.Subject.Name, "-exec-") || strings.Contains(c.Message, "xecutor") {
		return "executor"
	}
	return "driver"
}

// bySpec adds what the spec says about the verdict, and returns it as lines.
func bySpec(v *mechanism.View, verdict *cause.Cause) []string {
	var out []string
	for _, n := range spec.Notes(v, verdict, roleOf(verdict)) {
		out = append(out, n.Text)
		for _, p := range n.Proofs {
			same := func(o cause.Proof) bool { return o.Object.Name == p.Object.Name && o.Field == p.Field }
			if !slices.ContainsFunc(verdict.Evidence, same) {
				verdict.Evidence = append(verdict.Evidence, p)
			}
		}
		verdict.Next = distinct(append(verdict.Next, n.Next...))
	}
	return out
}

// subjectPod is the pod that a cause is about, else the driver.
func subjectPod(v *mechanism.View, c *cause.Cause) *corev1.Pod {
	for _, p := range v.Executors {
		if p.Name == c.Subject.Name {
			return p
		}
	}
	return v.Driver
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

// progress hands out what the log tells of the work.
func (l driverLog) progress(add func(line string)) {
	if l.Tasks.Of > 0 {
		add(fmt.Sprintf("%d/%d tasks of the last stage finished", l.Tasks.Done, l.Tasks.Of))
	}
	add(l.Stopped)
	add(l.Wrote)
	if l.Survived != nil {
		add(words.Complaint(l.Survived))
	}
}

func aboutMemory(message string) bool {
	lower := strings.ToLower(message)
	return strings.Contains(lower, "memory") || strings.Contains(lower, "heap") || strings.Contains(lower, "gc ") ||
		strings.Contains(lower, "metaspace")
}

// fieldsFor are the fields of the spec that causes of a class are about.
func fieldsFor(v *mechanism.View, c *cause.Cause, role string) []string {
	switch c.Class {
	case cause.ClusterKilled:
		return []string{role + ".memory", role + ".memoryOverhead", role + ".priorityClassName"}
	case cause.Configuration:
		if aboutMemory(c.Message) {
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
		add(policyRef(p), "spec", policyText(p))
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

// text is all that a cause says.
func text(c *cause.Cause) string {
	parts := []string{c.Message}
	for _, e := range c.Evidence {
		parts = append(parts, e.Value)
	}
	for _, n := range c.Next {
		parts = append(parts, n.Text)
	}
	return strings.Join(parts, "\n")
}
