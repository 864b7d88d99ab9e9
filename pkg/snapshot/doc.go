// Package snapshot holds what was seen of a cluster, or of a dump of one, at one moment. Checks answer from it alone, so that the same
// check runs on a live cluster, on files and on an archive, and a test of a check needs only data.
//
// # Records
//
// A record is narrow: a struct such as [SparkApplication] or [Pod] that names only the fields that checks read. Package wire decodes it
// straight from JSON or protobuf. A record holds facts, as the object states them. Conclusions are functions in package spark, in package
// facts or in a check. [Batch.Add] takes secrets out of all text, so no snapshot holds any.
//
// # Views
//
// Every record belongs to a [View], which is a kind or a selection of one: SparkPods are the pods that carry a label of the operator. The
// table in kinds.go has a row for each view: how it is listed, in which encoding, and what its objects have to do with owners. An accessor
// such as [Snapshot.SparkApplications] returns the records of a view, sorted.
//
// # Needs
//
// A check declares what it reads as a list of [Need]. [Snapshot.Restrict] returns a snapshot that answers for these views only; reading
// another one panics. The same list decides what sparkdoctor reads from the API server, and which roles it asks for.
//
// # Coverage
//
// Every view has a [Coverage]: all of it was seen, a part, or nothing, and why. An empty list says that there is nothing only where
// [Snapshot.Covers] says so of the namespace. A view that was forbidden or cut short does not cover it. Files do not cover anything unless
// the user declares that they are everything, and a kind that the cluster does not serve is empty by definition.
//
// # Building and sealing
//
// A [Builder] gathers records and coverage. [Builder.Seal] sorts the records, drops the dependents that are not Spark's, indexes owners and
// returns a Snapshot, which nothing changes after that. [Snapshot.Amend] returns another one, with some objects as they were when they were
// fetched again. Snapshot.TakenAt is the only now that a check knows.
//
//	b := snapshot.NewBuilder(now)
//	b.Add(snapshot.SparkApplications, &app)
//	b.Cover(snapshot.SparkApplications, snapshot.Coverage{State: snapshot.Complete})
//	s := b.Seal()
//
// The package knows no clients, clocks or terminals. It imports apimachinery and the API types only.
package snapshot
