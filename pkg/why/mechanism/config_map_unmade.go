package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ConfigMapUnmade is a driver that waits for a ConfigMap which spark-submit makes right after the pod, and will not make any more since it
// ended. While spark-submit is at work this is a race that heals. It makes the pod first, for the ConfigMap has the pod as its owner
// (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/submit/KubernetesClientApplication.scala@v3.5.5).
type ConfigMapUnmade struct {
	Waiting

	Name string
}

// Mechanism returns its ID.
func (ConfigMapUnmade) Mechanism() cause.ID { return "config-map-unmade" }

func (d ConfigMapUnmade) alike(string) waitingDetail { return ConfigMapUnmade{Name: d.Name} }

func configMapUnmade(w *waiter, m mountEvent) (cause.Cause, bool) {
	name := m.absent.Name
	if name == "" && m.awaits.Kind == "ConfigMap" {
		name = m.awaits.Name
	}
	if !app.OwnConfigMap(name) || !w.Unsubmitted() {
		return cause.Cause{}, false
	}
	c := m.cause(w, cause.Submission, ConfigMapUnmade{Waiting: w.Waiting, Name: name})
	c.Effect = true
	return c, true
}
