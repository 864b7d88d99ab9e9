package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func changesNotCovered() check.Check {
	return check.Check{
		ID: "SD7026", Slug: "changes-not-covered", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title:    "the manifests change something that no other check covers",
		Unscoped: true,
		Gate:     check.Gate{OfManifests: true},
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.MutatingWebhooks, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.ValidatingWebhooks, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.OperatorCRDs, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.SparkConnects, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Access()), facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			u, in := p.Upgrade, upgrade.Installed(p)
			if in == nil {
				return check.Answer{Unjudged: []string{"which changes the manifests make, since no operator was seen"}}
			}
			if !in.Controller.Detailed {
				return check.Answer{Unjudged: []string{"which changes the manifests make, since the archive of an older build does not tell"}}
			}
			a := check.Answer{Judged: 1}
			coming := u.Coming()
			for _, part := range partsOf(in, coming) {
				a.Findings = append(a.Findings, part.differs(u, "flags", flagChanges(u, part))...)
				a.Findings = append(a.Findings, part.differs(u, "pods", traitChanges(part))...)
				a.Findings = append(a.Findings, part.differs(u, "verbs", verbChanges(p, u, part))...)
			}
			whole := upgradedPart{name: "the operator", now: in.Controller}
			a.Findings = append(a.Findings, whole.differs(u, "webhooks", webhookChanges(p.Snapshot, facts.Installations().Of(p), u))...)
			a.Findings = append(a.Findings, fieldFindings(p.Snapshot, u, whole)...)
			return a
		},
	}
}

// upgradedPart is a process now and then. The one process of 1.x becomes the controller: its webhook is another's from then on.
type upgradedPart struct {
	name      string
	to        operator.Account
	now, then *snapshot.Deployment
}

func partsOf(in, coming *operator.Installation) []upgradedPart {
	out := []upgradedPart{{"the controller", operator.ToController, in.Controller, coming.Controller}}
	if in.Webhook != nil && in.Webhook != in.Controller && coming.Webhook != nil {
		out = append(out, upgradedPart{"the webhook", operator.ToWebhook, in.Webhook, coming.Webhook})
	}
	return out
}

// change is one difference; rank orders by consequence: what goes, what differs, what is new.
type change struct {
	rank      changeRank
	what      string
	now, then string
}

type changeRank int

const (
	goes changeRank = iota
	differs
	comes
)

// text is for a message: the values are in the evidence.
func (c change) text() string { return [...]string{"loses ", "changes ", "gains "}[c.rank] + c.what }

// differs makes one finding of the changes of a kind: their number is short, and the evidence has them all.
func (p upgradedPart) differs(u *check.Upgrade, kind check.Kind, list []change) []check.Finding {
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b change) int { return int(a.rank) - int(b.rank) })
	f := check.Finding{
		About: check.About{Object: upgrade.ReleaseRef(u), Seen: &p.now.Object}, Severity: check.Info,
		Identity: check.Identity{Kind: kind, What: p.name + " " + string(kind)},
		Next:     []check.Step{{When: check.Before, Do: "read the changes that no check covers, and decide whether they are meant"}},
	}
	var texts []string
	for _, c := range list {
		texts = append(texts, c.text())
		value := c.now + " → " + c.then
		switch c.rank {
		case goes:
			value = orSet(c.now) + " → none"
		case comes:
			value = "none → " + orSet(c.then)
		}
		f.Saw(f.Object, c.what, value)
	}
	f.Message = fmt.Sprintf("with the manifests of %s, %s %s; no check judges that", u.To, p.name, facts.SomeOf(texts, maxChanges, "change"))
	return []check.Finding{f}
}

func orSet(value string) string {
	if value == "" {
		return "set"
	}
	return value
}

// maxChanges are named in a message.
const maxChanges = 4

// compared returns the changes of values by their names.
func compared(now, then map[string]string, covered func(name string) bool) []change {
	var out []change
	for name, value := range now {
		next, stays := then[name]
		switch {
		case covered(name):
		case !stays:
			out = append(out, change{goes, name, value, ""})
		case next != value:
			out = append(out, change{differs, name, value, next})
		}
	}
	for name, value := range then {
		if _, was := now[name]; !was && !covered(name) {
			out = append(out, change{comes, name, "", value})
		}
	}
	slices.SortFunc(out, func(a, b change) int { return strings.Compare(a.what, b.what) })
	return out
}
