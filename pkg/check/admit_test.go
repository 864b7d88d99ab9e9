package check_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// A check that needs a subject, something to compare with, and something that sharpens. It finds every application.
func example(run func(*check.Pass) check.Answer) check.Check {
	return check.Check{
		ID: "SD0000", Slug: "example",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
			{View: snapshot.Deployments, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		},
		Run: run,
	}
}

func everyApplication(s *check.Pass) check.Answer {
	var a check.Answer
	for _, app := range s.SparkApplications() {
		a.Findings = append(a.Findings, check.Finding{About: check.Named(app.Ref), Severity: check.Error})
	}
	return a
}

var forbidden = snapshot.Unseen{Verb: "list", Resource: "pods", Reason: "forbidden"}

func with(apps, pods, deployments snapshot.Coverage, change ...func(*snapshot.Builder)) *snapshot.Snapshot {
	b := snapshot.NewBuilder(time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC))
	b.FromServer()
	app := snapshot.SparkApplication{Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2",
		Kind: "SparkApplication", Namespace: "team-a", Name: "etl"}}}
	b.Add(snapshot.SparkApplications, &app)
	b.Cover(snapshot.SparkApplications, apps)
	b.Cover(snapshot.SparkPods, pods)
	b.Cover(snapshot.Deployments, deployments)
	for _, c := range change {
		c(b)
	}
	return b.Seal()
}

func TestCoverageDecidesWhatACheckMaySay(t *testing.T) {
	complete := snapshot.Coverage{State: snapshot.Complete}
	blind := snapshot.Coverage{State: snapshot.Unseeable, Unseen: []snapshot.Unseen{forbidden}}
	partly := snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{"team-a"}, Unseen: []snapshot.Unseen{forbidden}}
	files := func(b *snapshot.Builder) { b.FromFiles(false) }
	asked := func(b *snapshot.Builder) { b.Asked([]string{"team-a"}) }
	elsewhere := func(b *snapshot.Builder) { b.Asked([]string{"team-b"}) }
	excerpt := snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{}} // of which nothing was refused
	for name, c := range map[string]struct {
		s       *snapshot.Snapshot
		status  check.Status
		partial bool
		likely  bool
	}{
		"everything seen":          {with(complete, complete, complete), check.Failed, false, false},
		"no subject can be read":   {with(blind, complete, complete), check.Skipped, false, false},
		"nothing to compare with":  {with(complete, blind, complete), check.Skipped, false, false},
		"compared in part":         {with(complete, partly, complete), check.Failed, true, false},
		"what sharpens is missing": {with(complete, complete, blind), check.Failed, false, true},
		"a kind that is not served is empty": {with(complete, snapshot.Coverage{State: snapshot.NotServed}, complete), check.Failed, false,
			false},
		"the part that was asked for is all":                     {with(complete, partly, complete, asked), check.Failed, false, false},
		"nothing to compare with in the part that was asked for": {with(complete, partly, complete, elsewhere), check.Skipped, false, false},
		"no subject can be read in the part that was asked for":  {with(partly, complete, complete, elsewhere), check.Skipped, false, false},
		"a part of one that was asked for": {with(snapshot.Coverage{State: snapshot.Partial, Unseen: []snapshot.Unseen{forbidden}},
			complete, complete, asked), check.Failed, true, false},
		"a part that nothing was refused of": {with(complete, excerpt, complete, asked), check.Failed, true, false},
		"no subject in the files": {with(snapshot.Coverage{State: snapshot.NotInput}, complete, complete, files),
			check.NotApplicable, false, false},
		"nothing to compare with in the files": {with(complete, snapshot.Coverage{State: snapshot.NotInput}, complete, files),
			check.NotApplicable, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := check.Run(c.s, []check.Check{example(everyApplication)}, check.DefaultParams())[0]
			require.Equal(t, c.status, r.Status, r.Reason)
			require.Equal(t, c.partial, r.Partial)
			if r.Partial && len(r.Unseen) > 0 || r.Status == check.Skipped {
				require.Equal(t, []snapshot.Unseen{forbidden}, r.Unseen)
			}
			if c.status == check.Failed {
				require.Equal(t, c.likely, r.Findings[0].Certainty == check.Likely)
				return
			}
			require.NotEmpty(t, r.Reason)
			require.Empty(t, r.Findings)
		})
	}
}

