package ownership

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func ownerMissing() check.Check {
	return check.Check{
		ID: "SD2002", Slug: "owner-missing", Since: "0.1.0", Consequence: check.LosesWork,
		Title:     "a Spark object is owned by an object that does not exist",
		Absence:   true,
		Needs:     append(sparkObjectNeeds(), snapshot.Need{View: snapshot.Owners, Role: snapshot.Compared, Scope: snapshot.Everywhere}),
		Repairs:   stripsRoots(),
		Relations: check.Relations{Fold: uncollected()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			owners, unjudged := p.Ownership(), map[string]bool{}
			going, deleted := terminatingApps(p.Snapshot), newDeletions(owners)
			for o := range sparkObjects(p.Snapshot) {
				if o.Terminating() || isExecutor(o) || going.owns(o) || deleted.goingAway(o) {
					continue
				}
				known := true
				var others others
				for i, ref := range o.Owners {
					got := owners.Resolve(o, ref)
					switch got.Verdict {
					case snapshot.Missing, snapshot.Replaced, snapshot.Unservable:
						others = others.of(owners, o)
						a.Findings = append(a.Findings, missingOwner(p.Snapshot, p.Params, o, i, got, others))
					case snapshot.Unjudged:
						known, unjudged[ref.GroupKind().String()] = false, true
					default:
					}
				}
				if known {
					a.Judged++
				}
			}
			a.Unjudged = unjudgedKinds(unjudged)
			return a
		},
	}
}

// missingOwner states the finding. What the garbage collector does: with another solid owner it only drops the
// reference; a kind that is not served is a mapping error, tried for ever, so the object is never deleted; else it
// deletes the object (kubernetes pkg/controller/garbagecollector/garbagecollector.go).
func missingOwner(s *snapshot.Snapshot, p check.Params, o *snapshot.Object, i int, got snapshot.Resolution, others others) check.Finding {
	owners, ref := s.Ownership(), o.Owners[i]
	f := check.Finding{
		About: check.Of(o).PartOf(appOf(o)), Severity: check.Error,
		Field: fmt.Sprintf("metadata.ownerReferences[%d]", i), Identity: check.Identity{What: ref.Kind + "/" + ref.Name},
		Evidence: []check.Evidence{{Object: o.Ref, Field: fmt.Sprintf("metadata.ownerReferences[%d].uid", i), Value: ref.UID}},
	}
	if o.Group() == snapshot.SparkGroup {
		// What belongs to an application that is gone is to go, too.
		f.Fixes = strip(o, ref, "", owners)
	}
	if len(f.Fixes) > 0 {
		f.ThenRepair("remove the ownerReference to " + ref.Kind + " " + ref.Name + ", if the object is to stay")
	} else {
		f.Then(seeStalled())
	}
	what := fmt.Sprintf("owner %s %q does not exist in namespace %q", ref.Kind, ref.Name, o.Namespace)
	switch got.Verdict {
	case snapshot.Unservable:
		f.Severity = check.Warning
		if len(f.Fixes) == 0 {
			f.Then(command.Do("delete the %s, if its owner is gone for good", o.Kind).On("delete", o.Ref))
		}
		f.Message = fmt.Sprintf("owner kind %s is not served: the garbage collector cannot resolve %q and never deletes this %s",
			ref.GroupKind(), ref.Name, o.Kind)
		return f
	case snapshot.Replaced:
		what = fmt.Sprintf("owner %s %q was replaced by another object of that name", ref.Kind, ref.Name)
		f.Related = []snapshot.Ref{got.Owner.Ref}
		f.Saw(got.Owner.Ref, "metadata.uid", got.Owner.UID)
	default:
	}
	f.Absent = []check.Absent{{View: snapshot.Owners, Ref: snapshot.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind,
		Namespace: ownerNamespace(owners, o, ref), Name: ref.Name, UID: ref.UID}}}
	others.collected(&f, o, what)
	if s.Live {
		// On a live cluster the garbage collector acts within a second; what is still there is news only after it
		// had time.
		f.Settles = p.SettleAfter
	}
	return f
}

// seeStalled: the garbage collector stands still while the API server cannot discover all kinds, which an aggregated API that is
// down is enough for (kubernetes pkg/controller/garbagecollector/garbagecollector.go, Sync).
func seeStalled() check.Command {
	return command.Do("check that every API service is available: one that is down stops the garbage collector").
		With("kubectl get apiservices")
}

func ownerNamespace(owners snapshot.Ownership, o *snapshot.Object, ref snapshot.OwnerReference) string {
	if kind, known := owners.Kind(ref.GroupKind()); known && !kind.Namespaced {
		return ""
	}
	return o.Namespace
}

// uncollected joins what a live garbage collector should have taken and did not: that is one fault, of the
// collector, however many objects it left.
func uncollected() *check.Fold {
	return &check.Fold{
		By: func(f *check.Reported) string {
			if f.Settles == 0 || f.Severity != check.Error {
				return ""
			}
			return "garbage-collector"
		},
		Add: check.Absorb,
		Say: func(f *check.Reported, _ int) {
			if len(f.Objects) < 2 { // several of one fingerprint count, too
				return
			}
			f.Message = fmt.Sprintf("the garbage collector deletes nothing: %d objects whose owner is gone still existed %s later, such as %s",
				len(f.Objects), f.Settles, f.Object)
			f.What = "garbage-collector"
			f.Apps = true
			f.Next = nil
			f.Then(seeStalled())
		},
	}
}
