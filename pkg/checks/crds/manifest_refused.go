package crds

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

func manifestRefused() check.Check {
	return check.Check{
		ID: "SD5014", Slug: "manifest-refused", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "the API server rejects a manifest, or drops fields of it",
		Gate:  check.Gate{Worse: "the CRDs of the target reject it as well, so it cannot be applied after the upgrade"},
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
		},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			m := manifests{written: p.Written, operator: len(facts.Installations().Of(p)) > 0}
			apps, schedules, connects := p.SparkApplications(), p.ScheduledSparkApplications(), p.SparkConnects()
			for _, app := range apps {
				m.judge(snapshot.SparkApplications, &app.Object, app, app.State != "")
			}
			for i := range schedules {
				m.judge(snapshot.ScheduledSparkApplications, &schedules[i].Object, schedules[i].Application(), schedules[i].State != "")
			}
			for i := range connects {
				c := &connects[i]
				m.judge(snapshot.SparkConnects, &c.Object, &snapshot.SparkApplication{Object: c.Object, Malformed: c.Malformed}, c.State != "")
			}
			return m.Answer
		},
	}
}

// manifests are objects that no API server has seen.
type manifests struct {
	check.Answer
	written  snapshot.Schemas
	operator bool // was seen: SD5003 judges templates by its release
}

// judge holds an object against the CRD. What of it could be decoded is in app.
func (m *manifests) judge(view snapshot.View, o *snapshot.Object, app *snapshot.SparkApplication, seen bool) {
	crd, stored := m.written[view], seen || !o.Written()
	if !stored && crd == nil {
		return
	}
	m.Judged++
	if stored {
		return // an API server has accepted it
	}
	before := len(m.Findings)
	m.name(o)
	if served := snapshot.SparkGroup + "/" + crd.Name; o.APIVersion != served {
		m.add(o, check.Error, "apiVersion", "%s: no known release of the operator serves another", "apiVersion must be "+served)
		return // its fields are those of another version
	}
	for _, v := range o.Refused() {
		m.refused(o, crd.Rules, v)
	}
	for _, path := range o.Unkept() {
		inRefused := func(v schema.Violation) bool { return v.Keyword == schema.Type && strings.HasPrefix(path, v.Path+".") }
		if !slices.ContainsFunc(o.Refused(), inRefused) {
			m.unknown(o, crd, path)
		}
	}
	switch u := app.Undecodable; {
	case app.Malformed != "" && len(m.Findings) == before:
		m.add(o, check.Error, "spec", "the API server rejects the manifest: %s", "it does not decode: "+app.Malformed)
	case u != nil && !m.operator:
		m.add(o, check.Error, app.Path(u.Path), "the webhook of 2.1 and later rejects the manifest: %s", app.Path(u.Path)+" "+u.Text)
	}
}

// add states a finding about a field that is wrong. why has the place of the text.
func (m *manifests) add(o *snapshot.Object, severity check.Severity, field, why, text string) {
	m.addTo("correct", o, severity, field, why, text)
}

// addTo states a finding, and what to do to the field.
func (m *manifests) addTo(do string, o *snapshot.Object, severity check.Severity, field, why, text string) {
	f := check.Finding{
		About: check.OfApp(o), Severity: severity, Field: field, Identity: check.Identity{What: field}, Message: fmt.Sprintf(why, text),
	}
	f.Saw(o.Ref, field, "in the manifest")
	f.ThenInManifest(command.Do("correct the manifest"), do+" "+field+" at "+command.Place)
	m.Findings = append(m.Findings, f)
}

// name judges what every API server demands of the name of a custom resource (ValidateObjectMetaAccessor with NameIsDNSSubdomain in
// pkg/registry/customresource/validator.go of k8s.io/apiextensions-apiserver@v0.36.3).
func (m *manifests) name(o *snapshot.Object) {
	if o.Name == "" || len(validation.IsDNS1123Subdomain(o.Name)) == 0 {
		return
	}
	m.add(o, check.Error, "metadata.name", "the API server rejects the name: %s", fmt.Sprintf(
		"use one that starts with a letter and has only a-z, 0-9 and '-' (max %d)", operator.LongestName(o.Kind, nil)))
}

// refused states that the CRD refuses a value. The webhook demands mainApplicationFile of some applications only, and so do the CRDs of
// some releases.
func (m *manifests) refused(o *snapshot.Object, rules schema.Rules, v schema.Violation) {
	field, text, do := facts.SpecField(v.At), facts.Demand(rules, v), "correct"
	switch v.Keyword {
	case schema.Unique: // 1.x takes them
		return
	case schema.Required:
		if v.Name == "mainApplicationFile" {
			return
		}
		field, do = field+"."+v.Name, "set"
	case schema.Type:
		text = fmt.Sprintf("%s is %s, and must be %s", field, facts.TypeOf(v), facts.Wanted(rules, v))
	case schema.Enum:
		text += spelling.Meant(spelling.Nearest(strings.Trim(v.Value, `"`), plain(rules[v.Path].Enum), 1))
	}
	m.addTo(do, o, check.Error, field, "the API server rejects the manifest: %s", text)
}

// plain are the strings of an enum.
func plain(enum []string) []string {
	out := make([]string, 0, len(enum))
	for _, one := range enum {
		out = append(out, strings.Trim(one, `"`))
	}
	return out
}

// unknown states that the CRD does not have a field. kubectl apply refuses it, and other clients are not told.
func (m *manifests) unknown(o *snapshot.Object, crd *snapshot.Schema, path string) {
	at, name := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		at, name = path[:i+1], path[i+1:]
	}
	var beside []string
	for _, field := range crd.Fields {
		if below, is := strings.CutPrefix(field, at); is && !strings.Contains(below, ".") {
			beside = append(beside, below)
		}
	}
	field := facts.SpecField(strings.ReplaceAll(path, ".[]", "[]"))
	m.add(o, check.Warning, field, "the API server drops %s", field+", which the CRD of "+operator.Newest().String()+" does not have"+
		spelling.Meant(spelling.Nearest(name, beside, 1)))
}
