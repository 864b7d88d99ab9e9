package spec

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// unmutated is about variables of the spec that the driver's pod does not have, whatever became of the application: only the operator's
// webhook brings them there (internal/webhook/sparkpod_defaulter.go@v2.5.2, addEnvVars).
func unmutated(v *mechanism.View, c *cause.Cause, _ string) (Note, bool) {
	driver := mainOf(v.Driver)
	if driver == nil || len(driver.EnvFrom) > 0 || strings.Contains(c.Message, "webhook did not change") {
		return Note{}, false
	}
	asked, _, _ := unstructured.NestedSlice(v.Application.Object, "spec", "driver", "env")
	var lacks []string
	for _, one := range asked {
		env, _ := one.(map[string]any)
		name, _ := env["name"].(string)
		has := func(e corev1.EnvVar) bool { return e.Name == name }
		if name != "" && !slices.ContainsFunc(driver.Env, has) {
			lacks = append(lacks, name)
		}
	}
	if len(lacks) == 0 {
		return Note{}, false
	}
	list := strings.Join(lacks, ", ")
	return Note{
		Text:   fmt.Sprintf("the driver's pod lacks %s of spec.driver.env, which the operator's webhook adds", list),
		Proofs: []cause.Proof{proof(v, "driver.env", list)},
		Next: []command.Command{command.Do("see whether the webhook is on, and whether it can be called").
			With("kubectl sparkdoctor scan -n %s", v.AppRef().Namespace)},
	}, true
}
