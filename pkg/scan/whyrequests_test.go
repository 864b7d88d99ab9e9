package scan_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// asked are the requests that why may make, and at most how often. NS is the namespace of the application. Of pods it lists those of the
// application, those of its namespace if a quota is more than half used, those of the operator, and those of single nodes.
func asked() map[string]int {
	const label = `pods\?labelSelector=sparkoperator\.k8s\.io%2F`
	return map[string]int{
		`^/(?:api|apis|api/v1|apis/[^/]+/[^/]+)$`: 21, // discovery, of each group that the server has

		`^/apis/sparkoperator\.k8s\.io/\w+/namespaces/NS/\w+/[^/?]+$`:                                          7, // it, its schedule, the last runs
		`^/apis/sparkoperator\.k8s\.io/\w+/namespaces/NS/\w+\?fieldSelector=metadata\.name%3D[^&]+&limit=500$`: 3,

		`^/api/v1/namespaces/NS/` + label + `(?:app|connect)-name%3D[^%]+%2Cspark-role(?:%3D|%21%3D)executor&`:           10,
		`^/api/v1/namespaces/NS/` + label + `launched-by-spark-operator%3Dtrue%2Csparkoperator.k8s.io%2Fapp-name`:        1,
		`^/api/v1/namespaces/NS/pods\?fieldSelector=status\.phase%21%3DSucceeded%2Cstatus\.phase%21%3DFailed&limit=500$`: 1,
		`^/api/v1/namespaces/NS/pods/[^/?]+/log\?container=[^&]+&(?:previous=true&)?tailLines=`:                          40,
		`^/api/v1/namespaces/spark-operator/pods\?labelSelector=app\.kubernetes\.io%2F`:                                  2,
		`^/api/v1/pods\?fieldSelector=spec\.nodeName%3D[^%]+%2C[^&]+&limit=500&resourceVersion=0$`:                       20,

		// Where the application is gone: one of Apache's operator may be meant.
		`^/apis/spark\.apache\.org/v1/namespaces/NS/spark(?:applications|clusters)/[^/?]+$`:                                                  2,
		`^/api/v1/namespaces/NS/pods\?labelSelector=spark\.operator%2Fspark-app-name%3D[a-z0-9-]+%2Cspark-role%3Ddriver&limit=`:              1,
		`^/api/v1/namespaces/NS/events\?fieldSelector=type%3DWarning`:                                                                        2,
		`^/api/v1/namespaces/NS/events\?limit=500$`:                                                                                          1,
		`^/api/v1/namespaces/(?:NS|default|spark-operator)/events\?fieldSelector=involvedObject\.(?:kind%3DNode%2CinvolvedObject\.)?name%3D`: 25,
		`^/api/v1/nodes\?limit=500$`: 1,
		`^/api/v1/nodes/[^/?]+$`:     20,

		`^/api/v1/namespaces/NS/(?:resourcequotas|limitranges|persistentvolumeclaims|serviceaccounts|configmaps|services)\?limit=500$`: 7,
		`^/api/v1/namespaces/NS/serviceaccounts/[^/?]+$`:                                       2,
		`^/apis/[^/]+/[^/]+/namespaces/NS/(?:networkpolicies|workloads|podgroups)\?limit=500$`: 4,

		// What the application names.
		`^/apis/argoproj\.io/[^/]+/namespaces/NS/workflows/[^/?]+$`:                         1,
		`^/apis/kueue\.x-k8s\.io/[^/]+/(?:namespaces/NS/localqueues|clusterqueues)/[^/?]+$`: 2,
		`^/apis/scheduling\.volcano\.sh/[^/]+/queues/[^/?]+$`:                               1,

		// The installation.
		`^/api/v1/namespaces\?limit=500$`: 1,
		`^/apis/[^/]+/v1/(?:deployments|rolebindings|clusterrolebindings|validatingwebhookconfigurations|mutatingwebhookconfigurations)` +
			`\?limit=500$`: 5,
		`^/apis/apiextensions\.k8s\.io/v1/customresourcedefinitions/[a-z]+\.sparkoperator\.k8s\.io$`: 3,
	}
}

// TestRequestsOfWhy asserts each request, over the cases that are served: they are bounded, and none lists the pods, events or
// applications of the cluster.
func TestRequestsOfWhy(t *testing.T) {
	patterns := map[string]*regexp.Regexp{}
	for text := range asked() {
		patterns[text] = regexp.MustCompile(text)
	}
	for _, c := range servedCases(t) {
		cluster, server := c.serve(t)
		_, err := scan.Why(t.Context(), scan.WhyOptions{Options: scan.Options{Source: cluster}, Subject: c.Name, Namespace: c.Namespace})
		require.NoError(t, err, c.ID)
		count := map[string]int{}
		for _, request := range server.requests {
			known := ""
			for text, pattern := range patterns {
				if pattern.MatchString(strings.Replace(request, "/namespaces/"+c.Namespace+"/", "/namespaces/NS/", 1)) {
					known = text
				}
			}
			require.NotEmpty(t, known, "%s asks for %s", c.ID, request)
			count[known]++
		}
		for text, n := range count {
			require.LessOrEqual(t, n, asked()[text], "%s: %s", c.ID, text)
		}
		require.Less(t, len(server.requests), 120)
	}
}
