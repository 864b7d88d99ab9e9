package releases

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
)

// topic is something to look up at the tag of a release, and the fields that hold the answer: of Release, or with a dot in front of
// the Facts that its Set changes.
type topic struct{ question, files, fields string }

const (
	chart      = "charts/spark-operator-chart/"
	templates  = chart + "templates/"
	controller = "internal/controller/"
	webhook    = "internal/webhook/"
)

func topics() []topic {
	return []topic{
		{
			"which defaults does the chart set otherwise; which Spark and Java are in the image",
			chart + "values.yaml " + chart + "templates Dockerfile", ".Chart",
		},
		{
			"which fields do the schemas get, require, or key lists by; is there a new CRD",
			chart + "crds", "Fields .CRDs",
		},
		{
			"which verbs do roles get or lose",
			templates + "controller " + templates + "webhook " + templates + "spark", "Grants",
		},
		{
			"what do the webhooks refuse",
			templates + "webhook cmd/operator/webhook " + webhook, ".RefusesNames .RefusesConnectNames .DeniedSettings",
		},
		{
			"which fields does the webhook carry to pods, and which of them not",
			webhook + "sparkpod_defaulter.go", "Mutates MutatesNoMore Flaws .FirstContainer",
		},
		{
			"what do the webhooks that set defaults send back",
			webhook + " api", ".SendsNullMainFile",
		},
		{
			"where does the webhook's certificate come from, and who checks it",
			"pkg/certificate cmd/operator/webhook", ".Certificate .CertManager",
		},
		{
			"what do the processes ask of the API server: informers, creates, updates",
			"cmd/operator " + controller, "Needs NeedsNoMore",
		},
		{
			"what does the controller do otherwise with an application; which flags and defaults are new",
			"cmd/operator/controller " + controller + "sparkapplication pkg/util Dockerfile",
			".CutsUIName .UIServiceLate .OwnsDrivers .KeepsQueueLabels .PodTemplates .Suspends .SubmissionRetryInterval .Unprivileged " +
				".RefusesSchedulers .TrackedExecutors .DriverGrace",
		},
		{
			"when and under which name do runs of schedules start",
			controller + "scheduledsparkapplication cmd/operator/controller", ".Schedules",
		},
		{
			"which reported faults does it bring, and which does it mend",
			controller + " " + webhook + " pkg", "Defects Fixes",
		},
		{
			"what do its notes and first issues ask of an upgrade; should anybody install it; does it break what was fine before",
			"", "Notes Fatal Hop Rewrite .Module",
		},
	}
}

// TestComparedWithTheReleaseBefore: a release that is known is one that was compared with the one before it.
func TestComparedWithTheReleaseBefore(t *testing.T) {
	before := "spark-operator-chart-1.4.6"
	for _, r := range append(All(), next()) {
		if r.Version.Major == 1 {
			continue
		}
		if r.Compared != before {
			t.Error(toResearch(r, before))
		}
		before = "v" + r.Version.String()
	}
}

// TestNextIsNoRelease: what is not released comes after all releases, says which commit it was read at, and is none of them. Once a release
// of its line is in the list, next is the line after that.
func TestNextIsNoRelease(t *testing.T) {
	r := next()
	require.True(t, r.Version.Unreleased)
	require.Positive(t, r.Version.Compare(Newest()), "next is older than the newest release: read master again")
	require.Regexp(t, `^[0-9a-f]{8}$`, r.Commit)
	require.False(t, r.Hop)
	require.NotContains(t, Known(), r.Version)
	require.False(t, Newest().Unreleased)
	released := r.Version
	released.Unreleased = false
	require.Negative(t, r.Version.Compare(released))
	require.False(t, IsKnown(released), "a release is not known by what its branch had before it")
	require.True(t, IsKnown(r.Version))
	require.Equal(t, r.Version, Of(released).Version)
	for _, one := range All() {
		require.False(t, one.Version.Unreleased)
		require.Empty(t, one.Commit)
	}
	for _, n := range r.Notes {
		require.Contains(t, n.Source, "@"+r.Commit, n.Do)
	}
	for _, need := range r.Needs.Controller {
		require.Contains(t, need.Source, "@"+r.Commit, need.Resource)
	}
	require.Contains(t, Of(r.Version).Chart.Source, "Dockerfile@"+r.Commit)
}

// toResearch says what a release is to be compared for, and where the answers go.
func toResearch(r release.Release, before string) string {
	name, at, file := "release "+r.Version.String(), "v"+r.Version.String(), fileOf(r.Version)
	if r.Version.Unreleased {
		name, at, file = "next", "master", "next.go"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s was never compared with %s: read github.com/kubeflow/spark-operator at both, ", name, before)
	fmt.Fprintf(&out, "and state in %s what differs.\n", file)
	for _, topic := range topics() {
		fmt.Fprintf(&out, "\n  %s?\n", topic.question)
		if topic.files != "" {
			fmt.Fprintf(&out, "    git diff %s %s -- %s\n", before, at, topic.files)
		}
		fmt.Fprintf(&out, "    fields: %s\n", topic.fields)
	}
	fmt.Fprintf(&out, "\n`go -C test test ./releases` compares it with the release itself. Compared: %q says that all was read.", before)
	return out.String()
}

// TestTopicsNameEveryField: what a release can say is something to look up.
func TestTopicsNameEveryField(t *testing.T) {
	named := map[string]bool{"Version": true, "Compared": true, "Set": true, ".Version": true, ".Hop": true, "Commit": true, ".Commit": true}
	for _, topic := range topics() {
		for _, field := range strings.Fields(topic.fields) {
			named[field] = true
		}
	}
	known := map[string]bool{}
	fields := func(of reflect.Type, prefix string) {
		for i := range of.NumField() {
			known[prefix+of.Field(i).Name] = true
		}
	}
	fields(reflect.TypeFor[release.Release](), "")
	fields(reflect.TypeFor[release.Facts](), ".")
	folded := []string{".Telltales", ".Mutations", ".Flaws", ".Defects", ".Grants", ".Needs", ".Fatal"} // of the lists of Release
	for _, name := range folded {
		require.True(t, known[name], name)
		delete(known, name)
	}
	require.Equal(t, known, named)
}
