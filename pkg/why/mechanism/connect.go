package mechanism

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ofServer are the executors of the process that the server runs now, or ran last. The server's pod has no spark-app-selector, and each
// process in it is an application of its own with executors of its own, while those of an earlier one stay (SPARK-37856).
func ofServer(server *corev1.Pod, executors []*corev1.Pod) []*corev1.Pod {
	newest := map[string]time.Time{}
	for _, p := range executors {
		if s := p.Labels["spark-app-selector"]; p.CreationTimestamp.After(newest[s]) {
			newest[s] = p.CreationTimestamp.Time
		}
	}
	last := ""
	for _, p := range executors {
		s := p.Labels["spark-app-selector"]
		if cmp.Or(newest[s].Compare(newest[last]), strings.Compare(s, last)) > 0 {
			last = s
		}
	}
	if server != nil {
		if c := app.Container(server); c != nil && c.State.Running != nil && newest[last].Before(c.State.Running.StartedAt.Time) {
			return nil
		}
	}
	return slices.DeleteFunc(slices.Clone(executors), func(p *corev1.Pod) bool { return p.Labels["spark-app-selector"] != last })
}

// ofEarlierServer tells an event of a server pod that was there before the one that is: it had the same name.
func (v *View) ofEarlierServer(e app.Event) bool {
	return v.Driver != nil && e.Involved.Kind == "Pod" && e.Involved.Name == v.Driver.Name && e.Involved.UID != "" && v.Driver.UID != "" &&
		e.Involved.UID != string(v.Driver.UID)
}

// serverContainer is the container of the server's template that the operator starts the server in: the one of this name, else the first
// (mutateServerPod in internal/controller/sparkconnect/reconciler.go@v2.5.2).
func serverContainer(v *View) app.TemplateContainer {
	list := v.Spec.Server.Template.Containers
	if len(list) == 0 {
		return app.TemplateContainer{}
	}
	named := func(c app.TemplateContainer) bool { return c.Name == "spark-kubernetes-driver" }
	return list[max(0, slices.IndexFunc(list, named))]
}

// imageField is the field of the spec that names the image of a pod.
func (v *View) imageField(p *corev1.Pod) string {
	if !v.IsConnect() || v.Application == nil {
		return v.roleImageField(p)
	}
	of := "server"
	if p != nil && app.RoleOf(p) == "executor" {
		of = "executor"
	}
	if slices.ContainsFunc(v.Spec.Role(of).Template.Containers, func(c app.TemplateContainer) bool { return c.Image != "" }) {
		return "spec." + of + ".template"
	}
	return "spec.image"
}

// roleImageField is the field of an application, whose roles may have images of their own. Without an application, they have where the
// images of the pods differ.
func (v *View) roleImageField(p *corev1.Pod) string {
	role := app.RoleOf(p)
	own := v.Application != nil && v.Spec.Role(role).Image != ""
	driver, executor := v.imageOf(cause.DriverRole), v.imageOf(cause.ExecutorRole)
	differ := driver != "" && executor != "" && driver != executor
	if role != "" && (own || v.Application == nil && differ) {
		return "spec." + role + ".image"
	}
	return "spec.image"
}

// secretsField is the field of the spec that names pull secrets for a pod.
func secretsField(v *View, p *corev1.Pod) string {
	switch {
	case !v.IsConnect():
		return "spec.imagePullSecrets"
	case p != nil && app.RoleOf(p) == "executor":
		return "spec.executor.template.spec.imagePullSecrets"
	default:
		return "spec.server.template.spec.imagePullSecrets"
	}
}

// SpecNewer is when the spec was last written, if that was after the server's pod was created: the operator sets the pod's spec only when
// it creates it (mutateServerPod in internal/controller/sparkconnect/reconciler.go@v2.5.2).
func (v *View) SpecNewer() (time.Time, bool) {
	if !v.IsConnect() || v.Application == nil || v.Driver == nil {
		return time.Time{}, false
	}
	var last time.Time
	for _, m := range v.Application.ManagedFields {
		if m.Subresource == "" && m.Time != nil && m.FieldsV1 != nil && strings.Contains(m.FieldsV1.GetRawString(), `"f:spec"`) &&
			m.Time.After(last) {
			last = m.Time.Time
		}
	}
	return last, last.After(v.Driver.CreationTimestamp.Add(2 * time.Second))
}

// ofConnect are the mechanisms of a SparkConnect server.
func ofConnect() []func(*View) []cause.Cause {
	return []func(*View) []cause.Cause{
		applicationDeleted, unmade, serverEnded, serverPending, serverUnready, unserved, executorsPending, noExecutors, executorsLost,
		ingressSpeaksHTTP1, serving, statusBehind, blamed,
	}
}
