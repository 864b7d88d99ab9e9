package why_test

import "testing"

// TestWhatTheApplicationWarnedLast: where nothing tells why, what it warned of right before it ended is quoted, and proves nothing. A name
// of a class alone may be that of a library.
func TestWhatTheApplicationWarnedLast(t *testing.T) {
	answerVariants(t, map[string]variant{
		"by a logger of its own": {of: "1291", class: "unknown", says: []string{"step fit did not complete", "tracker entry PXR-fold-7"}},
		"a class":                {of: "1291", logs: []string{"px.runner:", "ResolveWriteToStream:"}, class: "unknown", not: []string{"tracker"}},
		"an error before it": {of: "1291", logs: []string{"WARN px.runner: step fit", "ERROR px.runner: step fit"}, class: "codeFailed",
			says: []string{"step fit did not complete"}},
	})
}

// TestStreamsOnOneCheckpoint: the application that runs and names the checkpoint is the other one. One with another checkpoint is not, nor
// is one that ended.
func TestStreamsOnOneCheckpoint(t *testing.T) {
	const state, argument, other = "    state: RUNNING", "  - --checkpoint\n  - s3a://clickflow-state/", "session-enrich runs"
	answerVariants(t, map[string]variant{
		"beside it":                  {of: "1060", class: "configuration", says: []string{"clickflow/session-enrich runs with s3a://"}},
		"of the same name elsewhere": {of: "1489", class: "configuration", says: []string{"stream-green/clickstream-agg"}},
		"it ended":                   {of: "1060", objects: []string{state, "    state: FAILED"}, class: "codeFailed", not: []string{other}},
		"it has its own":             {of: "1060", objects: []string{argument, argument + "other/"}, class: "codeFailed", not: []string{other}},
	})
}