// What a check judged, and what it could not judge, decides how it ends where it found nothing.
func TestAnAnswerDecidesHowACheckEnds(t *testing.T) {
	complete := snapshot.Coverage{State: snapshot.Complete}
	live := with(complete, complete, complete)
	whole := with(complete, complete, complete, func(b *snapshot.Builder) { b.FromFiles(true) })
	excerpt := with(complete, complete, complete, func(b *snapshot.Builder) { b.FromFiles(false) })
	some := []string{"2 Secrets were not seen"}
	for _, c := range []struct {
		name    string
		s       *snapshot.Snapshot
		answer  check.Answer
		status  check.Status
		partial bool
		reason  string
	}{
		{"all judged", live, check.Answer{Judged: 3}, check.Passed, false, ""},
		{"no subject in a cluster", live, check.Answer{}, check.Passed, false, ""},
		{"no subject in files that are everything", whole, check.Answer{}, check.Passed, false, ""},
		{"no subject in other files", excerpt, check.Answer{}, check.NotApplicable, false, "the input holds nothing that it judges"},
		{"a subject in other files", excerpt, check.Answer{Judged: 1}, check.Passed, false, ""},
		{"some unjudged", live, check.Answer{Judged: 1, Unjudged: some}, check.Passed, true, some[0]},
		{"some unjudged in files", excerpt, check.Answer{Judged: 1, Unjudged: some}, check.Passed, true, some[0]},
		{"none judged in a cluster", live, check.Answer{Unjudged: some}, check.Skipped, false, some[0]},
		{"none judged in files that are everything", whole, check.Answer{Unjudged: some}, check.NotApplicable, false, some[0]},
		{"none judged in other files", excerpt, check.Answer{Unjudged: some}, check.NotApplicable, false, some[0]},
		{"not for a fork", live, check.Answer{NotApplicable: "a fork"}, check.NotApplicable, false, "a fork"},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := example(func(*check.Pass) check.Answer { return c.answer })
			r := check.Run(c.s, []check.Check{asked}, check.DefaultParams())[0]
			require.Equal(t, c.status, r.Status)
			require.Equal(t, c.partial, r.Partial)
			require.Equal(t, c.reason, r.Reason)
		})
	}
}

// A check that saw no subject could not look where some may be in what was not read, be that one of several views or a part of one.
func TestNoSubjectSeenIsNoPassWhereSomeWereNotRead(t *testing.T) {
	complete := snapshot.Coverage{State: snapshot.Complete}
	blind := snapshot.Coverage{State: snapshot.Unseeable, Unseen: []snapshot.Unseen{forbidden}}
	partly := snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{"team-b"}, Unseen: []snapshot.Unseen{forbidden}}
	for _, c := range []struct {
		name    string
		connect snapshot.Coverage
		judged  int
		change  func(*snapshot.Builder)
		status  check.Status
		partial bool
	}{
		{"all was read", complete, 0, nil, check.Passed, false},
		{"a kind that is not served", snapshot.Coverage{State: snapshot.NotServed}, 0, nil, check.Passed, false},
		{"one of two views could not be read", blind, 0, nil, check.Skipped, false},
		{"some namespaces could not be read", partly, 0, nil, check.Skipped, false},
		{"some were judged", partly, 1, nil, check.Passed, true},
		{"what was asked about was read", partly, 0, func(b *snapshot.Builder) { b.Asked([]string{"team-b"}) }, check.Passed, false},
		{"files", partly, 0, func(b *snapshot.Builder) { b.FromFiles(false) }, check.NotApplicable, false},
		{"files that are everything", partly, 0, func(b *snapshot.Builder) { b.FromFiles(true) }, check.Skipped, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := with(complete, complete, complete, func(b *snapshot.Builder) {
				b.Cover(snapshot.SparkConnects, c.connect)
				if c.change != nil {
					c.change(b)
				}
			})
			asked := example(func(*check.Pass) check.Answer { return check.Answer{Judged: c.judged} })
			asked.Needs = append(asked.Needs, snapshot.Need{View: snapshot.SparkConnects, Role: snapshot.Subject})
			r := check.Run(s, []check.Check{asked}, check.DefaultParams())[0]
			require.Equal(t, c.status, r.Status, r.Reason)
			require.Equal(t, c.partial, r.Partial)
			if c.status == check.Skipped {
				require.Equal(t, "could not list pods: forbidden", r.Reason)
			}
		})
	}
}

