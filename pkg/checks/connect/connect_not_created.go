package connect

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// What keeps a SparkConnect without a state, where the next step depends on it.
const (
	unwatched  check.Kind = "not watched"
	tooOld     check.Kind = "release too old"
	incomplete check.Kind = "incomplete"
)

func notCreated() check.Check {
	return check.Check{
		ID: "SD9001", Slug: "connect-not-created", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "a SparkConnect has no state: the operator has not created all parts of it",
		Needs: []snapshot.Need{
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Consulted},
			{View: snapshot.Deployments, Role: snapshot.Compared, Scope: snapshot.Everywhere},
			{View: snapshot.ResourceQuotas, Role: snapshot.Consulted},
		},
		Relations: check.Relations{CausedBy: []check.Cause{
			{Breaks: check.Controller, Where: check.RelatedMember}, {Breaks: check.ControllerCache, Where: check.RelatedMember},
			{Breaks: check.DriverAccount, Where: check.RelatedMember}, {Breaks: check.ApplicationName, Where: sameObject},
		}},
		Requires: []check.Requirement{facts.Controllers(), facts.Quotas()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			k := facts.Controllers().Of(p)
			pods := membersOf(p.Snapshot, list)
			quotas := facts.Quotas().Of(p)
			unsure, down := 0, 0
			for _, c := range list {
				if c.State != "" || c.Terminating() || c.Created.IsZero() || p.TakenAt.Sub(c.Created) <= p.NewAfter {
					continue
				}
				in, sure := k.Watching(c.Namespace)
				n := newServer{c, in, p.Snapshot, pods[[2]string{c.Namespace, c.Name}], quotas[c.Namespace]}
				switch {
				case in == nil && len(k.List) > 0 && p.CoversAll(snapshot.Deployments) && sure:
					f := n.unwatched(k)
					f.Then(n.watch(facts.Installations().Of(p)))
					a.Findings = append(a.Findings, f)
				case in == nil, !sure:
					unsure++
				case in.Down():
					down++
				case in.Recognised && !operator.StartsConnect(in.Version):
					a.Findings = append(a.Findings, n.tooOld())
				default:
					a.Findings = append(a.Findings, n.incomplete())
				}
			}
			a.PassOver(unsure, fmt.Sprintf("which operator creates %s depends on operators or labels of namespaces that were not seen",
				phrase.Counted(unsure, "SparkConnect")))
			a.PassOver(down, phrase.Counted(down, "SparkConnect")+phrase.Verb(down, " waits", " wait")+
				" for a controller that has no ready replica")
			return a
		},
	}
}

func sameObject(f, cause *check.Finding) bool { return cause.IsAbout(f.Object) }

// newServer is a SparkConnect without a state. The operator writes one in the pass in which it has created the ConfigMap, the server pod
// and the Service; it stops at the first of them that fails, and records no event (Reconcile in
// internal/controller/sparkconnect/reconciler.go@v2.3.0 to @v2.5.2).
type newServer struct {
	*snapshot.SparkConnect
	in     *operator.Installation
	s      *snapshot.Snapshot
	pods   *members
	quotas []*snapshot.ResourceQuota
}

func (n newServer) finding(kind check.Kind, because string) check.Finding {
	f := check.Finding{
		About: check.Of(n), Severity: check.Error, Identity: check.Identity{Kind: kind, What: string(kind)},
		Field: "status.state", Verdict: check.Verdict{Since: n.Created, Brief: because},
		Message: fmt.Sprintf("still no state %s after it was created: %s", facts.Age(n.Created, n.s.TakenAt), because),
		Evidence: []check.Evidence{stateOf(n.SparkConnect),
			{Object: n.Ref, Field: "metadata.creationTimestamp", Value: facts.Timestamp(n.Created)}},
	}
	if n.in != nil {
		f.Certainty = facts.VersionCertainty(n.in)
		f.Related = []snapshot.Ref{n.in.Controller.Ref}
		f.Shared = string(kind) + " " + n.in.Controller.Namespace + "/" + n.in.Controller.Name
		f.Evidence = append(f.Evidence, facts.ToldTo(n.in))
	}
	return f
}

func (n newServer) unwatched(k *facts.Assignment) check.Finding {
	f := n.finding(unwatched, "no operator watches namespace "+n.Namespace)
	f.Shared = string(unwatched) + " " + n.Namespace
	for _, in := range k.List {
		f.Certainty = max(f.Certainty, facts.VersionCertainty(in))
		f.Evidence = append(f.Evidence, facts.ToldTo(in))
		f.Related = append(f.Related, in.Controller.Ref)
	}
	return f
}

// watch has the namespace watched.
func (n newServer) watch(installations []operator.Installation) check.Command {
	if len(installations) != 1 {
		return command.Do("add %s to spark.jobNamespaces in the values of the operator that should run it", n.Namespace)
	}
	in := &installations[0]
	if selector := in.NamespaceSelector(); selector != "" && len(in.Listed()) == 0 {
		return command.Do("label the namespace as --namespace-selector asks").With("kubectl label namespace %s %s", n.Namespace, selector)
	}
	return command.Set(in, command.JobNamespaces(in, append(append([]string{}, in.Listed()...), n.Namespace)))
}

// tooOld is about an operator that has no controller for SparkConnect: 2.3.0 introduced it (#2569).
func (n newServer) tooOld() check.Finding {
	f := n.finding(tooOld, fmt.Sprintf("operator %s, which watches the namespace, does not know SparkConnect: release 2.3.0 introduced it",
		n.in.Stated))
	f.Then(command.Upgrade(n.in, operator.Version{Major: 2, Minor: 3}, ", which knows SparkConnect"))
	return f
}

// incomplete names what is missing as far as the API tells. Only the operator's log says why.
func (n newServer) incomplete() check.Finding {
	because := "the operator has not created its server pod, and only the operator's log says why"
	f := n.finding(incomplete, because)
	next := command.Do("read what the controller logs about it").With("kubectl -n %s logs deployment/%s --since 1h | grep %s",
		n.in.Controller.Namespace, n.in.Controller.Name, n.Name)
	switch {
	case n.pods != nil && n.pods.server != nil:
		because = "its server pod exists, but the operator could not create its Service or write its status, and only the operator's log " +
			"says why"
		f.Related = append(f.Related, n.pods.server.Ref)
		f.Saw(n.pods.server.Ref, "status.phase", n.pods.server.Phase)
	case !n.s.Covers(snapshot.SparkPods, n.Namespace):
		because = "the operator has not created all parts of it, and only the operator's log says why"
	default:
		for _, q := range n.quotas {
			if limit := facts.NoRoom(q, snapshot.Requests{}); limit != nil {
				because = fmt.Sprintf("the operator cannot create its server pod while %s has no room (%s: %s of %s used)", q.Ref, limit.Resource,
					limit.Used, limit.Hard)
				f.Certainty = check.Likely
				next = command.Do("see what uses the quota; raise it, or free some of it").On("describe", q.Ref)
				f.Related = append(f.Related, q.Ref)
				f.Saw(q.Ref, "status.used", fmt.Sprintf("%s: %s of %s used", limit.Resource, limit.Used, limit.Hard))
				break
			}
		}
	}
	f.Then(askWhy(n.SparkConnect), next)
	f.Brief = because
	f.Message = fmt.Sprintf("still no state %s after it was created, although %s watches its namespace: %s",
		facts.Age(n.Created, n.s.TakenAt), n.in.Controller, because)
	return f
}
