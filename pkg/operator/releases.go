// Package operator finds the installations of the Kubeflow Spark Operator in a snapshot, and answers what is known of their releases.
package operator

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"

type (
	// Version is a release of the operator.
	Version = release.Version
	// Facts is what is known of one release.
	Facts = release.Facts
	// Chart is what a release installs with its chart.
	Chart = release.Chart
	// Telltale is a field by which the age of a CRD shows.
	Telltale = release.Telltale
	// Flaw is what the webhook gets wrong about the pods of a role.
	Flaw = release.Flaw
	// Defect is a fault of some releases that shows only where something is used.
	Defect = release.Defect
	// Use is what a defect needs, and where it was seen.
	Use = release.Use
	// Note is what to do about an upgrade that nothing in a cluster shows.
	Note = release.Note
	// When is a time of an upgrade.
	When = release.When
	// Fatal is a release that no cluster should get.
	Fatal = release.Fatal
	// Grant is what a chart lets an account do with a resource.
	Grant = release.Grant
	// Account is a service account that the chart makes.
	Account = release.Account
	// Place is where a permission is needed.
	Place = release.Place
	// Permission is something that a release's process does with the API server.
	Permission = release.Permission
	// Feature is what only some installations and applications use.
	Feature = release.Feature
	// DeniedSetting is a setting of sparkConf that the webhook refuses.
	DeniedSetting = release.DeniedSetting
)

// The values of these types.
const (
	Stops = release.Stops

	Before = release.Before
	During = release.During
	After  = release.After

	Rollback = release.Rollback

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
	DriverBudgets    = release.DriverBudgets
)
