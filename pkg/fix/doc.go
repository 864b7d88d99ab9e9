// Package fix is what may be written to repair something. All of it is values: package apply sends requests, and package plan is what
// people and files see of it.
//
// # From an intent to requests
//
// A check states an [Intent], such as "remove this ownerReference". It carries no patch, because the object may change before the user
// agrees. [TraitsOf] says what is known beforehand: the object, the [Risk], and what must be read first. [Resolve] takes the intent and
// the objects as they are now ([Fresh]), and returns the [Step] values that are left to do, or an error:
//
//   - [Done]: there is nothing left to do.
//   - [Stale]: the object is not the one that the check saw. Nothing is forced.
//   - [Refused]: it must not be touched as things are. A deployment tool that owns the field would take the change back.
//
// # Changes
//
// A step is one request. It lists each field that it writes as a [Change], with the value before and the value after. The JSON patch, the
// diff, the record and the undo are all made from the changes, so that none of them can say something that another does not. The patch
// tests the UID and every old value before it writes: if the object has changed, the API server refuses the whole patch.
//
// # One table
//
// The table in table.go lists the kinds, the subresource and the fields that each intent may write, and whether the old values can be
// written back. Reading a plan or a record, resolving an intent and sending a step all consult it. Files are untrusted input: a plan file
// chooses among the fixes that the checks propose now, and a record restores only what the table marks as exactly undoable. The spec of an
// application is in no row, because the operator stops a job and submits it again when its spec changes.
//
// # Risk and order
//
// A fix is safe if nothing restarts or disappears as a consequence, else disruptive or destructive; the user says how far to go. [Order]
// puts what heals the webhook before the writes that must pass it, and a driver's owner before anything that may delete its application.
// Package plan orders and shows the fixes, and apply writes a record before it sends the first step. Afterwards the checks run again.
//
// A new intent is a struct in a file of its own, and a row of the table.
package fix
