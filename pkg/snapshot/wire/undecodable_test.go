package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestTemplateProblem(t *testing.T) {
	for name, c := range map[string]struct{ raw, path, text string }{
		"none":                  {raw: ``},
		"null":                  {raw: `null`},
		"empty":                 {raw: `{}`},
		"ordinary":              {raw: `{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"x","env":[{"name":"A","value":"1"}],"resources":{"limits":{"cpu":1,"memory":"1Gi"}},"ports":[{"containerPort":80}],"livenessProbe":{"httpGet":{"port":"http"}}}]}}`},
		"unknown fields":        {raw: `{"spec":{"requests":{"a":[1]},"containers":[{"name":"x","named":3}]}}`},
		"other case":            {raw: `{"spec":{"Containers":7}}`},
		"a number for a string": {`{"spec":{"containers":[{"name":"x"},{"name":"y","env":[{"name":"A","value":"1"},{"name":"PASSWORD","value":12345}]}]}}`, "spec.driver.template.spec.containers[1].env[1].value", "is a number, not a string"},
		"a map for a list":      {`{"spec":{"containers":{"name":"x"}}}`, "spec.driver.template.spec.containers", "is an object, not a list"},
		"a list for a map":      {`{"spec":{"nodeSelector":["a"]}}`, "spec.driver.template.spec.nodeSelector", "is a list, not an object"},
		"a string for a flag":   {`{"spec":{"hostNetwork":"true"}}`, "spec.driver.template.spec.hostNetwork", "is a string, not a boolean"},
		"a string for a number": {`{"spec":{"terminationGracePeriodSeconds":"30"}}`, "spec.driver.template.spec.terminationGracePeriodSeconds",
			"is a string, not a whole number"},
		"a fraction": {`{"spec":{"containers":[{"ports":[{"containerPort":80.5}]}]}}`,
			"spec.driver.template.spec.containers[0].ports[0].containerPort", "is a number, not a whole number"},
		"a quantity": {
			`{"spec":{"containers":[{"resources":{"limits":{"cpu":"1","memory":"4 gigs"}}}]}}`,
			"spec.driver.template.spec.containers[0].resources.limits.memory", "is a string of 6 characters that cannot be parsed",
		},
		"requests in the place of a quantity": {
			`{"spec":{"containers":[{"resources":{"limits":{"requests":{"cpu":"1"}}}}]}}`,
			"spec.driver.template.spec.containers[0].resources.limits.requests", "holds several values of a wrong type",
		},
		"a string": {`"x"`, "spec.driver.template", "is a string, not an object"},
		"two":      {`{"spec":{"hostNetwork":"x","hostPID":"y"}}`, "spec.driver.template.spec", "holds several values of a wrong type"},
	} {
		t.Run(name, func(t *testing.T) {
			got := templateProblem([]byte(c.raw), "spec.driver.template")
			if c.path == "" {
				require.Nil(t, got)
				return
			}
			require.Equal(t, &snapshot.Undecodable{Path: c.path, Text: c.text}, got)
		})
	}
}
