package upgrade

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func sparkSubmitChanges() check.Check {
	return check.Check{
		ID: "SD7018", Slug: "spark-submit-changes", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title:    "Spark 4 will submit applications of Spark 2 or 3",
		Gate:     check.Gate{Break: operator.SparkFour()},
		Unscoped: true,
		Needs: append(RunsNeeds(snapshot.InNamespace),
			snapshot.Need{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			snapshot.Need{View: snapshot.Namespaces, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		),
		Requires: []check.Requirement{facts.Installations(), facts.Controllers()},
		Run: func(p *check.Pass) check.Answer {
			u := p.Upgrade
			in := Installed(p)
			mine := upgraded(p)
			list, unjudged := Runs(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			if in == nil {
				a.Unjudged = append(a.Unjudged, "which applications the operator submits, since none was seen")
				return a
			}
			if coming := u.Coming(); coming != nil && coming.Mirrored() && !strings.HasSuffix(coming.Repository(), mirroredPath) {
				a.Unjudged = append(a.Unjudged, "which Spark is in the image of "+u.Basis()+", "+coming.Repository())
				return a
			}
			a.Judged++
			by := map[string][]*snapshot.SparkApplication{}
			for _, app := range list {
				v := app.SparkVersion
				beforeFour := strings.HasPrefix(v, "2.") || strings.HasPrefix(v, "3.")
				if mine(app.Namespace) && in.Picks(app.Labels) && !app.Terminating() && beforeFour {
					by[v] = append(by[v], app)
				}
			}
			if len(by) > 0 {
				a.Findings = []check.Finding{submittedByFour(u, in, by)}
			}
			return a
		},
	}
}

// mirroredPath ends the name of a copy of the released image; what else it is called may be built on another Spark.
const mirroredPath = "/spark-operator/controller"

// submittedByFour states one finding with the applications by version. The driver runs with the Spark of its own image; what
// makes its pod is spark-submit, for which each version of the operator brings one (#2100, #2617).
func submittedByFour(u *check.Upgrade, in *operator.Installation, by map[string][]*snapshot.SparkApplication) check.Finding {
	d := in.Controller
	now, _ := operator.ChartOf(u.From)
	then, _ := operator.ChartOf(u.To)
	f := check.Finding{About: check.Of(d), Severity: check.Info, Certainty: check.Likely, Field: imageField}
	if now.Spark != "" {
		f.Saw(d.Ref, "spark-submit of "+u.Installed().String(), fmt.Sprintf("Spark %s, Java %d", now.Spark, now.Java))
	}
	f.Saw(d.Ref, "spark-submit of "+u.To.String(), fmt.Sprintf("Spark %s, Java %d (%s)", then.Spark, then.Java, then.Source))
	var counts []string
	for _, version := range slices.SortedFunc(maps.Keys(by), compareSpark) {
		apps := by[version]
		counts = append(counts, fmt.Sprintf("%d of Spark %s", len(apps), version))
		f.Saw(apps[0].Ref, apps[0].Path("spec.sparkVersion"), version)
		for _, app := range apps {
			f.Objects = append(f.Objects, app.Ref)
		}
		if compareSpark(version, "3.5") < 0 {
			f.Severity = check.Warning
		}
	}
	f.Message = fmt.Sprintf("operator %s submits with Spark %s on Java %d, which must still run %s (%s)", u.To, then.Spark, then.Java,
		facts.RunsText(f.Objects),
		facts.SomeOf(counts, facts.MaxNamed, "version"))
	f.Next = []check.Step{{When: check.Before,
		Do: "submit one application of each Spark version with the target, on a test cluster"}}
	return f
}

// compareSpark orders versions of Spark by their numbers.
func compareSpark(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		n, errN := strconv.Atoi(x[i])
		m, errM := strconv.Atoi(y[i])
		if errN != nil || errM != nil {
			break
		}
		if n != m {
			return cmp.Compare(n, m)
		}
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}
