package snapshot

import (
	"iter"
	"reflect"
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
	b.forget(v)
}

// Take appends the records of a batch, which may be used again after Reset.
func (b *Builder) Take(from *Batch) {
	b.Batch.Take(from)
	for v := range from.tables {
		b.forget(v)
	}
}

// forget gives up what was found of names, if a view may hold more of them.
func (b *Builder) forget(v View) {
	if t := b.tables[v]; t != nil && t.role().canBeOwner() {
		b.known = nil
	}
}

// FromServer marks the snapshot as read from an API server.
func (b *Builder) FromServer() { b.s.Live = true }

// Asked records the namespaces that the user asked for; nil: all.
func (b *Builder) Asked(namespaces []string) { b.s.Namespaces = namespaces }

// FromFiles marks the snapshot as read from plain files; whole declares that they are everything.
func (b *Builder) FromFiles(whole bool) { b.s.Files, b.s.Whole = true, whole }

// Against records the schemas against which decoders read objects.
func (b *Builder) Against(schemas Schemas) { b.s.Compared = schemas }

// AgainstManifests records the schemas against which decoders read manifests.
func (b *Builder) AgainstManifests(schemas Schemas) { b.s.Written = schemas }

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
		ours := func(o *Object) bool { return !belongs(o, nil) || each(o) }
		_ = b.tables.each(ownerRole.isSpark, each) && b.tables.each(ownerRole.isDependent, ours)
	}
}

// Held yields the records among which owners are looked for, so that their kinds need not be listed to find them.
func (b *Builder) Held() iter.Seq[*Object] {
	return func(yield func(*Object) bool) { _ = b.tables.owners(yield) }
}

// Deployments returns the Deployments added so far, among which the installations are.
func (b *Builder) Deployments() []Deployment { return copied[Deployment](b.tables, Deployments) }

// OperatorPods returns the pods of the operator's webhook added so far.
func (b *Builder) OperatorPods() []OperatorPod { return copied[OperatorPod](b.tables, OperatorPods) }

// Applications yields the applications added so far.
func (b *Builder) Applications() iter.Seq[*SparkApplication] {
	return tableIn[SparkApplication](b.tables, SparkApplications).records
}

// Connects yields the SparkConnect servers added so far.
func (b *Builder) Connects() iter.Seq[*SparkConnect] {
	return tableIn[SparkConnect](b.tables, SparkConnects).records
}

// DriverNodes yields the nodes of the drivers added so far that do not seem to run.
func (b *Builder) DriverNodes() iter.Seq[string] {
	return func(yield func(string) bool) {
		for p := range tableIn[Pod](b.tables, SparkPods).records {
			if p.Trouble != nil && p.Trouble.Node != "" && !yield(p.Trouble.Node) {
				return
			}
		}
	}
}

// Bindings returns the bindings of one of the two views added so far.
func (b *Builder) Bindings(v View) []RoleBinding { return copied[RoleBinding](b.tables, v) }

// Webhooks returns the webhook configurations added so far, other projects' too.
func (b *Builder) Webhooks() []WebhookConfiguration {
	return slices.Concat(copied[WebhookConfiguration](b.tables, MutatingWebhooks), copied[WebhookConfiguration](b.tables, ValidatingWebhooks))
}

// OperatorLogs returns the lines of the operator's logs that were read so far.
func (b *Builder) OperatorLogs() []OperatorLog { return copied[OperatorLog](b.tables, OperatorLogs) }

// SetTime says when the snapshot was taken, where only the records themselves tell.
func (b *Builder) SetTime(t time.Time) { b.s.TakenAt = t.UTC() }

