package why_test

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// TestOpenAnswersTheCorpus compares what the command answers for each case with the answer that the case states.
func TestOpenAnswersTheCorpus(t *testing.T) {
	byFolder := map[string][]corpus.Case{}
	for _, c := range shown(t) {
		byFolder[c.Folder] = append(byFolder[c.Folder], c)
	}
	total, mu := map[corpus.Result]int{}, sync.Mutex{}
	t.Run("classes", func(t *testing.T) { // returns when all of its parallel tests have ended
		for folder, cases := range byFolder {
			t.Run(folder, func(t *testing.T) {
				t.Parallel()
				for _, c := range cases {
					f := why.Open(asItIs(t, &c))
					require.Empty(t, saidTwice(&f), c.ID)
					result, reason := c.Judge(f.Verdict())
					mu.Lock()
					total[result]++
					mu.Unlock()
					if v := f.Verdict(); result != corpus.Right {
						t.Errorf("%s: %s: %s\n\t%s (%s): %s", c.ID, result, reason, v.Class, v.Certainty, v.Message)
					}
				}
			})
		}
	})
	t.Logf("%v", total)
}

// TestAnswersThatFallShort: each is as good as its case says, so that one that becomes right moves to the folder of its class.
func TestAnswersThatFallShort(t *testing.T) {
	cases, err := corpus.ReadShort(os.DirFS(corpusDir))
	require.NoError(t, err)
	for _, c := range cases {
		f := openCase(t, &c)
		result, reason := c.Judge(f.Verdict())
		v := f.Verdict()
		assert.Equal(t, c.Today, result, "%s: %s\n\t%s (%s): %s", c.ID, reason, v.Class, v.Certainty, v.Message)
		assert.NotEqual(t, corpus.Right, c.Today, c.ID)
	}
}

// TestOpenAnswersTheSealedCases counts the results, where this is asked for, and shows nothing else of the cases.
func TestOpenAnswersTheSealedCases(t *testing.T) {
	if os.Getenv("SPARKDOCTOR_MEASURE_SEALED") == "" {
		t.Skip("SPARKDOCTOR_MEASURE_SEALED=1 measures them")
	}
	total := map[corpus.Result]int{}
	cases := sealed(t)
	for _, c := range cases {
		f := openCase(t, &c)
		result, _ := c.Judge(f.Verdict())
		total[result]++
	}
	t.Logf("%v", total)
}

// saidTwice are the facts and the next steps that a cause has more than once.
func saidTwice(f *why.CaseFile) (twice []string) {
	for _, c := range f.Causes {
		seen := map[string]bool{}
		say := func(text string) {
			if seen[text] {
				twice = append(twice, text)
			}
			seen[text] = true
		}
		for _, e := range c.Evidence {
			say(strings.Join([]string{e.Object.String(), e.Field, e.Value, e.At.String()}, " "))
		}
		for _, n := range c.Next {
			say(n.Text + " " + n.Line)
		}
	}
	return twice
}
