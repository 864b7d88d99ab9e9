package releases

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"

// v2_1_1 is of 2025-03-25.
func v2_1_1() release.Release {
	return release.Release{
		Version: version(2, 1, 1), Compared: "v2.1.0", Hop: true,
		Set: func(f *release.Facts) {
			f.FirstContainer = true // findContainer, internal/webhook/sparkpod_defaulter.go@v2.1.1
			// What was stored with env of the same name twice stays, and can be changed where Kubernetes is 1.30 or newer; anything new is
			// refused, the runs of schedules too (seen with Kubernetes 1.36 and the CRDs of 2.5.2).
			f.CRDs.Keyed = map[string]string{
				"sidecars[].env": "name", "sidecars[].volumeMounts": "mountPath", "sidecars[].volumeDevices": "devicePath",
				"initContainers[].env": "name", "initContainers[].volumeMounts": "mountPath", "initContainers[].volumeDevices": "devicePath",
			}
		},
		Fixes: []string{"executor-lifecycle-refused", "executor-lifecycle-by-name"},
		Grants: []release.Grant{
			jobs("", "events", eventVerbs), // #2426
			grant(release.ToController, release.ClusterWide, "", "events", "", ""),
		},
	}
}