// Latest returns the latest time that any record carries and that is not after now, zero if none does: one clock that
// was wrong must not make everything look old. A deletionTimestamp lies ahead of the delete by the grace period.
func (b *Builder) Latest(now time.Time) time.Time {
	var latest time.Time
	see := func(t time.Time) {
		if t.After(latest) && !t.After(now) {
			latest = t
		}
	}
	for v, t := range b.tables {
		t.each(func(r Record) bool {
			if o := r.object(); v == Owners || t.role().canBeOwner() {
				see(o.Created)
				if o.Terminating() {
					see(o.Deleted().Add(-o.GracePeriod()))
				}
			}
			if r, ok := r.(dated); ok {
				r.dates(see)
			}
			return true
		})
	}
	return latest
}

// dated is a record with times of its own.
type dated interface{ dates(see func(time.Time)) }

// Superseded counts, by view and key, the records that a later record of the same object replaces. The later record was
// added last, so that of each key the first ones go.
type Superseded map[View]map[Key]int

// Add counts one record of a view.
func (s Superseded) Add(v View, key Key) {
	if s[v] == nil {
		s[v] = map[Key]int{}
	}
	s[v][key]++
}

// Drop removes the superseded records, and what they said of suppressions.
func (b *Builder) Drop(superseded Superseded) {
	if len(superseded) == 0 {
		return
	}
	ignored := map[Key]int{}
	in := func(v View) func(*Object) bool {
		left := superseded[v]
		return func(o *Object) bool {
			if left[o.Key()] == 0 {
				return false
			}
			left[o.Key()]--
			b.count--
			if o.Ignore() != "" {
				ignored[o.Key()]++
			}
			return true
		}
	}
	for v, t := range b.tables {
		t.drop(in(v))
	}
	b.tables.of(Annotated).drop(func(o *Object) bool {
		if ignored[o.Key()] == 0 {
			return false
		}
		ignored[o.Key()]--
		return true
	})
	b.known = nil
}

// Batch is records that were read together. The zero value is empty.
type Batch struct {
	tables tables
	count  int
}

// Len returns how many records were added.
func (b *Batch) Len() int { return b.count }

// Add copies a record into a view, without secrets: it is where all text enters a snapshot.
func (b *Batch) Add(v View, r Record) {
	b.count++
	Clean(r)
	if o := r.object(); o.Ignore() != "" {
		b.tables.of(Annotated).add(&Object{Ref: o.Ref, Location: o.Location, Seldom: &Seldom{Ignore: o.Ignore()}})
	}
	if v != Annotated {
		b.tables.of(v).add(r)
	}
}

// Take appends the records of another batch, which may be used again after Reset.
func (b *Batch) Take(from *Batch) {
	b.count += from.count
	for v, t := range from.tables {
		b.tables.of(v).take(t)
	}
}

// Reset empties the batch. What is read by the thousand stays with whoever took it.
func (b *Batch) Reset() { *b = Batch{} }

// chunkBytes is how much memory is taken at once, at most, for records that come.
const chunkBytes = 64 << 10

// chunks are records whose number is not known before the last has come. One slice that grows would be copied again and
// again, and hold twice what it has each time.
type chunks[T any] [][]T

func (c *chunks[T]) add(record *T) {
	last, most := len(*c)-1, max(1, chunkBytes/int(reflect.TypeFor[T]().Size()))
	if last < 0 || len((*c)[last]) >= most {
		*c = append(*c, nil)
		last++
	}
	if chunk := (*c)[last]; len(chunk) == cap(chunk) && len(chunk) > most/4 {
		(*c)[last] = slices.Grow(chunk, most-len(chunk))
	}
	(*c)[last] = append((*c)[last], *record)
}

// take appends the chunks of others, to which nothing more is added.
func (c *chunks[T]) take(from chunks[T]) {
	for _, chunk := range from {
		*c = append(*c, slices.Clip(chunk))
	}
}

func (c chunks[T]) each(yield func(*T) bool) {
	for _, chunk := range c {
		for i := range chunk {
			if !yield(&chunk[i]) {
				return
			}
		}
	}
}

func (c chunks[T]) len() int {
	n := 0
	for _, chunk := range c {
		n += len(chunk)
	}
	return n
}
