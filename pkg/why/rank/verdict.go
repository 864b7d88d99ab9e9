package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// completion is what is added to the verdict alone, once it is known which one it is.
type completion struct {
	name     string
	why      string // one sentence
	complete func(v *mechanism.View, verdict *Answer)
}

// completions are applied once each, in this order.
func completions() []completion {
	return []completion{
		{"losses-told", "where pods of executors are gone, the driver was told why they failed", lossesTold},
		{"work", "an application that runs is at some stage of its work", atWork},
		{"session-closed", "a session that is over is of one client of a server", closedSession},
		{"server-restarted", "a server that ended for an error is up again", serverRestarted},
		{"azure-identity", "Azure does not say whom it refused, and the spec tells who asked", azureIdentity},
		{"acted-as", "a refusal names who acted, and the service account whom it should have been", actedAs},
		{"store-refused", "an object store refused a path, an action, and who asked, which the exception of the call names", storeRefused},
		{"held-by-secret", "a credential that was not accepted comes from a key of a Secret", heldBySecret},
		{"in-mesh", "a sidecar stands between pods that cannot reach each other", inMesh},
		{"never-met", "a Workflow may wait for a state in which no application stays", neverMet},
		{"losses-made-good", "a driver that completed may have lost executors on the way", adds(mechanism.MadeGood)},
		{"commits-retried", "a driver that completed may have tried commits again", retriedCommits},
		{"error-at-stop", "what a driver logs while Spark stops comes after its work", errorAtStop},
		{"files-in-memory", "scratch space in memory counts against the limit at which executors were killed", filesInMemory},
		{"ansi-by-default", "a query may fail at a value only because Spark 4 is stricter by default", ansiByDefault},
		{"images-differ", "versions differ between driver and executors where their images do", adds(mechanism.DifferentImages)},
		{"stage-given-up", "Spark gives a stage up for what executors that the cluster ended had written", stageGivenUp},
		{"checkpoint-shared", "a query was stopped for another one, and an application that runs names its checkpoint", checkpointShared},
		{"run-killed-before", "a run that was killed leaves locks and half-written output to the next", adds(mechanism.KilledBefore)},
		{"searched-elsewhere", "a search domain of the pod may lead to the host of another certificate", searchedElsewhere},
		{"user-nameless", "the pod tells which user ID has no name", namelessUser},
		{"quota-held", "a quota without room is held by other applications, which may be runs of the same schedule", adds(mechanism.HeldQuota)},
		{"run-holds-schedule", "a run that is not over keeps its schedule from starting the next", runHoldsSchedule},
	}
}

// adds says what a mechanism finds about the verdict behind it, with its advice.
func adds(find func(*mechanism.View, *cause.Cause) (cause.Cause, bool)) func(*mechanism.View, *Answer) {
	return func(v *mechanism.View, a *Answer) {
		if c, is := find(v, &a.Cause); is {
			a.add(Also, c)
			a.advise(c)
		}
	}
}

// Complete adds to the verdict what belongs to it alone.
func Complete(v *mechanism.View, verdict *Answer) {
	for _, c := range completions() {
		c.complete(v, verdict)
	}
}

func healthy(a *Answer) bool {
	return a.Class == cause.RunningNormally || a.Class == cause.SlowButProgressing
}

// WithoutState leaves out how the application stands beside a fault: "running normally" would say the opposite. The case file has
// its state and its executors beside the causes.
func WithoutState(all []Answer) []Answer {
	if lead := &all[0]; !lead.Class.Fault() && lead.Class != cause.Unknown {
		return all
	}
	return append(all[:1:1], slices.DeleteFunc(slices.Clone(all[1:]), func(a Answer) bool {
		return healthy(&a) || a.Class == cause.Succeeded
	})...)
}

// heldBySecret says where the credential is to be replaced.
func heldBySecret(v *mechanism.View, a *Answer) {
	if held, is := mechanism.SecretOf(v, &a.Cause); is {
		a.Clauses = slices.Clone(a.Clauses)
		a.Clauses[0].Form = Lead // its words are long, and name no place
		a.add(With, held)
		if d, _ := held.Detail.(mechanism.HeldBySecret); d.Sure {
			a.Advice = nil
		}
		a.adviseFirst(held)
	}
}

// stageGivenUp adds it where the log of the driver, as a part of the verdict, does not say it already.
func stageGivenUp(v *mechanism.View, a *Answer) {
	told := slices.ContainsFunc(a.Clauses, func(c Clause) bool { return mechanism.TellsStage(&c.Cause) })
	if !told {
		adds(mechanism.GaveUpStage)(v, a)
	}
}

// neverMet puts first that a step waits in vain for an application that completed: that is what a user asks about.
func neverMet(v *mechanism.View, a *Answer) {
	if c, is := mechanism.StillAwaited(v, &a.Cause); is {
		a.lead(c, Also)
		a.Class, a.Advice = c.Class, []cause.Cause{c}
	}
}

func lossesTold(v *mechanism.View, a *Answer) {
	if !healthy(a) || !a.Topics.Has(cause.Unsaid) {
		return
	}
	if told, is := mechanism.ToldLosses(v); is {
		a.add(InPlace, told)
		a.advise(told)
	}
}

