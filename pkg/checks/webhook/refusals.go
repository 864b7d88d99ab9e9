package webhook

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// about keeps entries of webhooks of these names.
func about(names ...string) func(facts.Logged) bool {
	return func(l facts.Logged) bool { return slices.Contains(names, l.About) }
}

// refusalsOf returns the handshakes with one pod that clients ended because of the certificate.
func (j *replicaJudge) refusalsOf(pod string) []facts.Logged {
	return slices.DeleteFunc(slices.Clone(j.refused), func(l facts.Logged) bool {
		return l.Sign != snapshot.CertificateRefused || l.Name != pod
	})
}

// prove makes a suspicion certain if a replica that is under it says itself that its certificate was refused, under the
// caBundle that there is now.
func (j *replicaJudge) prove(f *check.Finding, names []string) {
	for _, name := range names {
		if said := j.refusalsOf(name); len(said) > 0 {
			f.Certainty = check.Proven
			f.Evidence = append(f.Evidence, facts.Quote(said)...)
		}
	}
}

// refusedAlone suspects replicas for what they say and others do not: a client that trusts nobody, a scanner, would be
// heard of by all. It takes two replicas that ran at the same time, the logs of all, and more than one refusal.
func (j *replicaJudge) refusedAlone(silent []*snapshot.OperatorPod) []check.Finding {
	f := j.finding(check.Error, check.Likely, "")
	var names []string
	var last facts.Logged
	for _, p := range silent {
		said := j.refusalsOf(p.Name)
		switch {
		case !slices.ContainsFunc(j.read, func(l *snapshot.OperatorLog) bool { return l.Key() == p.Key() }):
			return nil
		case len(said) == 0:
			continue
		case said[0].Count < 2:
			return nil
		}
		names = append(names, p.Name)
		f.Related = append(f.Related, p.Ref)
		f.Evidence = append(f.Evidence, facts.Quote(said)...)
		if last.OperatorLog == nil || said[0].Last.After(last.Last) {
			last = said[0]
		}
	}
	others := slices.ContainsFunc(j.pods, func(p *snapshot.OperatorPod) bool {
		run, known := j.in.WebhookRun(p)
		return !slices.Contains(names, p.Name) && known && run.Started.Before(last.Last)
	})
	if len(names) == 0 || !others {
		return nil
	}
	f.Message = fmt.Sprintf("clients reject the certificate of %d of %d ready webhook replicas (%s), last %s, but not that of the others",
		len(names), len(j.pods), shortList(names), facts.When(last.Last, j.now))
	return []check.Finding{f}
}
