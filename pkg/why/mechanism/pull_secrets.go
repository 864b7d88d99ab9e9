package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// pullSecretsGone are the pull secrets of a pod, where the kubelet found none of them: it then pulls without an account, and what the
// registry refuses is that. Where it has one of several, or where the Secret was seen, the registry refuses what the Secret holds. The
// kubelet says it again with each attempt (getPullSecretsForPod in pkg/kubelet/kubelet_pods.go of kubernetes@v1.36.3; since v1.28,
// kubernetes/kubernetes#117927).
func (w *waiter) pullSecretsGone() ([]string, cause.Proof) {
	events := w.eventsOn("Pod", w.pod.Name, "FailedToRetrieveImagePullSecret")
	if len(events) == 0 || len(w.pod.Spec.ImagePullSecrets) == 0 {
		return nil, cause.Proof{}
	}
	e := events[len(events)-1]
	_, list, _ := strings.Cut(e.Message, "(")
	list, _, _ = strings.Cut(list, ")")
	said := strings.Split(list, ", ")
	var gone []string
	for _, one := range w.pod.Spec.ImagePullSecrets {
		if !slices.Contains(said, one.Name) || slices.Contains(app.NamesOf(w.Secrets), one.Name) {
			return nil, cause.Proof{}
		}
		gone = append(gone, one.Name)
	}
	for _, pull := range w.eventsOn("Pod", w.pod.Name, "Pulling", "Failed") {
		if pull.Last.Sub(e.Last) > eventsRepeat {
			return nil, cause.Proof{} // it found them since
		}
	}
	return gone, cause.Proof{Object: Ref(w.pod), Field: "event " + e.Reason, Value: e.Message, At: e.Last}
}

// accountNames is the service account of the pod, where that names the pull secrets: a pod that names none gets those of its account
// (plugin/pkg/admission/serviceaccount/admission.go@v1.36.3). Empty: it does not, or was not seen.
func (w *waiter) accountNames(secrets []string) string {
	account := accountNamed(w.View, w.pod.Spec.ServiceAccountName)
	if account == nil || slices.ContainsFunc(w.Spec.ImagePullSecrets, func(name string) bool { return slices.Contains(secrets, name) }) {
		return ""
	}
	if slices.ContainsFunc(account.ImagePullSecrets, func(r corev1.LocalObjectReference) bool { return slices.Contains(secrets, r.Name) }) {
		return account.Name
	}
	return ""
}

// PullSecrets are the names of Secrets that hold the account of a registry, by their keys. Those whose keys are not known are left out.
func PullSecrets(all []app.Keyed) []string {
	var out []string
	for _, one := range all {
		if slices.Contains(one.Keys, corev1.DockerConfigJsonKey) || slices.Contains(one.Keys, corev1.DockerConfigKey) {
			out = append(out, one.Name)
		}
	}
	return out
}
