package why

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// merged puts causes that are the same fact into one: of the same class about the same part of the application.
func merged(all []cause.Cause) []cause.Cause {
	var out []cause.Cause
	for _, c := range all {
		at := slices.IndexFunc(out, func(o cause.Cause) bool {
			return o.Class == c.Class && o.Class != cause.Unknown && o.Effect == c.Effect && o.SignatureFile == c.SignatureFile &&
				(logged(&o) != logged(&c) || o.Signature != "" && o.Signature == c.Signature)
		})
		if at < 0 {
			out = append(out, c)
			continue
		}
		keep := &out[at]
		keep.Evidence = append(slices.Clone(keep.Evidence), c.Evidence...)
		if !sameStory(keep, &c) {
			keep.Next = distinct(slices.Concat(keep.Next, c.Next))
		}
		if len(keep.Message) < len(c.Message) && keep.Certainty == c.Certainty && logged(keep) == logged(&c) {
			keep.Message = c.Message
		}
		switch {
		case logged(keep) == logged(&c):
		case sameStory(keep, &c):
			if _, task, found := strings.Cut(c.Message, "; task "); found {
				keep.Message += "; task " + task
			}
		default:
			keep.Message += "; " + c.Message
		}
		keep.Certainty = min(keep.Certainty, c.Certainty)
		if keep.At.IsZero() || !c.At.IsZero() && c.At.Before(keep.At) {
			keep.At = c.At
		}
	}
	return out
}

// sameStory reports whether two causes tell of the same kills for memory: one sentence and one advice is enough.
func sameStory(a, b *cause.Cause) bool {
	return strings.Contains(a.Message, "OOMKilled") && (strings.Contains(b.Message, "OOMKilled") || strings.Contains(b.Message, "137"))
}

// distinct leaves out what was said before.
func distinct(list []command.Command) []command.Command {
	var out []command.Command
	for _, one := range list {
		if !slices.ContainsFunc(out, func(o command.Command) bool { return o.Text == one.Text }) {
			out = append(out, one)
		}
	}
	return out
}

// onceEach leaves out what a cause's evidence says twice: causes that were put together may rest on the same fact.
func onceEach(all []cause.Cause) {
	for i := range all {
		var kept []cause.Proof
		for _, p := range all[i].Evidence {
			if !slices.ContainsFunc(kept, func(k cause.Proof) bool { return sameProof(&k, &p) }) {
				kept = append(kept, p)
			}
		}
		all[i].Evidence = kept
	}
}

func sameProof(a, b *cause.Proof) bool {
	return a.Object.Kind == b.Object.Kind && a.Object.Name == b.Object.Name && a.Field == b.Field && a.Value == b.Value && a.At.Equal(b.At)
}
