// Package snapshot holds what was seen of a cluster, or of a dump of one, at one moment.
//
// A Snapshot is made of narrow records: each names only the fields that checks read and is decoded straight
// from the wire (JSON of custom resources and of files, protobuf of built-in kinds). Every record belongs to a
// View, and every view carries its Coverage: whether all of it, a part of it or none of it could be looked at.
//
// The package knows nothing of clients, clocks or terminals. It imports apimachinery and the API types only.
package snapshot