// What a check consults it can do without, but says so; it decides itself how sure it is.
func TestWhatIsConsultedAndNotSeenMakesACheckPartial(t *testing.T) {
	complete := snapshot.Coverage{State: snapshot.Complete}
	for state, partial := range map[snapshot.State]bool{
		snapshot.Complete: false, snapshot.NotAsked: false, snapshot.NotInput: false, snapshot.NotServed: false, snapshot.Partial: true,
		snapshot.Unseeable: true,
	} {
		cover := snapshot.Coverage{State: state}
		if partial {
			cover.Unseen = []snapshot.Unseen{forbidden}
		}
		c := example(everyApplication)
		c.Needs[1].Role = snapshot.Consulted
		r := check.Run(with(complete, cover, complete), []check.Check{c}, check.DefaultParams())[0]
		require.Equal(t, check.Failed, r.Status, state)
		require.Equal(t, check.Proven, r.Findings[0].Certainty, state)
		require.Equal(t, partial, r.Partial, state)
		require.Equal(t, cover.Unseen, r.Unseen, state)
	}
}

func TestAbsenceIsOnlyClaimedWhereSomebodyLooked(t *testing.T) {
	missing := func(namespace string) func(*check.Pass) check.Answer {
		return func(*check.Pass) check.Answer {
			return check.Answer{Findings: []check.Finding{{About: check.Named(snapshot.Ref{Kind: "SparkApplication",
				Namespace: namespace, Name: "etl"}),
				Confirmation: check.Confirmation{Absent: []check.Absent{{View: snapshot.SparkPods,
					Ref: snapshot.Ref{Kind: "Pod", Namespace: namespace, Name: "etl-driver"}}}}}}}
		}
	}
	complete := snapshot.Coverage{State: snapshot.Complete}
	partly := snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{"team-a"}, Unseen: []snapshot.Unseen{forbidden}}
	s := with(complete, partly, complete)
	require.Len(t, check.Run(s, []check.Check{example(missing("team-a"))}, check.DefaultParams())[0].Findings, 1)
	require.Empty(t, check.Run(s, []check.Check{example(missing("team-b"))}, check.DefaultParams())[0].Findings)
}

func TestAnUndeclaredReadIsAnInternalError(t *testing.T) {
	complete := snapshot.Coverage{State: snapshot.Complete}
	c := example(func(s *check.Pass) check.Answer { s.WarningEvents(); return check.Answer{} })
	other := example(everyApplication)
	other.ID = "SD0001"
	results := check.Run(with(complete, complete, complete), []check.Check{c, other}, check.DefaultParams())
	require.Equal(t, check.Skipped, results[0].Status)
	require.Contains(t, results[0].Reason, "internal error in SD0000: undeclared read of view")
	require.Equal(t, check.Failed, results[1].Status, "the others go on")
}

func TestAbsenceNeedsEverything(t *testing.T) {
	complete := snapshot.Coverage{State: snapshot.Complete}
	c := example(everyApplication)
	c.Absence = true
	partial := check.Run(with(complete, complete, complete, func(b *snapshot.Builder) { b.FromFiles(false) }), []check.Check{c},
		check.DefaultParams())[0]
	require.Equal(t, check.NotApplicable, partial.Status)
	require.Contains(t, partial.Reason, "--complete")
	whole := check.Run(with(complete, complete, complete, func(b *snapshot.Builder) { b.FromFiles(true) }), []check.Check{c},
		check.DefaultParams())[0]
	require.Equal(t, check.Failed, whole.Status)
}
