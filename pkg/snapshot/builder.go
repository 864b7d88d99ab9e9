package snapshot

import (
	"iter"
	"slices"
	"time"
)

// Builder gathers records and coverage. It is not safe for concurrent use.
type Builder struct {
	Batch
	known *names // nil: to be found
	s     Snapshot
	kinds map[GroupKind]OwnerKind
}

// NewBuilder starts a snapshot that is taken at a time.
func NewBuilder(takenAt time.Time) *Builder {
	return &Builder{s: Snapshot{TakenAt: takenAt, coverage: map[View]Coverage{}}, kinds: map[GroupKind]OwnerKind{}}
}

// Add copies a record into a view.
func (b *Builder) Add(v View, r Record) {
	b.Batch.Add(v, r)
	if !aside(v) {
		b.known = nil
	}
}

// Take appends the records of a batch, which may be used again after Reset.
func (b *Builder) Take(from *Batch) {
	b.Batch.Take(from)
	if from.mayOwn() {
		b.known = nil
	}
}

// FromServer marks the snapshot as read from an API server.
func (b *Builder) FromServer() { b.s.Live = true }

// Asked records the namespaces that the user asked for; nil: all.
func (b *Builder) Asked(namespaces []string) { b.s.Namespaces = namespaces }

// FromFiles marks the snapshot as read from plain files; whole declares that they are everything.
func (b *Builder) FromFiles(whole bool) { b.s.Files, b.s.Whole = true, whole }

// Cover records how much of a view was seen.
func (b *Builder) Cover(v View, c Coverage) {
	c.Unseen = listUnseen(c.Unseen)
	b.s.coverage[v] = c
}

// Coverage returns what Cover recorded of a view.
func (b *Builder) Coverage(v View) Coverage { return b.s.coverage[v] }

// CoverOwnerKind records whether a kind that ownerReferences name is served and how much of it was seen.
func (b *Builder) CoverOwnerKind(gk GroupKind, k OwnerKind) {
	k.Coverage.Unseen = listUnseen(k.Coverage.Unseen)
	b.kinds[gk] = k
}

// References yields the references of all records added so far, each with its dependent.
func (b *Builder) References() iter.Seq2[*Object, *OwnerReference] {
	return func(yield func(*Object, *OwnerReference) bool) {
		each := func(o *Object) bool {
			for i := range o.Owners {
				if !yield(o, &o.Owners[i]) {
					return false
				}
			}
			return true
		}
		for o := range b.eachSpark() {
			if !each(o) {
				return
			}
		}
		for _, list := range b.objects {
			for o := range list.each {
				if belongs(o, nil) && !each(o) {
					return
				}
			}
		}
	}
}

// Held yields the records among which owners are looked for, so that their kinds need not be listed to find them.
func (b *Builder) Held() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		_ = b.early.yield(yield) && b.rest(yield)
	}
}

// rest yields those that are neither applications nor pods, and reports whether to go on.
func (b *Builder) rest(yield func(*Object) bool) bool {
	ok := b.others(yield)
	for _, list := range b.objects {
		ok = ok && yieldChunks(yield, list)
	}
	return ok
}

// Deployments returns the Deployments added so far, among which the installations are.
func (b *Builder) Deployments() []Deployment { return of[Deployment](b.lists, Deployments) }

// OperatorPods returns the pods of the operator's webhook added so far.
func (b *Builder) OperatorPods() []OperatorPod { return of[OperatorPod](b.lists, OperatorPods) }

// Applications yields the applications added so far.
func (b *Builder) Applications() iter.Seq[*SparkApplication] { return b.early.applications.each }

// DriverNodes yields the nodes of the drivers added so far that do not seem to run.
func (b *Builder) DriverNodes() iter.Seq[string] {
	return func(yield func(string) bool) {
		for p := range b.early.pods.each {
			if p.Trouble != nil && p.Trouble.Node != "" && !yield(p.Trouble.Node) {
				return
			}
		}
	}
}

// Bindings returns the bindings of one of the two views added so far.
func (b *Builder) Bindings(v View) []RoleBinding { return of[RoleBinding](b.lists, v) }

// Webhooks returns the webhook configurations added so far, other projects' too.
func (b *Builder) Webhooks() []WebhookConfiguration {
	return slices.Concat(of[WebhookConfiguration](b.lists, MutatingWebhooks), of[WebhookConfiguration](b.lists, ValidatingWebhooks))
}

// eachSpark yields Spark objects and Spark pods.
func (b *Builder) eachSpark() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		_ = b.applications.objects(yield) && b.pods.objects(yield) && b.early.yield(yield) && b.lists.objects(yield, ScheduledSparkApplications, SparkConnects)
	}
}

// SetTime says when the snapshot was taken, where only the records themselves tell.
func (b *Builder) SetTime(t time.Time) { b.s.TakenAt = t.UTC() }

// Latest returns the latest time that any record carries and that is not after now, zero if none does: one clock that
// was wrong must not make everything look old. A deletionTimestamp lies ahead of the delete by the grace period.
func (b *Builder) Latest(now time.Time) time.Time {
	var latest time.Time
	see := func(times ...time.Time) {
		for _, t := range times {
			if t.After(latest) && !t.After(now) {
				latest = t
			}
		}
	}
	seeObject := func(o *Object) {
		see(o.Created)
		if o.Terminating() {
			see(o.Deleted().Add(-o.GracePeriod()))
		}
	}
	for o := range b.Held() {
		seeObject(o)
	}
	for i := range b.sightings {
		seeObject(&b.sightings[i])
	}
	for a := range b.Applications() {
		see(a.LastSubmissionAttempt, a.Terminated)
	}
	for _, o := range of[Schedule](b.lists, ScheduledSparkApplications) {
		see(o.LastRun)
	}
	for p := range b.early.pods.each {
		see(p.Started)
	}
	for _, e := range of[Event](b.lists, WarningEvents) {
		see(e.Last)
	}
	for _, p := range b.OperatorPods() {
		see(p.Created, p.Started)
		for _, ill := range p.Ills {
			see(ill.EndedAt)
		}
	}
	for _, l := range of[Lease](b.lists, Leases) {
		see(l.Renewed)
	}
	for _, n := range of[Node](b.lists, Nodes) {
		see(n.ReadySince)
	}
	for _, s := range of[WebhookSecret](b.lists, WebhookSecrets) {
		see(s.times()...)
	}
	return latest
}
