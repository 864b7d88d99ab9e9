// Package check is what a check is, and the engine that asks it.
//
// A Check is one question, as a value in a literal: all about it can be listed without running it. Its title is the fact that a finding
// asserts. It declares what it may read (Needs, views of a snapshot in the roles that decide when it is skipped) and which shared facts
// it requires (Requires). Its Run is a function of a Pass, which answers for just these; it does no I/O and knows no clock but the
// snapshot's. It returns an Answer: findings, how many subjects were judged, and which could not be judged for want of data.
//
// The role of a view decides what happens without it. Findings are about the objects of a Subject, and a Compared view is what these are
// held against: if one of them cannot be read, the check is skipped, and the report says of which view. An Optional one sharpens the
// verdict: without it a finding is likely at most. With a Consulted one missing, the check is partial and says itself what it can still
// tell. An Advised one is needed for what to do about a finding only.
//
// A Finding is one fact about an object that should not be. A check states
//
//   - the fact: what it is About, Field, Message (with numbers), Severity, Certainty, Verdict, and what it rests on (Evidence, Related,
//     Confirmation);
//   - what to do: Then for a command with real names, ThenRepair for the repair that the program knows (Fixes), and ThenIf where it
//     depends on other findings, which the check does not know;
//   - which findings are one to the reader: Identity, or a Fold of the check.
//
// The engine makes a Reported of it: with the check that stated it, what causes it, what it joins, and whether it is suppressed. Reports
// and repairs read that.
//
// A Fact is what several checks derive from records, such as which operators there are. It is made once a scan, when the first check
// asks for it, and shared by checks that run side by side. It declares its own views, so that AllNeeds of a check are complete: what
// they say is what is listed, what rbac prints, and what coverage is about. See package facts.
//
// The engine keeps the rules that hold for every check. Run asks them; what could not be read makes a check skipped or partial, and a
// panic, of which an undeclared read is one, skips only the check. Confirm looks again at what findings rest on not being there.
// Correlate folds findings and links causes, by what the checks declare (Breaks, CausedBy): a new check never edits another one.
// Suppress leaves out accepted findings. Reported.Commands are then the next steps, as you can type them.
//
// The example is a whole check with a fact, run on a snapshot of two applications; its findings print as a report would have them.
package check
