package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func podPruned(d *mechanism.PodPruned) Phrase {
	by := "sync"
	if d.Automated {
		by = "automated sync"
	}
	says := fmt.Sprintf("Argo CD pruned the running driver pod in the %s of application %s/%s at %s", by, d.By.Namespace, d.By.Name,
		d.At.Format("15:04"))
	if d.Label != "" {
		says += fmt.Sprintf(": the operator copies its tracking label (%s) from the SparkApplication to the driver", d.Label)
	}
	return Phrase{says, []command.Command{command.Do("set application.resourceTrackingMethod: annotation in ConfigMap argocd-cm, then " +
		"submit again; a driver that the operator's webhook gives an owner is not pruned, either")}}
}
