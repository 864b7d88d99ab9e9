package scan

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func parsePicks(arg string) (list []Pick, err error) {
	for _, one := range strings.Fields(arg) {
		p, err := ParsePick(one)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func TestPicks(t *testing.T) {
	object := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "etl-driver"}
	other := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "etl-exec-1"}
	f := &check.Reported{Check: "SD4001", Finding: check.Finding{About: check.About{Object: object, Objects: []snapshot.Ref{object, other}}}}
	for arg, want := range map[string][2]bool{
		"":                            {true, false}, // no argument at all
		"SD4001":                      {true, false},
		"orphan-pod":                  {true, false},
		"sd4001":                      {true, false},
		"SD4002":                      {false, false},
		"SD4001=a/etl-driver":         {true, true},
		"SD4001=etl-driver":           {true, true},
		"SD4001=a/etl-exec-1":         {true, true}, // folded under the finding
		"SD4001=b/etl-driver":         {false, false},
		"SD4001=other":                {false, false},
		"SD4002=a/etl-driver":         {false, false},
		f.Fingerprint():               {true, true},
		"sd4001-000000000000":         {false, false},
		"SD4002 SD4001=a/etl-driver":  {true, true},
		"SD4001 SD4001=a/etl-driver":  {true, true},
		"SD4001=a/nothing orphan-pod": {true, false},
	} {
		picks, err := parsePicks(arg)
		require.NoError(t, err, arg)
		selected, named := picked(picks, f)
		require.Equal(t, want, [2]bool{selected, named}, arg)
	}
}

// TestChosen: who names one of many objects gets no other.
func TestChosen(t *testing.T) {
	namespace := snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: "a"}
	app := func(name string) snapshot.Ref {
		return snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "a", Name: name}
	}
	f := &check.Reported{Check: "SD6008",
		Finding: check.Finding{About: check.About{Object: namespace, Objects: []snapshot.Ref{app("one"), app("two"), app("three")}}}}
	all := []plan.Candidate{{Intent: fix.DeleteObject{Object: app("one")}}, {Intent: fix.DeleteObject{Object: app("two")}}}
	for arg, want := range map[string]string{
		"":                                 "one two", // and refused, for none is named
		"SD6008":                           "one two",
		"SD6008=a":                         "one! two!",
		f.Fingerprint():                    "one! two!",
		"SD6008=a/one":                     "one!",
		"SD6008=two":                       "two!",
		"SD6008=a/one SD6008=a/two":        "one! two!",
		"SD6008 SD6008=a/one":              "one! two",
		"SD6008=a/three":                   "one! two!", // repaired by what is done to others
		"SD4001=a/one SD6008=a/two SD2001": "two!",
	} {
		picks, err := parsePicks(arg)
		require.NoError(t, err, arg)
		var got []string
		for _, c := range chosen(picks, f, all) {
			name := fix.TraitsOf(c.Intent).Target.Name
			if c.Named {
				name += "!"
			}
			got = append(got, name)
		}
		require.Equal(t, want, strings.Join(got, " "), arg)
	}
}

// TestChosenOfAlike: the first of many applications is one of them, and the first of the pods of one stands for all.
func TestChosenOfAlike(t *testing.T) {
	ref := func(kind, name string) snapshot.Ref { return snapshot.Ref{Kind: kind, Namespace: "a", Name: name} }
	for kind, want := range map[string]int{"SparkApplication": 1, "Pod": 2} {
		f := &check.Reported{Check: "SD2002",
			Finding: check.Finding{About: check.About{Object: ref(kind, "one"), Objects: []snapshot.Ref{ref(kind, "one"), ref(kind, "two")}}}}
		all := []plan.Candidate{{Intent: fix.DeleteObject{Object: ref(kind, "one")}}, {Intent: fix.DeleteObject{Object: ref(kind, "two")}}}
		picks, err := parsePicks("SD2002=a/one")
		require.NoError(t, err)
		require.Len(t, chosen(picks, f, all), want, kind)
		picks, err = parsePicks(f.Fingerprint())
		require.NoError(t, err)
		require.Len(t, chosen(picks, f, all), 2, "the finding as a whole")
		f.Fixes = []fix.Intent{all[0].Intent, all[1].Intent}
		command := map[string]string{"SparkApplication": f.Fingerprint(), "Pod": "SD2002=a/one"}[kind]
		f.ThenRepair("repair it")
		require.Contains(t, f.Steps()[0].Command, "fix "+command, "the command that is printed repairs the whole finding")
	}
}

// TestEndings: what the checks say afterwards.
func TestEndings(t *testing.T) {
	object := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: "p"}
	finding := check.Reported{Check: "SD4001",
		Finding: check.Finding{About: check.Named(object), Severity: check.Warning, Message: "still there"}}
	planned := checks.Planned(&finding)
	worsened := finding
	worsened.Severity = check.Error
	result := func(status check.Status, findings ...check.Reported) []check.Result {
		return []check.Result{{Check: check.Check{ID: "SD4001"}, Status: status, Findings: findings, Reason: "because"}}
	}
	for name, tc := range map[string]struct {
		results []check.Result
		want    State
	}{
		"gone":      {result(check.Passed), Resolved},
		"there":     {result(check.Failed, finding), Unchanged},
		"worse":     {result(check.Failed, worsened), Worse},
		"not asked": {nil, NotVerified},
		"blind":     {result(check.Skipped), NotVerified},
		"in part":   {[]check.Result{{Check: check.Check{ID: "SD4001"}, Status: check.Passed, Partial: true}}, NotVerified},
	} {
		t.Run(name, func(t *testing.T) {
			endings := endingsOf([]plan.Finding{planned}, &Diagnosis{Snapshot: snapshot.NewBuilder(time.Time{}).Seal(), Results: tc.results})
			require.Equal(t, tc.want, endings[0].State)
			require.Equal(t, planned, endings[0].Finding)
		})
	}
}

// TestBlind: what a check could not look at is said.
func TestBlind(t *testing.T) {
	require.Empty(t, blind(check.Result{Status: check.Passed}))
	require.Contains(t, blind(check.Result{Status: check.Skipped, Reason: "no permission"}), "no permission")
	r := check.Result{Status: check.Failed, Partial: true, Unseen: []snapshot.Unseen{{Verb: "list", Resource: "pods", Namespace: "b",
		Reason: "forbidden"}}}
	require.Equal(t, "the check could not read everything: list pods b: forbidden", blind(r))
}
