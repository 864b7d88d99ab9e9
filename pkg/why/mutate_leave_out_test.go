package why_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestWhatIsMissingProvesNothing leaves out of each proven case one thing at a time: an object, an event, a log, a condition. Files are not
// known to be whole, so that what is missing is not known to be absent: no answer that was not right before gets proven, and what proves
// one is in what is left.
func TestWhatIsMissingProvesNothing(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, of := range sampling.NightlyOf(shown(t)) {
		one := decoded(t, of)
		whole := one.whole()
		if whole.Verdict().Certainty != check.Proven || whole.Verdict().Class == cause.Unknown {
			continue
		}
		for what, less := range one.leftOut() {
			tried++
			f := less.whole()
			v := f.Verdict()
			if v.Certainty != check.Proven || v.Class == cause.Unknown {
				continue
			}
			if v.Class != whole.Verdict().Class && !of.IsRight(v.Class) {
				t.Errorf("%s without %s: %s is proven: %s", of.ID, what, v.Class, v.Message)
			}
			if not := less.lacks(v); not != "" {
				t.Errorf("%s without %s: proven by what is not there: %s", of.ID, what, not)
			}
		}
	}
	if sampling.Nightly() {
		require.Greater(t, tried, 3000)
	}
}

// leftOut are the cases that lack one thing each, by what they lack.
func (c *corpusCase) leftOut() map[string]corpusCase {
	out := map[string]corpusCase{}
	for i, o := range c.objects {
		if o.GetKind() == c.Subject().Kind && o.GetName() == c.Subject().Name {
			continue // without it there is nothing to ask about
		}
		if c.CutObjects[o.GetKind()+"/"+o.GetName()] != "" {
			continue
		}
		less := *c
		less.objects = slices.Delete(slices.Clone(c.objects), i, i+1)
		out[fmt.Sprintf("%s %s", o.GetKind(), o.GetName())] = less
		all, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for k := range all {
			changed := o.DeepCopy()
			list, _, _ := unstructured.NestedSlice(changed.Object, "status", "conditions")
			if unstructured.SetNestedSlice(changed.Object, slices.Delete(list, k, k+1), "status", "conditions") != nil {
				continue
			}
			less := *c
			less.objects = slices.Clone(c.objects)
			less.objects[i] = *changed
			out[fmt.Sprintf("condition %d of %s %s", k, o.GetKind(), o.GetName())] = less
		}
	}
	for file := range c.Logs {
		if c.CutLogs != "" {
			continue
		}
		less := *c
		less.Logs = maps.Clone(c.Logs)
		delete(less.Logs, file)
		out[file] = less
	}
	return out
}

// lacks is a piece of evidence that a case does not have: of an object, an event or a log that is not there; empty: it has all.
func (c *corpusCase) lacks(v *why.Cause) string {
	for _, p := range v.Evidence {
		in := ""
		switch log, event := strings.CutPrefix(p.Field, "log "); {
		case event:
			container, previous := strings.CutSuffix(log, " (previous)")
			in = cmp.Or(p.Object.Namespace, c.Namespace) + "_" + p.Object.Name + "_" + container
			if previous {
				in += ".previous"
			}
			const enough = 24 // characters: long lines are cut, and several may be one
			folded := strings.Join(strings.Fields(c.Logs[in+".log"]), " ")
			if value := strings.Join(strings.Fields(p.Value), " "); strings.Contains(folded, value[:min(len(value), enough)]) {
				continue
			}
		case strings.HasPrefix(p.Field, "event "):
			reason := strings.TrimPrefix(p.Field, "event ")
			of := func(o unstructured.Unstructured) bool { return o.GetKind() == "Event" && o.Object["reason"] == reason }
			if slices.ContainsFunc(c.objects, of) {
				continue
			}
		case p.Object.Kind == "" || c.find(p.Object.Kind, p.Object.Name) != nil || p.Beside:
			continue
		}
		if !p.Beside {
			return p.Object.String() + " " + p.Field + ": " + p.Value
		}
	}
	return ""
}
