package fix

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Restore takes changes back: fields that still hold what was written get their old values, fields that have them are
// left, and fields that somebody has changed since are left too.
type Restore struct {
	Object        snapshot.Ref
	Subresource   string
	Changes       []Change // as they were made
	Preconditions []Precondition
	Was           string // which fields these are
	Of            string // name of the kind of intent that made them
	Risk          Risk   // of that
	Manager       string // field manager that must have written what is taken back
}

func (i Restore) traits() Traits {
	return Traits{
		Target: i.Object,
		Title:  "take back: " + i.Was,
		Risk:   i.Risk,
		Order:  Upkeep,
		Reads:  []Read{{Ref: i.Object}},
	}
}

func (i Restore) resolve(f Fresh) ([]Step, error) {
	o, err := f.Target(i.Object)
	if err != nil {
		return nil, err
	}
	for _, h := range i.Preconditions {
		if at, err := locate(o.Object, h.Path); err != nil || !equality.Semantic.DeepEqual(at.value, h.Value) {
			return nil, stale("%s of %s is %s now, not %s", h.Path, i.Object, compact(at.value), compact(h.Value))
		}
	}
	var back []Change
	moved := 0
	for _, c := range i.Changes {
		at, err := locate(o.Object, c.Path)
		switch {
		case err != nil, !at.exists && c.New != nil && c.Old != nil:
			moved++
		case equality.Semantic.DeepEqual(at.value, c.New):
			if err := writtenByManager(o, i.Object, i.Manager, i.Subresource, c); err != nil {
				return nil, err
			}
			back = append(back, c.reversed())
		case equality.Semantic.DeepEqual(at.value, c.Old):
		default:
			moved++
		}
	}
	switch {
	case len(back) == 0 && moved > 0:
		return nil, stale("what was written to %s has been changed since (%d fields)", i.Object, moved)
	case len(back) == 0:
		return nil, done("%s is as it was", i.Object)
	}
	var out []Step
	for batch := range slices.Chunk(back, maxRemoved) {
		out = append(out,
			Step{Target: i.Object, Subresource: i.Subresource, Changes: batch, Preconditions: i.Preconditions, Why: "the record has the old values"})
	}
	if _, rest := fold(back); len(rest) > 0 {
		told, nothing := FieldsOf(back)+" written back", ""
		for k := range out {
			out[k].Summary = &nothing // the first tells of all
		}
		out[0].Summary = &told
	}
	return out, nil
}
