package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// skips says which namespaces the operator's webhook sees, where the one of the pods is none of these.
func skips(s *app.WebhookSkip) string {
	switch n := len(s.Named); {
	case n > mostNamed:
		return fmt.Sprintf("the operator's webhook sees %d namespaces alone, and not this one", n)
	case n > 0:
		return "the operator's webhook sees only namespaces " + strings.Join(s.Named, ", ")
	default:
		return "the operator's webhook sees only namespaces with label " + s.Selector
	}
}

// mostNamed bounds the namespaces that are named in a sentence.
const mostNamed = 3

// seeNamespace lets it see them. The chart lists spark.jobNamespaces in the selector (charts/spark-operator-chart/templates/webhook/
// mutatingwebhookconfiguration.yaml@v2.5.2).
func seeNamespace(s *app.WebhookSkip, namespace string) command.Command {
	switch {
	case s.Label != "":
		return command.Do("label the namespace, then run the application again").With("kubectl label namespace %s %s", namespace, s.Label)
	case len(s.Named) > 0:
		// The selector alone does not do: the webhook has a list of its own (isSparkJobNamespace in
		// internal/webhook/sparkpod_defaulter.go@v2.5.2), which the chart makes of the same value.
		return command.Do("add %s to spark.jobNamespaces of the operator's Helm values, then run the application again", namespace).
			With("kubectl get mutatingwebhookconfiguration %s -o yaml", s.Config.Name)
	default:
		return command.Do("give the namespace labels that %s asks for (%s), then run the application again", s.Config.Name, s.Selector).
			With("kubectl get namespace %s --show-labels", namespace)
	}
}
