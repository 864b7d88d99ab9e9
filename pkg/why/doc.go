// Package why answers why one application is as it is: its verdict, what proves it, what was ruled out, and what happened when.
//
// [Open] takes what is known of the application (package app) and goes four steps. Each takes values and returns values; sentences are made
// in the last one.
//
//   - detect: mechanisms look at objects, events and logs, each for one thing, and return what they find as causes. A cause is a value with
//     a typed Detail: numbers, names, times, and what others said, in their words (packages mechanism, logs, catalog and cause).
//   - relate: what explains or completes another cause is put beside it in an Answer, by a table of relations. No cause is edited.
//   - rank: one comparison of named criteria puts the answer first (package rank).
//   - word: the answer becomes a sentence and advice (package words). Nothing reads a sentence after that.
//
// Code that reads its own sentences back breaks when their wording improves. So everything that decides looks at fields.
//
//	e := app.From(snapshot, subject)
//	file := why.Open(e)
//	verdict := file.Verdict()
//	fmt.Println(verdict.Class, verdict.Certainty, verdict.Message)
//
// # From a log line to a sentence
//
// Follow one job, case 912 of the corpus. Its spec gives the driver a variable, and its program stops at app.py:23:
//
//	KeyError: 'KAFKA_SERVERS'
//
// Detect: logs reads the traceback as a Failure. Its meaning is VariableUnset{Name: "KAFKA_SERVERS"}, its frame app.py:23, its class
// configuration. By itself that would be the answer: the program misses a variable. A mechanism finds, from the pod, ExitCode{Code: 1},
// which says nothing by itself and is marked as an effect.
//
// Relate: the relation never-arrived asks mechanism.WebhookDidNotMutate about the failure. The spec has the variable, the pod does not, and
// only the operator's webhook could have brought it there: a second cause, NeverArrived{Name: "KAFKA_SERVERS", Seen: true}, goes before the
// first. Neither cause is edited. The answer holds both, and takes the class and certainty that the relation states.
//
// Rank: the criteria in rank/order.go are asked in turn: is there a good outcome, does it stand by itself, is it a fault, does the process
// say so itself, is it proven, how directly was it seen. The exit code is an effect, so it comes last.
//
// Word: words says the two causes as one sentence:
//
//	the driver lacks variable KAFKA_SERVERS of the spec, since the operator's webhook did not change its pod:
//	a variable of the environment is not set: KeyError: 'KAFKA_SERVERS' at app.py:23 (driver)
//
// Three tests hold this for all cases: TestWordsDecideNothing swaps every sentence for the names of its mechanisms and gets the same
// verdicts, TestEvidenceOfOursDecidesNothing does so with advice and values of the evidence too, and TestCausesAreNotEdited compares each
// cause with what its mechanism returned. What other programs say is read once, where it enters: from logs into logs.Failure and
// logs.Ending, from the operator's message into mechanism.Recorded, from a queue into app.QueueSays.
//
// # How sure
//
// Proven is earned: who ended or blocks the application said so (the kubelet, the scheduler, the API server, a quota, Spark's own abort),
// and each rival of the mechanism was ruled out by something that was seen. Everything else is likely, or of class unknown where no cause
// stands.
//
// The rivals are a table, mechanism.AllNeeds: for each mechanism its look-alikes, with a function over what was seen that says ruled out,
// present or not seen; or a sentence that says why it has none. never-arrived has four: spec.volumes lacks the volume, the spec was
// changed after the pod was created, the pod is of an earlier run, another webhook removed the field again. Package rank asks them once,
// before it compares answers; an answer that is likely because of a rival names it (notRuledOut in JSON).
//
// An object that files lack is not known to be absent. What was not seen is a Gap of the application, and stands in CaseFile.Unseen:
// nothing follows from its absence. TestNoRivalLeavesAnAnswerProven adds the evidence of each rival to each proven case, and
// TestWhatIsMissingProvesNothing removes one thing at a time.
package why
