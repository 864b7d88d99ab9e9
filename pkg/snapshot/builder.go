package snapshot

import (
	"slices"
	"time"
)

// Builder gathers records and coverage. It is not safe for concurrent use.
type Builder struct {
	s         Snapshot
	objects   map[View][]Object // dependents, before Seal keeps those that belong to Spark
	sightings []Object          // owners found in the second round, or all objects of a file
	kinds     map[GroupKind]OwnerKind
}

// NewBuilder starts a snapshot that is taken at a time.
func NewBuilder(takenAt time.Time) *Builder {
	return &Builder{
		s: Snapshot{TakenAt: takenAt, coverage: map[View]Coverage{}, records: records{
			dependents: map[View][]Object{}, workflows: map[View][]Workflow{},
		}},
		objects: map[View][]Object{}, kinds: map[GroupKind]OwnerKind{},
	}
}

// FromServer marks the snapshot as read from an API server.
func (b *Builder) FromServer() { b.s.Live = true }

// Asked records the namespaces that the user asked for; nil: all.
func (b *Builder) Asked(namespaces []string) { b.s.Namespaces = namespaces }

// FromFiles marks the snapshot as read from plain files; whole declares that they are everything.
func (b *Builder) FromFiles(whole bool) { b.s.Files, b.s.Whole = true, whole }

// Add puts a record into a view.
func (b *Builder) Add(v View, r Record) {
	rec := &b.s.records
	switch r := r.(type) {
	case *SparkApplication:
		rec.applications = append(rec.applications, *r)
	case *Pod:
		rec.pods = append(rec.pods, *r)
	case *Deployment:
		rec.deployments = append(rec.deployments, *r)
	case *Service:
		rec.services = append(rec.services, *r)
	case *OperatorPod:
		rec.operatorPods = append(rec.operatorPods, *r)
	case *WebhookSecret:
		rec.secrets = append(rec.secrets, *r)
	case *ServedCertificate:
		rec.served = append(rec.served, *r)
	case *OperatorLog:
		rec.logs = append(rec.logs, *r)
	case *EndpointSlice:
		rec.endpoints = append(rec.endpoints, *r)
	case *Event:
		rec.events = append(rec.events, *r)
	case *Workflow:
		rec.workflows[v] = append(rec.workflows[v], *r)
	case *WebhookConfiguration:
		if r.Mutating() {
			rec.mutating = append(rec.mutating, *r)
		} else {
			rec.validating = append(rec.validating, *r)
		}
	case *Object:
		switch v {
		case ScheduledSparkApplications:
			rec.scheduled = append(rec.scheduled, *r)
		case SparkConnects:
			rec.connects = append(rec.connects, *r)
		case Namespaces:
			rec.namespaces = append(rec.namespaces, *r)
		case Owners:
			b.sightings = append(b.sightings, *r)
		default:
			b.objects[v] = append(b.objects[v], *r)
		}
	}
}

// Cover records how much of a view was seen.
func (b *Builder) Cover(v View, c Coverage) {
	c.Unseen = sortUnseen(c.Unseen)
	b.s.coverage[v] = c
}

// Coverage returns what Cover recorded of a view.
func (b *Builder) Coverage(v View) Coverage { return b.s.coverage[v] }

// CoverOwnerKind records whether a kind that ownerReferences name is served and how much of it was seen.
func (b *Builder) CoverOwnerKind(gk GroupKind, k OwnerKind) { b.kinds[gk] = k }

// Applications returns how many SparkApplications were added, for progress.
func (b *Builder) Applications() int { return len(b.s.records.applications) }

// References returns the references of all records added so far, each with its dependent, for the second round.
func (b *Builder) References() []Reference {
	var out []Reference
	add := func(o *Object) {
		for _, r := range o.Owners {
			out = append(out, Reference{Dependent: o.Key(), Owner: r})
		}
	}
	b.eachSpark(add)
	for _, list := range b.objects {
		for i := range list {
			if belongs(&list[i], nil) {
				add(&list[i])
			}
		}
	}
	return out
}

// Holds reports whether a record with this UID was added, so that its kind need not be listed to find it.
func (b *Builder) Holds() func(uid string) bool {
	seen := map[string]bool{}
	mark := func(o *Object) { seen[o.UID] = true }
	b.eachSpark(mark)
	for _, list := range b.objects {
		for i := range list {
			mark(&list[i])
		}
	}
	for _, list := range b.s.records.workflows {
		for i := range list {
			mark(&list[i].Object)
		}
	}
	return func(uid string) bool { return seen[uid] }
}

// Deployments returns the Deployments added so far, among which the installations are.
func (b *Builder) Deployments() []Deployment { return b.s.records.deployments }

// OperatorPods returns the pods of the operator's webhook added so far.
func (b *Builder) OperatorPods() []OperatorPod { return b.s.records.operatorPods }

// Webhooks returns the webhook configurations added so far, other projects' too.
func (b *Builder) Webhooks() []WebhookConfiguration {
	return slices.Concat(b.s.records.mutating, b.s.records.validating)
}

func (b *Builder) eachSpark(fn func(*Object)) {
	rec := &b.s.records
	for i := range rec.applications {
		fn(&rec.applications[i].Object)
	}
	for i := range rec.scheduled {
		fn(&rec.scheduled[i])
	}
	for i := range rec.connects {
		fn(&rec.connects[i])
	}
	for i := range rec.pods {
		fn(&rec.pods[i].Object)
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
			see(o.Deleted.Add(-o.GracePeriod))
		}
	}
	b.eachSpark(seeObject)
	for _, list := range b.objects {
		for i := range list {
			seeObject(&list[i])
		}
	}
	for _, list := range b.s.records.workflows {
		for i := range list {
			seeObject(&list[i].Object)
		}
	}
	for i := range b.sightings {
		seeObject(&b.sightings[i])
	}
	for _, a := range b.s.records.applications {
		see(a.LastSubmissionAttempt, a.Terminated)
	}
	for _, p := range b.s.records.pods {
		see(p.Started)
	}
	for _, e := range b.s.records.events {
		see(e.Last)
	}
	for _, p := range b.s.records.operatorPods {
		see(p.Created, p.Started)
	}
	for i := range b.s.records.secrets {
		see(b.s.records.secrets[i].times()...)
	}
	return latest
}
