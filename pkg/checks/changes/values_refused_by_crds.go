package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
)

func valuesRefused() check.Check {
	return check.Check{
		ID: "SD7029", Slug: "values-refused-by-crds", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "an object has a value that the target's CRD rejects, and that of the cluster accepts",
		Gate:  check.Gate{OfManifests: true},
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
			{View: snapshot.CRDRules, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Run: func(p *check.Pass) check.Answer {
			c := comparedValues{s: p.Snapshot, u: p.Upgrade, seen: map[snapshot.View]bool{}}
			c.schedules()
			apps, connects := p.SparkApplications(), p.SparkConnects()
			for _, app := range apps {
				if !c.ofSchedule(app) {
					c.judge(snapshot.SparkApplications, &app.Object, app.Ended() || app.Terminating(), false)
				}
			}
			for i := range connects {
				c.judge(snapshot.SparkConnects, &connects[i].Object, connects[i].Terminating(), false)
			}
			c.notCompared()
			return c.Answer
		},
	}
}

// comparedValues are the values of stored objects as the CRDs of the cluster and of the manifests see them.
type comparedValues struct {
	check.Answer
	s       *snapshot.Snapshot
	u       *check.Upgrade
	ofThese map[snapshot.Key]bool // schedules, whose runs are as their templates
	seen    map[snapshot.View]bool
}

func (c *comparedValues) schedules() {
	c.ofThese = map[snapshot.Key]bool{}
	list := c.s.ScheduledSparkApplications()
	for i := range list {
		o := &list[i]
		c.ofThese[check.AppKey(o.Namespace, o.Name)] = true
		c.judge(snapshot.ScheduledSparkApplications, &o.Object, o.Terminating(), !o.Suspended)
	}
}

func (c *comparedValues) ofSchedule(app *snapshot.SparkApplication) bool {
	return c.ofThese[check.AppKey(app.Namespace, app.Labels.Get(snapshot.ScheduledAppLabel))]
}

// judge makes one finding of all values of an object that are newly refused. SD7008 is about mainApplicationFile, which the operator's
// webhook demands as well.
func (c *comparedValues) judge(view snapshot.View, o *snapshot.Object, over, runs bool) {
	c.Judged++
	c.seen[view] = true
	before := c.s.RulesOf(view)
	refused := slices.DeleteFunc(slices.Clone(o.Refused()), func(v schema.Violation) bool {
		return before[v.Path].Refuses(v) || v.Name == "mainApplicationFile"
	})
	if len(refused) == 0 {
		return
	}
	f := check.Finding{
		About: check.OfApp(o), Severity: check.Warning, Field: facts.SpecField(refused[0].Path),
	}
	next := c.u.Target.RulesOf(view)
	var texts []string
	for _, v := range refused {
		texts = append(texts, facts.Demand(next, v))
		f.Saw(o.Ref, facts.SpecField(v.Path), "refused by "+v.Keyword)
	}
	texts = slices.Compact(texts)
	says := facts.SomeOf(texts, facts.MaxNamed, "value")
	crds := fmt.Sprintf("the CRDs in the manifests of %s", c.u.To)
	switch {
	case over:
		f.Severity = check.Info
		f.Message = fmt.Sprintf("finished, but %s will reject it when it is applied again: %s", crds, says)
	case runs && c.runsRefused(refused):
		f.Severity = check.Error
		f.Message = fmt.Sprintf("%s will reject every new run: %s", crds, says)
	case onlyUnique(refused):
		f.Message = fmt.Sprintf("%s will reject a re-create: %s", crds, says)
	default:
		f.Message = fmt.Sprintf("%s will reject a re-create, and a change of that part: %s", crds, says)
	}
	if before == nil { // it may be refused today
		f.Certainty, f.Severity = check.Likely, min(f.Severity, check.Warning)
		f.Message += "; the CRD of the cluster, which may reject it as well, was not seen"
	}
	f.Next = []check.Step{{When: check.Before, Do: "change the manifests: " + says}}
	c.Findings = append(c.Findings, f)
}

// onlyUnique reports whether nothing but duplicates is refused: of an object that had them before, the API server accepts every change
// (ValidateUpdate in pkg/registry/customresource/strategy.go of k8s.io/apiextensions-apiserver@v0.36.3).
func onlyUnique(refused []schema.Violation) bool {
	return !slices.ContainsFunc(refused, func(v schema.Violation) bool { return v.Keyword != schema.Unique })
}

// runsRefused reports whether the API server rejects the runs of a schedule: they are SparkApplications with the template as their spec.
// Fields that are missing do not count: the operator writes most of them with their zero value (encoding of Go structs without omitempty,
// api/v1beta2/sparkapplication_types.go@v2.5.2).
func (c *comparedValues) runsRefused(refused []schema.Violation) bool {
	next := c.u.Target.RulesOf(snapshot.SparkApplications)
	return slices.ContainsFunc(refused, func(v schema.Violation) bool {
		path, ofRun := strings.CutPrefix(v.Path, "template.")
		return ofRun && v.Keyword != schema.Required && next[path].Refuses(v)
	})
}

// notCompared says where the target demands more of values, and no whole object was there to be held against it, as in an archive.
func (c *comparedValues) notCompared() {
	for _, view := range []snapshot.View{snapshot.SparkApplications, snapshot.ScheduledSparkApplications, snapshot.SparkConnects} {
		next, before := c.u.Target.RulesOf(view), c.s.RulesOf(view)
		if next == nil || c.s.Compared[view] != nil || !c.seen[view] {
			continue
		}
		resource, _, _ := strings.Cut(string(view), ".")
		narrowed := next.Narrowed(before)
		for i := range narrowed {
			narrowed[i] = facts.SpecField(narrowed[i])
		}
		switch {
		case before == nil:
			c.Unjudged = append(c.Unjudged, "whether the new CRD accepts stored "+resource+": what the installed CRD demands is not known")
		case len(narrowed) > 0:
			c.Unjudged = append(c.Unjudged, fmt.Sprintf("whether the new CRD accepts what stored %s set at %s: values were not compared",
				resource, facts.SomeOf(narrowed, facts.MaxNamed, "field")))
		}
	}
}
