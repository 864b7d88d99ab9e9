package plan

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

func TestReadRecordIsNoRecord(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "cut off in the first line": `{"apiVersion":"spa`, "another file": "kind: List\n",
		"another kind":  `{"apiVersion":"sparkdoctor.io/v1alpha1","kind":"FixPlan"}` + "\n",
		"of the future": `{"apiVersion":"sparkdoctor.io/v2","kind":"FixRecord"}` + "\n",
		"damaged":       `{"apiVersion":"sparkdoctor.io/v1alpha1","kind":"FixRecord"}` + "\nxx\n",
	} {
		_, err := ReadRecord(bytes.NewReader([]byte(text)))
		require.Error(t, err, name)
	}
}

// journalLines are the lines of a record: its head, a request, its end, and another request.
type journalLines struct{ head, first, end, second map[string]any }

// TestReadRecordRefuses: a record that says what no record of fix says is refused with the line and the field.
func TestReadRecordRefuses(t *testing.T) {
	prune := Fix{ID: 1, Title: "prune", Findings: []Finding{{Name: oneName, Check: "SD2001", Object: app()}}}
	step := func(executor string) fix.Step {
		return fix.Step{
			Target: app(), Subresource: "status",
			Preconditions: []fix.Precondition{{Path: fix.Path{"status", "submissionID"}, Value: "s1"}},
			Changes:       []fix.Change{{Path: fix.Path{"status", "executorState", executor}, Old: "FAILED"}},
		}
	}
	line := func(v any) map[string]any {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		var out map[string]any
		require.NoError(t, json.Unmarshal(text, &out))
		return out
	}
	for name, tc := range map[string]struct {
		change func(journalLines)
		want   string // empty: it is read
	}{
		"as it was written": {func(journalLines) {}, ""},
		"a number left out": {func(r journalLines) { r.second["number"] = 5 }, ""},
		"of no cluster":     {func(r journalLines) { delete(at(r.head, "cluster"), "uid") }, "line 1: cluster.uid: is missing"},
		"of no such check": {func(r journalLines) { at(r.head, "fixes", 0, "findings", 0)["check"] = "x\x1b[2J" },
			"line 1: fixes[0].findings[0].check: "},
		"a field of its own":    {func(r journalLines) { r.head["resolved"] = true }, "line 1: resolved: is an unknown field"},
		"the number once more":  {func(r journalLines) { r.second["number"] = 1 }, "line 4: number: is 1, after 1"},
		"numbers that fall":     {func(r journalLines) { r.second["number"] = 0 }, "line 4: number: is 0, after 1"},
		"the end of none":       {func(r journalLines) { r.end["number"] = 2 }, "line 3: number: is 2, of a request that did not begin"},
		"the end of zero":       {func(r journalLines) { r.end["number"] = 0 }, "line 3: number: is 0, of a request that did not begin"},
		"no such end":           {func(r journalLines) { r.end["end"] = "perhaps" }, "line 3: end: is \"perhaps\""},
		"neither begin nor end": {func(r journalLines) { delete(r.end, "end") }, "line 3: step: belongs to a request that begins"},
		"begin and end":         {func(r journalLines) { r.first["end"] = "written" }, "line 2: step: belongs to a request that begins"},
		"another kind":          {func(r journalLines) { at(r.first, "step", "target")["kind"] = "Secret" }, "line 2: step.target.kind: "},
		"no UID":                {func(r journalLines) { delete(at(r.first, "step", "target"), "uid") }, "line 2: step.target.uid: is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			all := []map[string]any{
				line(header(Planned{ID: 1, Title: prune.Title, Findings: prune.Findings})), line(Begin(1, prune, step("e-1"), aTime())),
				line(Entry{Number: 1, Fix: 1, At: aTime(), End: Written}), line(Begin(2, prune, step("e-2"), aTime())),
			}
			tc.change(journalLines{all[0], all[1], all[2], all[3]})
			var text bytes.Buffer
			for _, one := range all {
				require.NoError(t, json.NewEncoder(&text).Encode(one))
			}
			_, err := ReadRecord(&text)
			if tc.want == "" {
				require.NoError(t, err)
				return
			}
			var refused *fix.Refused
			require.ErrorAs(t, err, &refused)
			require.Regexp(t, "^"+regexp.QuoteMeta(tc.want), refused.Reason)
		})
	}
}
