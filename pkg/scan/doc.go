// Package scan is the pipeline as a library. The commands are flags and printing around it; it prints nothing and knows no flags.
//
// # The pipeline
//
//	collect → run → confirm → correlate → suppress → report
//
// A [Source] is read once into a snapshot: a [Cluster], page by page, or [Files], which may be an archive. What is listed follows from the
// needs of the selected checks ([Needs]). Each check answers from the snapshot. Findings that rest on the absence of an object are
// confirmed on a live cluster: the pipeline waits for the grace period and fetches the object by name. Then causes are linked, accepted
// findings are suppressed, and the rest becomes a report. From the snapshot on everything is a value, so that a cluster, a dump and an
// archive of the same state give the same report.
//
// # Questions
//
// Each command is one call:
//
//   - [Run] scans and returns the report; [Diagnose] returns what a report is made of.
//   - [Why] answers why one application is as it is; [Evidence] returns what that answer rests on.
//   - [Gate] decides about an upgrade of the operator.
//   - [Record] keeps what was read, for an archive that replays to the same findings.
//   - A [Repair] plans what is found, applies the plan and runs the checks again.
//   - A [Fleet] scans several clusters side by side and joins their reports.
//
// # Options
//
// [Options] need a Source only. Subjects select what findings are about, by namespace, label or object. What subjects are compared with is
// read in full all the same: a pod whose application was not selected is no orphan. Checks and Params choose the checks and their
// thresholds. An [Observer] hears what is in no report: progress, and notes for people.
//
//	r, err := scan.Run(ctx, scan.Options{
//		Source: scan.Files{Paths: []string{"dump/"}, Complete: true},
//	})
//
// # Errors
//
// A check that could not read what it needs is skipped in the report, and the scan goes on. The error of a call says that there is no
// report: the input is unreadable ([UnreadableError]), the subjects do not exist ([EmptyError]), the cluster has no operator
// ([NoOperatorError]), the context ended ([InterruptedError]). A mistyped namespace is thus an error, never a clean report.
//
// # Repairs
//
// A repair has four calls, between which the caller asks the user: [Repair.Plan] scans and makes a plan, [Repair.Allowed] asks the API
// server which steps it would permit, [NewJournal] writes the record that undo reads, and [Repair.Apply] writes and checks again. Nothing
// is written to the cluster before the record is on disk.
package scan
