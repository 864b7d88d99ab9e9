package releases

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// v2_0_1 is of 2024-09-26. It grants what 2.0.0 forgot, and runs as another user.
func v2_0_1() release.Release {
	return release.Release{
		Version: version(2, 0, 1), Compared: "v2.0.0",
		Grants: []release.Grant{
			jobs("", "configmaps", all7),             // #2185
			jobs("", "persistentvolumeclaims", all7), // #2187
		},
		Defects: []release.Defect{{
			ID: "packages-not-downloadable", Harm: release.Stops,
			Does:        "cannot write the home directory into which spark-submit downloads deps.packages",
			Application: asks(spark.FieldPackages), Spared: ran, Source: "Dockerfile@v2.0.1 and @v2.0.2, #2171, #2223",
		}},
		Fatal: &release.Fatal{
			Next:   "2.1.1",
			Why:    "cannot download deps.packages and never retries a failed submission",
			Source: "Dockerfile@v2.0.1 and @v2.0.2, #2171, #2223; " + requeues,
		},
	}
}
