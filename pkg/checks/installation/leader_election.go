package installation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func leaderElection() check.Check {
	return check.Check{
		ID: "SD5005", Slug: "leader-election", Since: "0.1.0", Consequence: check.StopsAll,
		Title: "replicas of an operator do not have exactly one leader",
		Gate: check.Gate{
			Worse: "during the rollout the old and the new controller run side by side, and only leader election keeps them apart"},

		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.Leases, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.OperatorPods, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Relations: check.Relations{Breaks: []check.Part{check.Controller}},
		Requires:  []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			e := election{s: p.Snapshot, p: p.Params, leases: map[snapshot.Key]*snapshot.Lease{}}
			leases := p.Leases()
			for i := range leases {
				e.leases[leases[i].Key()] = &leases[i]
			}
			installations := facts.Installations().Of(p)
			shared := sharedLocks(installations)
			a.Findings = append(a.Findings, shared...)
			for i := range installations {
				in := &installations[i]
				if in.Controller != nil || in.Webhook != nil {
					a.Judged++
				}
				if d := in.Controller; d != nil && d.Replicas > 1 && in.ControllerLease().Name == "" {
					a.Findings = append(a.Findings, withoutElection(in))
				}
				for _, c := range in.Candidates() {
					if f, found := e.leaderless(in, c); found {
						a.Findings = append(a.Findings, f)
					}
				}
			}
			a.Unjudged = facts.UnjudgedBundles(e.unseen)
			return a
		},
	}
}

// withoutElection is about controllers only: replicas of the webhook answer side by side, and those that make a
// certificate read it from one Secret.
func withoutElection(in *operator.Installation) check.Finding {
	d := in.Controller
	f := check.Finding{
		About: check.Of(d), Severity: check.Error, Certainty: facts.VersionCertainty(in),
		Field: "spec.replicas", Identity: check.Identity{Kind: "off"},
		Message: fmt.Sprintf("%d replicas of operator %s run without leader election: each of them submits every application",
			d.Replicas, in.Stated),
		Evidence: []check.Evidence{
			{Object: d.Ref, Field: "spec.replicas", Value: fmt.Sprint(d.Replicas)},
			{Object: d.Ref, Field: "--leader-election", Value: "false"},
		},
	}
	f.Then(command.Do("run one replica until leader election is on").On("scale", d.Ref, "--replicas 1"))
	// The values of leader election came with 2.2.0 (charts/spark-operator-chart/values.yaml@v2.2.0); charts of 1.x pass
	// -leader-election for more than one replica (templates/deployment.yaml@spark-operator-chart-1.4.6).
	if in.Legacy() || in.Recognised && in.Version.Compare(operator.Version{Major: 2, Minor: 2}) < 0 {
		f.Then(command.Do("start it with --leader-election=true, as the chart does"))
	} else {
		f.Then(command.Set(in, command.Value{Path: "controller.leaderElection.enable", To: "true", Flag: "leader-election"}))
	}
	return f
}

// election knows the leases.
type election struct {
	s      *snapshot.Snapshot
	p      check.Params
	leases map[snapshot.Key]*snapshot.Lease
	unseen []string // reasons
}

