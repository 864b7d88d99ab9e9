// Package operator finds the installations of the Kubeflow Spark Operator in a snapshot, and answers what is known of their releases.
package operator

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"

// What is known of a release is of package release.
type (
	Version       = release.Version
	Facts         = release.Facts
	Chart         = release.Chart
	Telltale      = release.Telltale
	Flaw          = release.Flaw
	Defect        = release.Defect
	Use           = release.Use
	Note          = release.Note
	When          = release.When
	Fatal         = release.Fatal
	Grant         = release.Grant
	Account       = release.Account
	Place         = release.Place
	Permission    = release.Permission
	Feature       = release.Feature
	DeniedSetting = release.DeniedSetting
)

// The values of these types.
const (
	Stops = release.Stops

	Before = release.Before
	During = release.During
	After  = release.After

	ToController = release.ToController
	ToWebhook    = release.ToWebhook
	ToDrivers    = release.ToDrivers

	InJobNamespaces    = release.InJobNamespaces
	WhereJobsRun       = release.WhereJobsRun
	WhenFirstRead      = release.WhenFirstRead
	InReleaseNamespace = release.InReleaseNamespace
	InSecretNamespace  = release.InSecretNamespace
	ClusterWide        = release.ClusterWide

	NoFeature        = release.NoFeature
	LeaderElection   = release.LeaderElection
	SelectNamespaces = release.SelectNamespaces
	UIIngresses      = release.UIIngresses
	Monitoring       = release.Monitoring
	DriverClaims     = release.DriverClaims
	OwnCertificates  = release.OwnCertificates
)
