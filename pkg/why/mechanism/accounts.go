package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// workloadAccounts are the service accounts of the namespace that someone made for workloads, by name. Every namespace has default
// (kubernetes pkg/controller/serviceaccount/serviceaccounts_controller.go@v1.36.3), one of OpenShift three more
// (docs.redhat.com, OpenShift 4.16: default cluster roles for service accounts), and the operator's own run in its namespace
// (charts/spark-operator-chart/templates/_helpers.tpl@v2.5.2). Which of them are bound to a role was not read.
func (v *View) workloadAccounts() []string {
	var out []string
	for i := range v.ServiceAccounts {
		a := &v.ServiceAccounts[i]
		if a.Namespace == v.Subject.Namespace && !ofPlatform(a) {
			out = append(out, a.Name)
		}
	}
	slices.Sort(out)
	return out
}

func ofPlatform(a *corev1.ServiceAccount) bool {
	switch a.Name {
	case "default", "builder", "deployer", "pipeline":
		return true
	}
	component := a.Labels["app.kubernetes.io/component"]
	return component == "controller" || component == "webhook" || strings.HasSuffix(a.Name, "-controller") ||
		strings.HasSuffix(a.Name, "-webhook")
}