// leaderless reports a Deployment with ready replicas of which none leads. Replicas that are not ready are SD5008's. The
// holder renews its lease every few seconds (--leader-election-retry-period), and the others take it over as soon as it has
// run out, so one that ran out long ago has neither.
func (e *election) leaderless(in *operator.Installation, c operator.Candidate) (check.Finding, bool) {
	d := c.Deployment
	if d.Replicas == 0 || d.Ready == 0 || !facts.Applied(&d.Object) || facts.Young(e.s, e.p, d.Created, d.Changed) {
		return check.Finding{}, false
	}
	ref := snapshot.Ref{APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Namespace: c.Lease.Namespace, Name: c.Lease.Name}
	f := check.Finding{
		About: check.Of(d), Severity: check.Error, Certainty: facts.VersionCertainty(in), Identity: check.Identity{Kind: "no leader"},
		Related: []snapshot.Ref{ref},
		Evidence: []check.Evidence{
			{Object: d.Ref, Field: "status.readyReplicas", Value: fmt.Sprintf("%d of %d", d.Ready, d.Replicas)},
			{Object: d.Ref, Field: "--leader-election-lock-name", Value: c.Lease.Name},
		},
	}
	f.Then(command.Do("read what its replicas log about the lease").
		With("kubectl -n %s logs deployment/%s --all-pods --since 1h", d.Namespace, d.Name),
		command.Restart("restart them: the new ones compete for the lease", d.Ref))
	if d != in.Controller {
		f.Severity = check.Warning // admission works on; what the leader does is to write caBundle
	}
	switch lease := e.leases[c.Lease]; {
	case lease == nil && in.Legacy():
		return check.Finding{}, false // before chart 1.2.7 the lock is a ConfigMap (main.go@spark-operator-chart-1.1.0)
	case lease == nil && !e.covers(c.Lease.Namespace):
		e.unseen = append(e.unseen, fmt.Sprintf("lease %s/%s was not seen", c.Lease.Namespace, c.Lease.Name))
		return check.Finding{}, false
	case lease == nil:
		f.Absent = []check.Absent{{View: snapshot.Leases, Ref: ref}}
		f.Message = fmt.Sprintf("%s ready, but lease %s/%s does not exist: no replica is the leader",
			phrase.CountedAre(int(d.Ready), "replica"), ref.Namespace, ref.Name)
	case e.s.TakenAt.Sub(lease.Renewed) <= lease.Duration+max(e.p.SettleAfter, minLeaseLag):
		return check.Finding{}, false
	default:
		f.Since = lease.Renewed
		f.Saw(lease.Ref, "spec.renewTime", facts.Timestamp(lease.Renewed))
		f.Saw(lease.Ref, "spec.holderIdentity", lease.Holder)
		f.Message = fmt.Sprintf("%s ready, but lease %s/%s has not been renewed %s", phrase.CountedAre(int(d.Ready), "replica"),
			ref.Namespace, ref.Name, facts.ForSince(lease.Renewed, e.s.TakenAt))
		f.Brief = fmt.Sprintf("%s ready, but none renews lease %s", phrase.CountedAre(int(d.Ready), "replica"), ref.Name)
		pod, there := holder(lease, operator.PodsOf(d, e.s.OperatorPods()))
		switch {
		case lease.Holder == "":
			f.Message += ", and it has no holder"
		case there && pod.Ready:
			f.Certainty = check.Likely // its clock may be wrong: it writes the time itself
			f.Message += fmt.Sprintf(", and its holder %s is ready", pod.Name)
		case !there && !e.s.Covers(snapshot.OperatorPods, d.Namespace):
			f.Certainty = check.Likely // the same, if it runs
		case !there:
			f.Message += fmt.Sprintf(", and its holder %s is gone", lease.Holder)
		}
	}
	return f, true
}

// covers reports whether a Lease that was not seen is absent. A dump that holds none at all leaves the kind out.
func (e *election) covers(namespace string) bool {
	return e.s.Covers(snapshot.Leases, namespace) && (!e.s.Files || len(e.leases) > 0)
}

// minLeaseLag allows for clocks that differ.
const minLeaseLag = time.Minute

// holder finds the pod that holds a lease: in 2.x the identity is its name, an underscore and a UUID
// (controller-runtime pkg/leaderelection/leader_election.go), in 1.x its name.
func holder(lease *snapshot.Lease, pods []*snapshot.OperatorPod) (*snapshot.OperatorPod, bool) {
	name, _, _ := strings.Cut(lease.Holder, "_")
	i := slices.IndexFunc(pods, func(p *snapshot.OperatorPod) bool { return p.Name == name })
	if i < 0 {
		return nil, false
	}
	return pods[i], true
}
