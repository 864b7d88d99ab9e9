package operator

import (
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
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

// NewestCRDs returns a List of the CRDs of the newest release as JSON, without descriptions.
func NewestCRDs() []byte { return releases.CRDs() }

// CRDsOf returns the CRDs of a release (charts/spark-operator-chart/crds/@spark-operator-chart-1.4.6 to @v2.5.2).
func CRDsOf(v Version) []ChartCRD {
	facts := releases.Of(v).CRDs
	application := []string{"driver", "executor", "sparkVersion", "type"}
	if facts.MainFile {
		application = []string{"driver", "executor", "mainApplicationFile", "sparkVersion", "type"}
	}
	out := []ChartCRD{
		{Resource: "sparkapplications", Kind: "SparkApplication", Version: "v1beta2", Required: facts.Required, RequiredOfSpec: application},
		{
			Resource: "scheduledsparkapplications", Kind: "ScheduledSparkApplication", Version: "v1beta2", Required: facts.Required,
			RequiredOfSpec: []string{"schedule", "template"}, RequiredOfTemplate: application,
		},
	}
	if facts.Connect {
		out = append(out, ChartCRD{
			Resource: "sparkconnects", Kind: "SparkConnect", Version: "v1alpha1", Required: facts.Required,
			RequiredOfSpec: []string{"executor", "server", "sparkVersion"},
		})
	}
	return out
}

// RequiresMainFile reports whether the CRDs of a release ask for mainApplicationFile.
func RequiresMainFile(v Version) bool { return releases.Of(v).CRDs.MainFile }

// RefusesWithoutMainFile reports whether with a release's webhook nothing but the status of an application without
// mainApplicationFile can be changed, not even its finalizers, whatever its CRD asks for: the webhook that sets defaults sends
// the object back with a null there, which is no string (seen with 2.2.1 and 2.5.2).
func RefusesWithoutMainFile(v Version) bool { return releases.Of(v).SendsNullMainFile }

// StartsConnect reports whether the controller of a release watches SparkConnect servers, asked or not.
func StartsConnect(v Version) bool { return releases.Of(v).CRDs.Connect }

// KeyedLists are lists of containers, below spec.driver and spec.executor, in which the CRDs of a release let a key occur but once.
func KeyedLists(v Version) map[string]string { return maps.Clone(releases.Of(v).CRDs.Keyed) }

// TelltalesOf returns the fields by which the age of a CRD shows that the one of that name has in a release, oldest first. They were
// found by comparing the schemas of spark-operator-chart-1.1.27 to v2.5.2 (config/crd/bases/, manifest/crds/).
func TelltalesOf(v Version, crd string) []Telltale {
	all := releases.Of(v).Telltales
	switch snapshot.View(crd) {
	case snapshot.SparkApplications:
		return slices.Clone(all.Application)
	case snapshot.ScheduledSparkApplications:
		var list []Telltale
		for _, t := range all.Application {
			list = append(list, Telltale{Field: "template." + t.Field, Since: t.Since})
		}
		return append(list, all.Schedule...)
	case snapshot.SparkConnects:
		return slices.Clone(all.Connect)
	default:
		return nil
	}
}

// HookFacts say what the hook of a release's chart does that applies CRDs.
type HookFacts struct {
	Creates bool // its role allows it to create CRDs
	Forces  bool // it takes over the fields that others own
}

// HookOf returns those of a release; without a hook, what no release gets wrong.
func HookOf(v Version) HookFacts {
	chart := releases.Of(v).Chart
	if !chart.UpgradesCRDs {
		return HookFacts{Creates: true, Forces: true}
	}
	return HookFacts{Creates: chart.HookCreates, Forces: chart.HookForces}
}
