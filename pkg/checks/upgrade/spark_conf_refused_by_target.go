package upgrade

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func sparkConfRefusedByTarget() check.Check {
	return check.Check{
		ID: "SD7007", Slug: "spark-conf-refused-by-target", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:    "a sparkConf has settings that the target release rejects",
		Gate:     check.Gate{Break: operator.SparkConfSince()},
		Needs:    specNeeds(),
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			u, mine := p.Upgrade, upgraded(p)
			var a check.Answer
			certainty, webhook := refuses(p.Snapshot, u)
			if !webhook {
				return a
			}
			for spec := range specsFields(p.Snapshot) {
				a.Judged++
				if !spec.mayGoTo(mine) {
					continue
				}
				if denied := deniedSettings(u.To, &spec); len(denied) > 0 {
					f := confRefused(&spec, u, denied)
					f.Certainty = certainty
					a.Findings = append(a.Findings, f)
				}
			}
			a.Unjudged = unreadSpecs(p.Snapshot)
			return a
		},
	}
}

// deniedSetting is a setting that a release refuses, and why.
type deniedSetting struct{ key, why string }

func deniedSettings(v operator.Version, spec *specFields) []deniedSetting {
	var out []deniedSetting
	for _, setting := range spec.Settings {
		if setting.Key == operator.NamespaceSetting && (spec.Namespace == "" || strings.Contains(setting.Value, "{{")) {
			continue // whether it is the object's own cannot be told
		}
		if why, denied := operator.DeniedSparkConf(v, setting.Key, setting.Value, spec.Namespace); denied {
			out = append(out, deniedSetting{setting.Key, why})
		}
	}
	return out
}

// confRefused states the finding. What makes new objects fails at the next one; what is there goes on and fails only when
// somebody changes it.
func confRefused(spec *specFields, u *check.Upgrade, denied []deniedSetting) check.Finding {
	keys := make([]string, 0, len(denied))
	f := check.Finding{About: check.OfApp(spec), Severity: check.Error,
		Field: spec.Path + ".sparkConf"}
	for _, d := range denied {
		keys = append(keys, d.key)
		f.Saw(spec.Ref, fmt.Sprintf("%s.sparkConf[%q]", spec.Path, d.key), "set: "+d.why)
	}
	what := facts.SomeOf(keys, facts.MaxNamed, "setting")
	switch {
	case spec.Path == "spec.template":
		f.Message = fmt.Sprintf("operator %s will reject every new run: its sparkConf sets %s", u.To, what)
	case spec.Path != "spec":
		f.What = spec.Path
		f.Message = fmt.Sprintf("operator %s will reject the %s that it applies: its sparkConf sets %s", u.To, spec.Kind, what)
	case spec.Over:
		f.Severity = check.Info
		f.Message = fmt.Sprintf("finished, but operator %s will reject it when it is applied again: its sparkConf sets %s", u.To, what)
	default:
		f.Severity = check.Warning
		f.Message = fmt.Sprintf(
			"keeps running, but operator %s will reject any spec change or re-create: its sparkConf sets %s", u.To, what)
	}
	f.Next = []check.Step{{When: check.Before, Do: "remove " + what + " from " + spec.Path + ".sparkConf in the manifest"}}
	return f
}

// unreadSpecs says how many specifications could not be judged.
func unreadSpecs(s *snapshot.Snapshot) []string {
	bad, unclear := 0, 0
	for _, app := range s.SparkApplications() {
		if app.Malformed != "" {
			bad++
		}
	}
	for _, o := range s.ScheduledSparkApplications() {
		if o.Malformed != "" {
			bad++
		}
	}
	for _, o := range s.SparkConnects() {
		if o.Malformed != "" {
			bad++
		}
	}
	for _, v := range workflowViews() {
		for _, w := range s.Workflows(v) {
			for _, t := range w.Templates {
				for _, m := range t.SparkObjects {
					if m.Unclear {
						unclear++
					}
				}
			}
		}
	}
	var out []string
	if bad > 0 {
		out = append(out, phrase.Counted(bad, "Spark object")+" could not be decoded")
	}
	if unclear > 0 {
		out = append(out, phrase.Counted(unclear, "Spark manifest")+" of workflows cannot be read without its parameters")
	}
	return out
}
