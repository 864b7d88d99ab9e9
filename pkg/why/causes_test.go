package why_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestWordsDecideNothing swaps all sentences for the names of mechanisms, and holds that what was decided is the same to the byte.
func TestWordsDecideNothing(t *testing.T) {
	everyEvidence(t, func(name string, e *app.Evidence) {
		said, keyed := why.Open(e), why.OpenByKeys(e)
		require.Equal(t, verdictOf(casefile.New(said, report.Tool{}, command.Asked{})),
			verdictOf(casefile.New(keyed, report.Tool{}, command.Asked{})), name)
		require.Equal(t, why.Picked(&said), why.Picked(&keyed), name)
	})
}

// TestEvidenceOfOursDecidesNothing puts keys for all that this program composed at once: sentences, next steps, values of the evidence and
// the paths of its fields, from the moment on at which each is returned. Relations, ranking, what stands beside a verdict, what shows it
// best and what to change are the same to the byte: they read what others said, and typed values.
func TestEvidenceOfOursDecidesNothing(t *testing.T) {
	keys := 0
	everyEvidence(t, func(name string, e *app.Evidence) {
		said := why.Open(e)
		why.KeyEvidence(&said)
		keyed := why.OpenByKeysAlone(e)
		require.Equal(t, verdictOf(casefile.New(said, report.Tool{}, command.Asked{})),
			verdictOf(casefile.New(keyed, report.Tool{}, command.Asked{})), name)
		require.Equal(t, why.Picked(&said), why.Picked(&keyed), name)
		for i := range keyed.Causes {
			require.Equal(t, said.Causes[i].Evidence, keyed.Causes[i].Evidence, name)
			for _, p := range keyed.Causes[i].Evidence {
				if strings.HasPrefix(p.Value, "key ") {
					keys++
				}
			}
		}
	})
	require.Greater(t, keys, 1000)
}

// TestQuotesDecideNothing holds that what others said, which a mechanism keeps to be shown, and the fields of the spec that are only shown
// decide nothing once the mechanism returned: relations, ranking and changes read the typed values that it found in them.
func TestQuotesDecideNothing(t *testing.T) {
	quotes := 0
	everyEvidence(t, func(name string, e *app.Evidence) {
		said := casefile.New(why.OpenByKeys(e), report.Tool{}, command.Asked{})
		f, n := why.OpenUnquoted(e)
		without := casefile.New(f, report.Tool{}, command.Asked{})
		quotes += n
		require.Equal(t, decidedOf(said), decidedOf(without), name)
	})
	require.Greater(t, quotes, 1000)
}

// decidedOf is the verdict, without what a reader looks up beside it, and what to change.
func decidedOf(d *casefile.Document) string {
	for i := range d.Causes {
		d.Causes[i].Evidence = slices.DeleteFunc(d.Causes[i].Evidence, func(e casefile.Evidence) bool { return e.Beside })
	}
	changes, err := json.Marshal(d.Verdict.Change)
	if err != nil {
		return err.Error()
	}
	return verdictOf(d) + string(changes)
}

// TestCausesAreNotEdited holds that a cause stays what its mechanism returned: what is related, ranked and completed is an answer of its
// own.
func TestCausesAreNotEdited(t *testing.T) {
	everyEvidence(t, func(name string, e *app.Evidence) {
		require.Empty(t, why.EditedCause(e), name)
	})
}

// TestEveryCauseSaysWhatElseItCouldBe holds that no cause is found whose mechanism is not in the table of rivals: it would prove nothing.
func TestEveryCauseSaysWhatElseItCouldBe(t *testing.T) {
	everyEvidence(t, func(name string, e *app.Evidence) {
		require.Empty(t, why.Unlisted(e), name)
	})
}

// everyEvidence hands over the evidence of each case of the corpus and each recording of a real node.
func everyEvidence(t *testing.T, do func(name string, e *app.Evidence)) {
	t.Helper()
	for _, c := range shown(t) {
		do(c.ID, asItIs(t, &c))
	}
	for name := range answers() {
		do(name, recording(t, name))
	}
}

// TestSettingsThatAreNamedAreLookedUp holds that what an answer is about, as rank knows it, has each setting of Spark that its words name,
// of all that an application of the corpus sets or a signature is about.
func TestSettingsThatAreNamedAreLookedUp(t *testing.T) {
	settings := map[string]bool{mechanism.KeepsPods: true}
	for _, s := range catalog.Builtin().Signatures() {
		for _, name := range s.Settings {
			settings[name] = true
		}
	}
	everyEvidence(t, func(_ string, e *app.Evidence) {
		if e.Application != nil {
			for name := range e.Application.Spec.Conf {
				settings[name] = true
			}
		}
	})
	everyEvidence(t, func(name string, e *app.Evidence) {
		require.Empty(t, why.UnlookedSettings(e, settings), name)
	})
}
