// Package fix turns what a check wishes into a plan: what would be written, field by field, with preconditions, risk
// and a way back. All of it is values; only fix/apply talks to a cluster.
//
// A check states an Intent. Resolve compares it with the objects as they are now and says which Changes are left to
// make, each with its old and new value. From the changes come the JSON patch, the diff, the record and the undo, so
// that none of these can say something that another does not.
package fix
