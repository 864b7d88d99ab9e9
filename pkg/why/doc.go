// Package why answers why one application is as it is: its verdict, what proves it, what was ruled out, and what happened when.
//
// Open takes what is known of the application (package app) and goes four steps:
//
//   - detect: mechanisms look at objects, events and logs, each for one thing, and return what they find as causes. A cause is a value with
//     a typed Detail: numbers, names, times, and what others said, in their words (packages mechanism, logs, catalog and cause).
//   - relate: what explains or completes another cause is put beside it in an Answer, by a table of relations. No cause is edited.
//   - rank: one comparison of named criteria puts the answer first (package rank).
//   - word: the answer becomes a sentence and advice (package words). Nothing reads a sentence after that.
//
// The order has a reason. A sentence that is read again can neither be changed nor believed: whoever improves its wording changes a verdict
// elsewhere. So everything that decides looks at fields.
//
//	e := app.From(snapshot, subject)
//	file := why.Open(e)
//	verdict := file.Verdict()
//	fmt.Println(verdict.Class, verdict.Certainty, verdict.Message)
//
// A verdict is proven where who ended the application, or blocks it, said so; else it is likely, or of class unknown where no cause stands.
// What was not seen is a Gap of the application, and stands in CaseFile.Unseen: nothing follows from its absence.
package why
