package why

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// OpenByKeysAlone is OpenByKeys where values of the evidence that this program composed, and paths of fields, are only keys as well, from
// the moment on at which a mechanism, a relation or a look-up returned them, and so are the values that are shown as they are said.
func OpenByKeysAlone(e *app.Evidence) CaseFile {
	v := mechanism.Look(e)
	found := detect(v)
	for i := range found {
		found[i].Evidence = keyed(found[i].Evidence)
	}
	step := func(all []rank.Answer) []rank.Answer {
		for i := range all {
			all[i].Evidence = keyed(all[i].Evidence)
		}
		return all
	}
	answers := step(rank.Rank(v, step(rank.Relate(v, found))))
	rank.Complete(v, &answers[0])
	step(answers)
	rank.Beside(v, answers, rank.Shown{Limit: keyText(words.Limit(v.Limit(answers[0].RoleOf()))), Survived: shown(v, &answers[0]).Survived})
	answers = rank.WithoutState(answers)
	notes := spec.Notes(v, &answers[0].Cause, answers[0].RoleOf())
	for i := range notes {
		notes[i].Proofs = keyed(notes[i].Proofs)
	}
	rank.OnceEach(step(answers))
	f := said(v, answers, notes, sayKeys)
	KeyEvidence(&f)
	return f
}

// KeyEvidence puts keys for all values of the evidence that this program composed, and for paths of fields, and leaves out what then stands
// twice. What stands beside a verdict is sorted by its path, so that it is sorted again.
func KeyEvidence(f *CaseFile) {
	for i := range f.Causes {
		var once []cause.Proof
		for _, p := range keyed(f.Causes[i].Evidence) {
			same := func(o cause.Proof) bool {
				return o.Object == p.Object && o.Field == p.Field && o.Value == p.Value
			}
			if !slices.ContainsFunc(once, same) {
				once = append(once, p)
			}
		}
		slices.SortStableFunc(once, func(a, b cause.Proof) int {
			switch {
			case a.Beside && b.Beside:
				return strings.Compare(a.Field+a.Value, b.Field+b.Value)
			case a.Beside:
				return 1
			case b.Beside:
				return -1
			default:
				return 0
			}
		})
		f.Causes[i].Evidence = once
		if p := f.Causes[i].Shows; p != nil {
			f.Causes[i].Shows = &keyed([]cause.Proof{*p})[0]
		}
	}
}

// Picked is what is chosen of a case file to be shown first, without the words for it: which evidence, whether it has consequences, and
// what is to be changed.
func Picked(f *CaseFile) string {
	var b strings.Builder
	for i := range f.Causes {
		c := &f.Causes[i]
		fmt.Fprintf(&b, "%d follows %t", i, c.Follows != "")
		if p := c.Shows; p != nil {
			fmt.Fprintf(&b, " shows %s %s", p.Object.Name, p.Field)
		}
		for _, one := range c.Change {
			text, err := json.Marshal([]any{one.Object, one.Path, one.From, one.To, one.Stops})
			fmt.Fprintf(&b, " change %s %v", text, err)
		}
		b.WriteString("\n")
	}
	return b.String()
}

const keyOf = "key "

// keyed are proofs with keys for what others did not say word for word, as they do in logs, events and messages: the same for the same.
func keyed(proofs []cause.Proof) []cause.Proof {
	out := slices.Clone(proofs)
	for i, p := range out {
		const message = "message"
		inLines := strings.HasPrefix(p.Field, "log ") || strings.HasPrefix(p.Field, "event ")
		said := inLines || strings.HasSuffix(strings.ToLower(p.Field), message)
		if !said && !strings.HasPrefix(p.Value, keyOf) {
			out[i].Value = keyText(p.Value)
		}
		if !inLines && !strings.HasPrefix(p.Field, keyOf) {
			out[i].Field = keyText(p.Field)
			if said {
				out[i].Field += " " + message
			}
		}
	}
	return out
}

// keyText is a key for a text; of an empty one, which is none, it is empty.
func keyText(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%s%08x", keyOf, crc32.ChecksumIEEE([]byte(text)))
}
