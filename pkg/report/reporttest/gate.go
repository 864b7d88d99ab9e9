package reporttest

import (
	"fmt"
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Upgrade is from 2.3 to 2.5.2, over four hops.
func Upgrade() *check.Upgrade {
	controller := snapshot.Deployment{}
	controller.Ref = snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "spark-operator", Name: "spark-operator-controller"}
	controller.Labels = snapshot.LabelsOf(map[string]string{"app.kubernetes.io/instance": "spark", "helm.sh/chart": "spark-operator-2.3.0"})
	return &check.Upgrade{
		From: operator.Version{Major: 2, Minor: 3}, To: operator.Version{Major: 2, Minor: 5, Patch: 2},
		Installation: &operator.Installation{Namespace: "spark-operator", Name: "spark-operator", Controller: &controller, Recognised: true},
		Hops: []operator.Version{{Major: 2, Minor: 4}, {Major: 2, Minor: 5}, {Major: 2, Minor: 5, Patch: 1}, {Major: 2, Minor: 5,
			Patch: 2}},
	}
}

// Refused is SD7006.
func Refused() check.Check {
	return check.Check{ID: "SD7006", Slug: "name-refused-by-target", Title: "an object has a name that the target release refuses"}
}

// Conf is SD7007.
func Conf() check.Check {
	return check.Check{ID: "SD7007", Slug: "spark-conf-refused-by-target", Title: "a sparkConf has settings that the target release refuses"}
}

// gated is a finding of an upgrade.
func gated(c check.Check, o snapshot.Ref, severity check.Severity, hop operator.Version, message string,
	steps ...check.Step) check.Reported {
	f := Finding(c, o, severity, message)
	f.Hop, f.Next = hop, steps
	return f
}

// Gate is a no-go on two hops: steps with one object and with many, with more commands than are shown, and names
// that attack.
func Gate() *report.Report {
	u := Upgrade()
	names, settings := check.Result{Check: Refused(), Status: check.Failed}, check.Result{Check: Conf(), Status: check.Failed}
	anew := check.Step{When: check.Before, Do: "make it anew under a name that is a DNS-1035 label"}
	names.Findings = append(names.Findings,
		gated(Refused(), Spark("team-a", "1st.job"), check.Error, u.Hops[0],
			"operator 2.5.2 refuses its name at every change: of its spec, its labels, its finalizers", anew),
		gated(Refused(), Spark("team-b", Escapes), check.Error, u.Hops[0], `operator 2.5.2 refuses its name "`+Escapes+`"`, anew))
	for i := range 12 {
		o := Spark("team-a", fmt.Sprintf("2026.%02d", i+1))
		names.Findings = append(names.Findings, gated(Refused(), o, check.Warning, u.Hops[0],
			"operator 2.5.2 refuses its name at every change; it has ended",
			check.Step{When: check.Before, Do: "delete what has ended and is not needed",
				Command: fmt.Sprintf("kubectl delete sparkapplication/%s -n team-a", o.Name)}))
	}
	settings.Findings = append(settings.Findings, gated(Conf(), Spark("team-b", "etl"), check.Error, u.Hops[3],
		"operator 2.5.2 refuses each new run of it, because its sparkConf sets spark.master",
		check.Step{When: check.After, Do: "apply it again", Command: "kubectl apply -f 'team b/`etl````.yaml' # " + Escapes}))
	results := []check.Result{names, settings, {Check: Unused(), Status: check.Skipped, Reason: "could not list sparkconnects: forbidden"}}
	r := Build(Cluster(), results...)
	r.Scope.Installations[0].Version = "2.3.0"
	r.Gate = report.GateOf(u, results)
	r.Decide("error", false)
	return r
}

// GateGo is a go by one hop, with nothing to do but what every upgrade has.
func GateGo() *report.Report {
	u := &check.Upgrade{From: operator.Version{Major: 2, Minor: 5, Patch: 1}, To: operator.Version{Major: 2, Minor: 5, Patch: 2},
		Hops: []operator.Version{{Major: 2, Minor: 5, Patch: 2}}}
	results := []check.Result{{Check: Refused(), Status: check.NotApplicable,
		Reason: "came with 2.4.0, which the upgrade from 2.5.1 to 2.5.2 does not bring"}, {Check: Conf()}}
	r := Build(report.Source{Name: "files", Type: "files", Files: []string{"dump.yaml"}, Objects: 9}, results...)
	r.Scope.Installations = []report.Installation{}
	r.Gate = report.GateOf(u, results)
	r.Decide("error", false)
	return r
}

// HostileGate is a gate of which every text attacks, as somebody may have written it by hand.
func HostileGate(t *testing.T) *report.Report {
	t.Helper()
	r := Gate()
	r.Gate.From = Escapes
	r.Gate.Installed = Escapes
	r.Gate.To = Escapes
	r.Gate.Controller = Escapes
	r.Gate.Because = Escapes
	for i := range r.Gate.Hops {
		r.Gate.Hops[i] = Escapes
	}
	for i := range r.Items {
		r.Items[i].Hop = Escapes
	}
	for i := range r.Gate.Runbook {
		s := &r.Gate.Runbook[i]
		s.Do = Escapes
		s.Because = Escapes
		s.Check = Escapes
		s.Hop = Escapes
		s.Commands = []string{Escapes, "```", "\n::error::x"}
	}
	return Reread(t, r)
}
