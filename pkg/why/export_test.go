package why

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// OpenByKeys is Open where each sentence is only the names of the mechanisms that it is made of.
func OpenByKeys(e *app.Evidence) CaseFile {
	v := mechanism.Look(e)
	return open(v, detect(v), sayKeys)
}

// sayKeys says an answer by the names of its mechanisms, and each next step by such a name and a number.
func sayKeys(a *rank.Answer) words.Phrase {
	p := words.Terms{}.OfAnswer(a)
	keys := make([]string, 0, len(a.Clauses))
	for _, c := range a.Clauses {
		keys = append(keys, key(&c.Cause))
	}
	p.Says = strings.Join(keys, " ")
	for i := range p.Do {
		p.Do[i].Text = fmt.Sprintf("%s %d", p.Says, i)
	}
	return p
}

func key(c *cause.Cause) string {
	if c.Detail == nil {
		return string(c.Class)
	}
	return string(c.Detail.Mechanism())
}

// EditedCause returns the first cause that is not as its mechanism returned it, once all of Open has happened; empty: none.
func EditedCause(e *app.Evidence) string {
	v := mechanism.Look(e)
	found := detect(v)
	before := make([]string, 0, len(found))
	for i := range found {
		before = append(before, printed(&found[i]))
	}
	answers := rank.Rank(v, rank.Relate(v, found))
	rank.Complete(v, &answers[0])
	rank.Beside(v, answers, shown(v, &answers[0]))
	rank.OnceEach(answers)
	for i := range found {
		if after := printed(&found[i]); after != before[i] {
			return before[i] + "\n" + after
		}
	}
	return ""
}

func printed(c *cause.Cause) string {
	text, err := json.Marshal(c)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%T %s", c.Detail, text)
}

// Lead is the cause that a verdict says first, how certain the verdict is, and what the mechanism of that cause needs.
func Lead(e *app.Evidence) (cause.Cause, check.Certainty, mechanism.Needs) {
	v := mechanism.Look(e)
	answers := rank.Rank(v, rank.Relate(v, detect(v)))
	rank.Complete(v, &answers[0])
	lead := answers[0].Clauses[0].Cause
	needs, _ := mechanism.NeedsOf(mechanism.AllNeeds(), &lead)
	return lead, answers[0].Certainty, needs
}

// Unlisted are the mechanisms of the causes that are found and have no entry.
func Unlisted(e *app.Evidence) (out []cause.ID) {
	v, all := mechanism.Look(e), mechanism.AllNeeds()
	for _, c := range detect(v) {
		if _, has := mechanism.NeedsOf(all, &c); !has && c.Detail != nil {
			out = append(out, c.Detail.Mechanism())
		}
	}
	return out
}

// Shown returns the mechanisms that take part in the answers about an application: causes, their clauses and advice, and notes.
func Shown(e *app.Evidence) map[cause.ID]bool {
	v := mechanism.Look(e)
	answers := rank.Rank(v, rank.Relate(v, detect(v)))
	rank.Complete(v, &answers[0])
	rank.Beside(v, answers, shown(v, &answers[0]))
	notes := spec.Notes(v, &answers[0].Cause, answers[0].RoleOf())
	out := map[cause.ID]bool{}
	addDetails(out, reflect.ValueOf(answers))
	addDetails(out, reflect.ValueOf(notes))
	return out
}

// addDetails adds the details within a value, those within other details too.
func addDetails(to map[cause.ID]bool, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if d, is := v.Interface().(cause.Detail); is {
			to[d.Mechanism()] = true
		}
		addDetails(to, v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			addDetails(to, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				addDetails(to, v.Field(i))
			}
		}
	default:
	}
}

// UnlookedSettings are those of some settings of Spark that the words of an answer name, and that are not looked up for it.
func UnlookedSettings(e *app.Evidence, of map[string]bool) (out []string) {
	setting := regexp.MustCompile(`\bspark\.[\w.]*\w`)
	v := mechanism.Look(e)
	answers := rank.Rank(v, rank.Relate(v, detect(v)))
	rank.Complete(v, &answers[0])
	for i := range answers {
		p, known := words.Terms{}.OfAnswer(&answers[i]), answers[i].Settings()
		for _, next := range p.Do {
			p.Says += "\n" + next.Text
		}
		for _, name := range setting.FindAllString(p.Says, -1) {
			if _, is := answers[i].Detail.(mechanism.Finding); is { // its words are the check's
				continue
			}
			if of[name] && !slices.Contains(known, name) {
				out = append(out, fmt.Sprintf("%s of %T: %s", name, answers[i].Detail, p.Says))
			}
		}
	}
	return out
}

// WhatItWasNot is what is ruled out beside the causes that are said.
func WhatItWasNot(e *app.Evidence) []rank.RuledOut {
	v := mechanism.Look(e)
	return rank.RuleOut(v, rank.WithoutState(rank.Rank(v, rank.Relate(v, detect(v)))))
}

// OpenUnquoted is OpenByKeys where what others said, in fields of details that are called so, is only keys from the moment on at which a
// mechanism returned it, and so are the fields of the spec that are only shown.
func OpenUnquoted(e *app.Evidence) (CaseFile, int) {
	v := mechanism.Look(e)
	if v.Application != nil {
		unshown := map[string]string{} // other tests read the same evidence
		for path, value := range v.Spec.Shown {
			unshown[path] = keyText(value)
		}
		v.Spec.Shown = unshown
	}
	found, quotes := detect(v), 0
	for i := range found {
		if d := found[i].Detail; d != nil {
			found[i].Detail = unquoted(reflect.ValueOf(d), "", &quotes).Interface().(cause.Detail)
		}
	}
	return open(v, found, sayKeys), quotes
}

// quotes are the names of fields of details that hold what others said.
func quotes() []string { return []string{"Said", "Says", "Message", "Text", "Fault", "Why"} }

// unquoted is a copy of a value with keys for the texts in fields that hold what others said, which it counts.
func unquoted(v reflect.Value, field string, n *int) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() && slices.Contains(quotes(), field) && v.String() != "" {
			out.SetString(keyText(v.String()))
			*n++
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(unquoted(v.Elem(), field, n))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			to := reflect.New(v.Type().Elem())
			to.Elem().Set(unquoted(v.Elem(), field, n))
			out.Set(to)
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(unquoted(v.Index(i), field, n))
			}
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[logs.Throwable]() {
			return v // of the log itself, in which mechanisms look for what they know
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(unquoted(v.Field(i), v.Type().Field(i).Name, n))
			}
		}
	default:
	}
	return out
}
