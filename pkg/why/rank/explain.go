package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func leftPod(v *mechanism.View, all []Answer) []Answer {
	failed := slices.IndexFunc(all, func(a Answer) bool { return !Logged(&a.Cause) && Stands(&a.Cause) && a.Class == cause.Submission })
	left := slices.IndexFunc(all, func(a Answer) bool {
		return !Logged(&a.Cause) && a.Effect && a.Class == cause.Submission && a.Subject.Kind == "Pod"
	})
	if failed < 0 || left < 0 || v.Driver == nil {
		return all
	}
	pod := all[left].Cause
	all[failed].say(Clause{Cause: cause.Cause{Class: cause.Submission, Detail: mechanism.LeftPod{Name: v.Driver.Name}}})
	all[failed].add(Because, pod)
	all[failed].advise(pod)
	return slices.Delete(all, left, left+1)
}

// stoppedByChange keeps of a run that a change of the spec stops the change, and not the deletion of its driver, which came of it.
func stoppedByChange(_ *mechanism.View, all []Answer) []Answer {
	changed := slices.IndexFunc(all, func(a Answer) bool { d, is := a.Detail.(mechanism.SpecChanged); return is && d.Left == "" })
	deleted := slices.IndexFunc(all, func(a Answer) bool {
		d, is := a.Detail.(mechanism.Deletion)
		return is && d.By == mechanism.ToRestart
	})
	if changed < 0 || deleted < 0 {
		return all
	}
	all[changed].Evidence = slices.Concat(all[changed].Evidence, all[deleted].Evidence)
	return slices.Delete(all, deleted, deleted+1)
}

func submitterElsewhere(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		if a := &all[i]; a.Role == cause.SubmissionRole && Logged(&a.Cause) && v.Application != nil && !mechanism.Nameless(&a.Cause) {
			c, joint := mechanism.SubmittedElsewhere(v, &a.Cause), Also
			if len(c.Evidence) > 0 {
				joint = With
			}
			a.add(joint, c)
		}
	}
	return all
}

// explains puts what a mechanism finds about a failure in a log before it, which its evidence then shows. The class is that of what was
// found; the certainty stays that of the failure: the process said itself what it failed at.
func explains(find func(*mechanism.View, *cause.Cause) (cause.Cause, bool)) func(*mechanism.View, []Answer) []Answer {
	return explainsLikely(func(v *mechanism.View, about *cause.Cause) (cause.Cause, bool) {
		c, is := find(v, about)
		c.Certainty = about.Certainty
		return c, is
	})
}

// explainsLikely does the same for what is as certain as the mechanism says, and no more than the failure.
func explainsLikely(find func(*mechanism.View, *cause.Cause) (cause.Cause, bool)) func(*mechanism.View, []Answer) []Answer {
	return func(v *mechanism.View, all []Answer) []Answer {
		for i := range all {
			a := &all[i]
			if !Logged(&a.Cause) || !Stands(&a.Cause) {
				continue
			}
			c, is := find(v, &a.Cause)
			if !is {
				continue
			}
			a.Clauses[0].Form = Attempts
			a.head(c)
			a.Class, a.Certainty = c.Class, max(a.Certainty, c.Certainty) // the less certain
			a.Evidence = slices.Concat(a.Evidence, c.Evidence)
			a.Advice = []cause.Cause{c}
		}
		return all
	}
}

// fieldDropped explains a failure in a log, and a pod that no node takes.
func fieldDropped(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		c, is := mechanism.DroppedFor(v, &a.Cause)
		if !is {
			continue
		}
		if Logged(&a.Cause) {
			a.Clauses[0].Form = Attempts
		}
		a.head(c)
		a.Class, a.Effect, a.Certainty = c.Class, false, check.Likely // a webhook that takes a field out looks alike
		a.Evidence = slices.Concat(c.Evidence, a.Evidence)
		a.Advice = []cause.Cause{c}
	}
	return all
}

func mountEnded(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		if !Logged(&a.Cause) {
			continue
		}
		if ended, is := mechanism.EndedMount(v, &a.Cause); is {
			a.head(ended)
			a.Evidence = slices.Concat(a.Evidence, ended.Evidence)
			a.Advice = []cause.Cause{ended}
		}
	}
	return all
}

func workersKilled(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		if !a.Topics.Has(cause.WorkerGone) || !Logged(&a.Cause) {
			continue
		}
		killed, is := mechanism.KilledWorkers(v, &a.Cause)
		if !is {
			continue
		}
		a.Clauses[0].Form = Raised
		a.head(killed)
		a.Class, a.Effect = cause.ClusterKilled, false
		a.Evidence = slices.Concat(killed.Evidence[:1], a.Evidence, killed.Evidence[1:])
		a.Advice = []cause.Cause{killed}
	}
	return all
}

func neverArrived(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		if !Logged(&a.Cause) || !Stands(&a.Cause) || a.Role == cause.SubmissionRole {
			continue
		}
		lacks, is := mechanism.WebhookDidNotMutate(v, &a.Cause)
		if !is {
			continue
		}
		a.Class, a.Certainty = cause.Configuration, lacks.Certainty
		if d, is := lacks.Detail.(mechanism.NeverArrived); is && !d.Seen {
			a.add(Also, lacks)
			continue
		}
		a.head(lacks)
		a.Signature = ""
		a.Evidence = slices.Concat(a.Evidence, lacks.Evidence)
		a.Advice = []cause.Cause{lacks}
	}
	return all
}

