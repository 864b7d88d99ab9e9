package spark

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestRuleCovers(t *testing.T) {
	rule := func(verbs, groups, resources string, names ...string) snapshot.AccessRule {
		return snapshot.AccessRule{Verbs: []string{verbs}, Groups: []string{groups}, Resources: []string{resources}, Names: names}
	}
	pods, status := snapshot.Request{Verb: "get", Resource: "pods"},
		snapshot.Request{Verb: "update", Group: snapshot.SparkGroup, Resource: "sparkapplications", Subresource: "status"}
	named := snapshot.Request{Verb: "get", Resource: "pods", Name: "a"}
	for name, c := range map[string]struct {
		rule snapshot.AccessRule
		q    snapshot.Request
		want bool
	}{
		"all":                          {rule("*", "*", "*"), status, true},
		"exactly":                      {rule("get", "", "pods"), pods, true},
		"another verb":                 {rule("list", "", "pods"), pods, false},
		"another group":                {rule("get", "apps", "pods"), pods, false},
		"another resource":             {rule("get", "", "services"), pods, false},
		"the resource, not its status": {rule("update", snapshot.SparkGroup, "sparkapplications"), status, false},
		"the status":                   {rule("update", snapshot.SparkGroup, "sparkapplications/status"), status, true},
		"every status":                 {rule("update", snapshot.SparkGroup, "*/status"), status, true},
		"every other subresource":      {rule("update", snapshot.SparkGroup, "*/scale"), status, false},
		"no pattern of resources":      {rule("update", snapshot.SparkGroup, "sparkapplications/*"), status, false},
		"some names, any object":       {rule("get", "", "pods", "a"), pods, false},
		"this name":                    {rule("get", "", "pods", "b", "a"), named, true},
		"another name":                 {rule("get", "", "pods", "b"), named, false},
		"no names, one object":         {rule("get", "", "pods"), named, true},
	} {
		require.Equal(t, c.want, covers(&c.rule, c.q), name)
	}
}
