package collect

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// operator reads the pods of the installations, in which spark-submit runs, and the events about them.
func (r *reader) operator(ctx context.Context) {
	var namespaces []string
	for _, in := range operator.Find(r.g.b.Deployments()) {
		if !slices.Contains(namespaces, in.Namespace) && validSegment(in.Namespace) {
			namespaces = append(namespaces, in.Namespace)
		}
	}
	for _, namespace := range namespaces {
		found, _, err := r.list(ctx, snapshot.WholePods, wanted{namespace: namespace, labels: operatorLabels, most: fullAround})
		r.add(snapshot.WholePods, found...)
		for _, p := range found[:min(len(found), maxRuns)] {
			if err != nil || !validSegment(p.Name) {
				return
			}
			err = r.eventsOf(ctx, namespace, "involvedObject.name="+p.Name)
			if node := whole.PodOf(p).NodeName; err == nil && validSegment(node) {
				err = r.eventsOf(ctx, metav1.NamespaceDefault, "involvedObject.kind=Node,involvedObject.name="+node)
			}
		}
	}
}

// operatorLabels select the pods of the chart (charts/spark-operator-chart/templates/_helpers.tpl@v2.5.2; those of 1.x are the same).
const operatorLabels = "app.kubernetes.io/name=spark-operator"