func initLog(_ *mechanism.View, all []Answer) []Answer {
	for i := 0; i < len(all); i++ {
		a := &all[i]
		if Logged(&a.Cause) || a.InitContainer == "" {
			continue
		}
		at := slices.IndexFunc(all, func(l Answer) bool {
			return Logged(&l.Cause) && l.Subject.Name == a.Subject.Name && l.Container == a.InitContainer
		})
		if at < 0 {
			continue
		}
		l := all[at]
		l.Clauses[0].Joint = Because
		for _, c := range l.Clauses {
			a.say(c)
		}
		a.Evidence = slices.Concat(a.Evidence, l.Evidence)
		if Stands(&l.Cause) && a.Certainty == check.Likely {
			a.Class, a.Signature = l.Class, l.Signature
			a.Effect = false
			a.adviseFirst(l.Advice...)
		}
		all = slices.Delete(all, at, at+1)
	}
	return all
}

// exit52 says which memory of the JVM was full, where executors ended with the exit code of any OutOfMemoryError
// (core/src/main/scala/org/apache/spark/util/SparkExitCode.scala@v3.5.5) and the log of one names it.
func exit52(_ *mechanism.View, all []Answer) []Answer {
	at := slices.IndexFunc(all, func(a Answer) bool {
		return a.Trust == cause.ByExecutorLog && Stands(&a.Cause) && a.Topics.Has(cause.OutOfHeap)
	})
	if at < 0 {
		return all
	}
	full, said := all[at], false
	for _, logged := range []bool{true, false} {
		for i := range all {
			a := &all[i]
			if Logged(&a.Cause) != logged || !Stands(&a.Cause) || a.Trust == cause.ByExecutorLog || !a.Topics.Has(cause.Exit52) {
				continue
			}
			a.Class, a.Signature = full.Class, full.Signature
			a.Advice = full.Advice
			if !said {
				clauses := slices.Clone(full.Clauses)
				clauses[0].Joint = Because
				for _, c := range clauses {
					a.say(c)
				}
				a.Evidence = slices.Concat(full.Evidence, a.Evidence)
			}
			said = true
		}
	}
	if said {
		return slices.Delete(all, at, at+1)
	}
	return all
}

// lossesBlamed lets what befell executors stand where the log of the driver gave the job up for these: a few losses alone end no job.
func lossesBlamed(_ *mechanism.View, all []Answer) []Answer {
	ids := map[string]bool{}
	for i := range all {
		if a := &all[i]; Stands(&a.Cause) && a.Class == cause.ClusterKilled && a.Trust == cause.ByDriverLog {
			for _, id := range a.Executors {
				ids[id] = true
			}
		}
	}
	for i := range all {
		a := &all[i]
		if Logged(&a.Cause) || !a.Effect || a.Class != cause.ClusterKilled {
			continue
		}
		if slices.ContainsFunc(a.Executors, func(id string) bool { return ids[id] }) {
			a.Effect = false
		}
	}
	return all
}

// waitedInVain is why a run that is over had no executors, where its driver complained of that until it gave up for the time: that follows.
func waitedInVain(v *mechanism.View, all []Answer) []Answer {
	if w := &v.Work; !w.Seen || w.Starved == "" || !w.Unreached || v.DriverRuns() {
		return all
	}
	at := slices.IndexFunc(all, func(a Answer) bool {
		return Stands(&a.Cause) && a.Trust == cause.ByDriverLog && a.Topics.Has(cause.GaveUpWaiting)
	})
	if at < 0 {
		return all
	}
	var out []Answer
	for _, c := range v.Unstarted() {
		a := alone(c)
		a.say(Clause{Cause: cause.Cause{Class: cause.Network, Role: cause.ExecutorRole, Detail: mechanism.GaveUpWaiting{}}})
		a.say(Clause{Cause: all[at].Clauses[0].Cause, Joint: Because, Form: Lead})
		a.Evidence = slices.Concat(a.Evidence, all[at].Evidence)
		out = append(out, a)
	}
	if len(out) > 0 {
		all[at].Effect = true
	}
	first := slices.IndexFunc(all, func(a Answer) bool { return Logged(&a.Cause) })
	return slices.Insert(all, first, out...)
}

// quotaRefuses says what the API server said, in place of what is computed from the quota.
func quotaRefuses(v *mechanism.View, all []Answer) []Answer {
	told := slices.ContainsFunc(all, func(a Answer) bool {
		_, is := mechanism.ExecutorsOverQuota(v, &a.Cause)
		return is && Logged(&a.Cause) && Stands(&a.Cause)
	})
	if !told {
		return all
	}
	all = slices.DeleteFunc(all, func(a Answer) bool { _, computed := a.Detail.(mechanism.QuotaRefuses); return computed })
	return explains(mechanism.ExecutorsOverQuota)(v, all)
}
