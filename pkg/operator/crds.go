package operator

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ChartCRD is a CRD that the chart of a release ships, with what its schema asks for at the top. Helm installs CRDs and
// never changes them.
type ChartCRD struct {
	Resource, Kind, Version string
	Required                []string // of the object
	RequiredOfSpec          []string
	RequiredOfTemplate      []string // of the template of a schedule
}

// Name is that of the CRD.
func (c ChartCRD) Name() string { return c.Resource + "." + snapshot.SparkGroup }

// CRDsOf returns the CRDs of a release (charts/spark-operator-chart/crds/@spark-operator-chart-1.4.6 to @v2.5.2).
func CRDsOf(v Version) []ChartCRD {
	var object []string
	if v.Before(2, 0, 0) || !v.Before(2, 1, 0) {
		object = []string{"metadata", "spec"}
	}
	application := []string{"driver", "executor", "sparkVersion", "type"}
	if RequiresMainFile(v) {
		application = []string{"driver", "executor", "mainApplicationFile", "sparkVersion", "type"}
	}
	out := []ChartCRD{
		{Resource: "sparkapplications", Kind: "SparkApplication", Version: "v1beta2", Required: object, RequiredOfSpec: application},
		{
			Resource: "scheduledsparkapplications", Kind: "ScheduledSparkApplication", Version: "v1beta2", Required: object,
			RequiredOfSpec: []string{"schedule", "template"}, RequiredOfTemplate: application,
		},
	}
	if StartsConnect(v) {
		out = append(out, ChartCRD{
			Resource: "sparkconnects", Kind: "SparkConnect", Version: "v1alpha1", Required: object,
			RequiredOfSpec: []string{"executor", "server", "sparkVersion"},
		})
	}
	return out
}

// RequiresMainFile reports whether the CRDs of a release ask for mainApplicationFile (config/crd/bases/@v2.1.0, #2255). An
// application that was stored without keeps it at that: an API server from Kubernetes 1.30 on (CRDValidationRatcheting) judges
// anew what is changed, so that its status and metadata can be changed and its spec cannot. Seen with Kubernetes 1.36 and the
// CRDs of 2.5.2 (TestUpgradeFacts in test/e2e).
func RequiresMainFile(v Version) bool { return !v.Before(2, 1, 0) }

// RefusesWithoutMainFile reports whether with a release's webhook nothing but the status of an application without
// mainApplicationFile can be changed, not even its finalizers, whatever its CRD asks for: the webhook that sets defaults sends
// the object back with a null there, which is no string (api/v1beta2/sparkapplication_types.go@v2.0.0 to @v2.5.2; seen with
// 2.2.1 and 2.5.2).
func RefusesWithoutMainFile(v Version) bool { return v.Major > 1 }

// KeyedLists are lists of containers, below spec.driver and spec.executor, in which the CRDs since 2.1.1 let a key occur
// but once. What was stored with env of the same name twice stays, and can be changed where Kubernetes is 1.30 or newer;
// anything new is refused, the runs of schedules too (seen with Kubernetes 1.36 and the CRDs of 2.5.2).
func KeyedLists(v Version) map[string]string {
	if v.Before(2, 1, 1) {
		return nil
	}
	return map[string]string{
		"sidecars[].env": "name", "sidecars[].volumeMounts": "mountPath", "sidecars[].volumeDevices": "devicePath",
		"initContainers[].env": "name", "initContainers[].volumeMounts": "mountPath", "initContainers[].volumeDevices": "devicePath",
	}
}

// Telltale is a field by which the age of a CRD shows: it is in the schema from a release on, and in none before.
type Telltale struct {
	Field string // below spec
	Since Version
}

// Telltales lists those of SparkApplication, oldest first; schedules have them below spec.template. They were found by
// comparing the schemas of spark-operator-chart-1.1.27 to v2.5.2 (config/crd/bases/, manifest/crds/). No CRD has got
// another field since 2.4.0.
func Telltales() []Telltale {
	return []Telltale{
		{"driver.priorityClassName", Version{2, 0, 0}}, {"executor.priorityClassName", Version{2, 0, 0}},
		{"driver.template", Version{2, 1, 0}}, {"executor.template", Version{2, 1, 0}}, {"deps.archives", Version{2, 1, 0}},
		{"driver.memoryLimit", Version{2, 2, 0}}, {"executor.memoryLimit", Version{2, 2, 0}}, {"dynamicAllocation.shuffleTrackingEnabled", Version{2, 2, 0}},
		{"suspend", Version{2, 4, 0}},
	}
}

// TelltalesOf returns those that the CRD of that name has in a release.
func TelltalesOf(v Version, crd string) []Telltale {
	var list []Telltale
	switch snapshot.View(crd) {
	case snapshot.SparkApplications:
		list = Telltales()
	case snapshot.ScheduledSparkApplications:
		for _, t := range Telltales() {
			list = append(list, Telltale{"template." + t.Field, t.Since})
		}
		list = append(list, Telltale{"timeZone", Version{2, 2, 0}})
	case snapshot.SparkConnects:
		list = []Telltale{{"server.service", Version{2, 4, 0}}}
	default:
	}
	return slices.DeleteFunc(list, func(t Telltale) bool { return v.Compare(t.Since) < 0 })
}

// StartsConnect reports whether the controller of a release watches SparkConnect servers, asked or not (cmd/operator/
// controller/start.go@v2.3.0).
func StartsConnect(v Version) bool { return !v.Before(2, 3, 0) }
