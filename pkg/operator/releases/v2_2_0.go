package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// v2_2_0 is of 2025-05-29: images at ghcr.io, certificates that are checked, schedules with a time zone.
func v2_2_0() release.Release {
	return release.Release{
		Version: version(2, 2, 0), Compared: "v2.1.1",
		Set: func(f *release.Facts) {
			f.Chart.Repository = "ghcr.io/kubeflow/spark-operator/controller" // #2483
			f.Chart.Spark = "3.5.5"
			f.Certificate = release.CheckedAtStart // pkg/certificate/certificate.go@v2.2.0, #2489
			f.CertManager = true                   // #2373
			f.Schedules.TimeZones = true           // internal/controller/scheduledsparkapplication/controller.go@v2.1.1 and @v2.2.0
		},
		Fields: release.Fields{
			Application: []string{"driver.memoryLimit", "executor.memoryLimit", "dynamicAllocation.shuffleTrackingEnabled"},
			Schedule:    []string{"timeZone"},
		},
		Mutates: []release.Mutation{{Field: snapshot.MemoryLimit, OnContainer: true, Source: "internal/webhook/sparkpod_defaulter.go@v2.2.0"}},
		Fixes:   []string{"certificate-not-checked"},
		Notes: []release.Note{{
			When: release.Before,
			Do: "allow nodes and policies to pull from ghcr.io, and remove image.registry and image.repository from values.yaml unless " +
				"they name a mirror",
			Why:    "is published as ghcr.io/kubeflow/spark-operator/controller: values that pin the old location will not find it",
			Source: "image in charts/spark-operator-chart/values.yaml@v2.2.0, #2483",
		}},
	}
}
