package prompt_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/prompt"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// asked answers with lines and returns what was chosen, the questions, and what was shown meanwhile.
func asked(t *testing.T, answers string, individually bool) (chosen []int, questions string, shown []string) {
	t.Helper()
	note := func(what string) func(plan.Fix) error {
		return func(f plan.Fix) error {
			shown = append(shown, what+" "+f.Title)
			return nil
		}
	}
	var out strings.Builder
	p := prompt.Prompt{In: strings.NewReader(answers), Out: &out, Diff: note("diff"), Explain: note("explain"),
		Line: func(plan.Fix) error { return nil }}
	chosen, err := p.Ask(plan.Plan{Fixes: []plan.Fix{
		{ID: 1, Title: "one"}, {ID: 2, Title: "two", After: []int{1}}, {ID: 3, Title: "three", Blocked: "a webhook is down"},
		{ID: 4, Title: "four"},
	}}, "context prod", individually)
	require.NoError(t, err)
	return chosen, out.String(), shown
}

// TestAll: nothing but a yes is one.
func TestAll(t *testing.T) {
	for answers, want := range map[string][]int{
		"y\n": {1, 2, 4}, "Y\n": {1, 2, 4}, " yes \n": {1, 2, 4}, "\n": nil, "": nil, "n\n": nil, "yeah\n": nil, "d\n": nil, "a\n": nil,
		"d\ny\n": {1, 2, 4}, "?\ny\n": {1, 2, 4}, "?\n": nil, "i\nn\ny\n": {4}, "i\n": nil, "i\ny\n": nil,
	} {
		chosen, questions, _ := asked(t, answers, false)
		require.Equal(t, want, chosen, "%q", answers)
		require.Contains(t, questions, "Apply 3 fixes to 0 objects in context prod?")
	}
	_, _, shown := asked(t, "d\nn\n", false)
	require.Equal(t, []string{"diff one", "diff two", "diff four"}, shown)
}

func TestEach(t *testing.T) {
	for answers, want := range map[string][]int{
		"y\ny\ny\n": {1, 2, 4}, "y\nn\ny\n": {1, 4}, "n\ny\n": {4}, "a\n": {1, 2, 4}, "n\na\n": {4}, "y\nq\n": {1}, "q\n": nil,
		"d\ne\n?\nx\ny\nq\n": {1}, "": nil, "y\ny\n": nil, // it ended before all was asked
	} {
		chosen, questions, _ := asked(t, answers, true)
		require.Equal(t, want, chosen, "%q: %s", answers, questions)
	}
	_, questions, shown := asked(t, "d\ne\n?\nn\nn\n", true)
	require.Equal(t, []string{"diff one", "explain one"}, shown)
	require.Contains(t, questions, "fix 2 needs fix 1, which is not applied")
	require.Contains(t, questions, "a  apply this fix and all that follow")
}