func atWork(v *mechanism.View, a *Answer) {
	if !healthy(a) {
		return
	}
	for _, c := range mechanism.WorkOf(v) {
		switch c.Detail.(type) {
		case mechanism.StreamAtWork:
			if a.Class == cause.RunningNormally && !v.Late() {
				a.lead(c, With)
				continue
			}
		case mechanism.ServerIdle:
			a.lead(c, Also)
			continue
		}
		joint := Also
		switch d := c.Detail.(type) {
		case mechanism.StageAtWork:
			if d.Quiet == 0 {
				joint = With
			}
		case mechanism.StagePace:
			joint = With
		}
		a.add(joint, c)
		a.advise(c)
		if c.Certainty == check.Likely {
			a.Certainty = check.Likely
		}
	}
	if c, is := mechanism.Rerun(v); is {
		a.add(With, c)
		a.Class = c.Class
		if on, is := mechanism.OnSpot(v); is {
			a.add(With, on)
		}
	}
}

// closedSession says whose error it is: it is what a reader of the log came about.
func closedSession(v *mechanism.View, a *Answer) {
	if c, is := mechanism.ClosedSession(v, &a.Cause); is {
		a.add(With, c)
		a.advise(c)
	}
}

// errorAtStop says so in brief, where that is clean-up: a reader asks because of these errors.
func errorAtStop(v *mechanism.View, a *Answer) {
	c, is := mechanism.StopError(v, &a.Cause)
	if !is {
		return
	}
	joint := Also
	if d, is := c.Detail.(mechanism.ErrorAtStop); is && len(d.CleanUp.Resources) > 0 {
		joint = With
	}
	a.add(joint, c)
	a.advise(c)
}

// retriedCommits says so in brief, too: the exceptions in the log are what a reader came about.
func retriedCommits(v *mechanism.View, a *Answer) {
	if c, is := mechanism.RetriedCommits(v, &a.Cause); is {
		a.add(With, c)
	}
}

// serverRestarted says so in brief, too: it serves again, without the sessions that it had.
func serverRestarted(v *mechanism.View, a *Answer) {
	if c, is := mechanism.Restarted(v, &a.Cause); is {
		a.add(With, c)
	}
}

// namelessUser says which user it is; what to do about it then names that.
func namelessUser(v *mechanism.View, a *Answer) {
	if c, is := mechanism.NamelessUser(v, &a.Cause); is {
		a.add(Also, c)
		a.Advice = []cause.Cause{c}
	}
}

// searchedElsewhere says whose certificate it is; another name of the host does not help then.
func searchedElsewhere(v *mechanism.View, a *Answer) {
	if c, is := mechanism.ElsewhereBySearch(v, &a.Cause); is {
		a.add(Also, c)
		a.Advice = []cause.Cause{c}
	}
}

// azureIdentity says who needs the role; what to do about it then names that.
func azureIdentity(v *mechanism.View, a *Answer) {
	if c, is := mechanism.AzureActor(v, &a.Cause); is {
		a.add(With, c)
		a.Advice = []cause.Cause{c}
	}
}

func actedAs(v *mechanism.View, a *Answer) {
	for _, c := range mechanism.WhoActed(v, &a.Cause) {
		if c.Detail == nil {
			a.Evidence = slices.Concat(a.Evidence, c.Evidence)
			continue
		}
		a.Evidence = slices.Concat(a.Evidence, c.Evidence)
		a.adviseFirst(c)
		if d, is := c.Detail.(mechanism.ActedAs); is && d.Node != "" {
			a.Clauses[0].Form = Lead // the identity is said, and that exception tells whose it was
			a.head(c)
			continue
		}
		a.say(Clause{Cause: c}) // it may have been meant to act so
	}
}

// storeRefused says what S3 refused in place of the exception: the path, and who asked.
func storeRefused(v *mechanism.View, a *Answer) {
	c, is := mechanism.RefusedBy(v, &a.Cause)
	at := slices.IndexFunc(a.Clauses, func(c Clause) bool { return Logged(&c.Cause) })
	if !is || at < 0 || at > 1 {
		return
	}
	if at == 1 {
		if _, is := a.Clauses[0].Cause.Detail.(mechanism.ActedAs); !is {
			return
		}
	}
	a.Clauses = slices.Clone(a.Clauses)
	a.Clauses[at].Form = Attempts
	a.Clauses = slices.Insert(a.Clauses, at, Clause{Cause: c, Joint: a.Clauses[at].Joint})
	a.Clauses[at+1].Joint = Because
	a.Evidence = slices.Concat(a.Evidence, c.Evidence)
	a.Advice = slices.Clone(a.Advice)
	for i := range a.Advice {
		if Logged(&a.Advice[i]) {
			a.Advice[i] = c
		}
	}
}

// checkpointShared says who it is. The code of neither is at fault then.
func checkpointShared(v *mechanism.View, a *Answer) {
	if c, is := mechanism.SharedCheckpoint(v, &a.Cause); is {
		a.add(Because, c)
		a.Class, a.Advice = cause.Configuration, []cause.Cause{c}
	}
}

func inMesh(v *mechanism.View, a *Answer) {
	oneSided := slices.ContainsFunc(a.Clauses, func(c Clause) bool { _, is := c.Cause.Detail.(mechanism.MeshOneSided); return is })
	if a.Class != cause.Network || !a.Topics.Has(cause.Unreached) || oneSided {
		return
	}
	if mesh, is := mechanism.MeshOf(v); is {
		a.add(Also, mesh)
	}
}

func runHoldsSchedule(v *mechanism.View, a *Answer) {
	_, says := a.Detail.(mechanism.ScheduleWaits)
	if slow := a.Class == cause.SlowButProgressing; says || !slow && !a.Class.Fault() {
		return
	}
	if held, is := mechanism.HeldSchedule(v); is {
		a.add(Also, held)
	}
}
