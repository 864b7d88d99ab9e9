package report

import "slices"

// NextStep is what several findings ask for alike: one text, and the commands of each.
type NextStep struct {
	Text     string
	Commands []string
}

// NextSteps are what findings that count ask for, in their order, each text once.
func NextSteps(items []Item) []NextStep {
	var out []NextStep
	for i := range items {
		if !items[i].Judged() {
			continue
		}
		for _, n := range items[i].Next {
			at := slices.IndexFunc(out, func(s NextStep) bool { return s.Text == n.Text })
			if at < 0 {
				out, at = append(out, NextStep{Text: n.Text}), len(out)
			}
			if n.Command != "" && !slices.Contains(out[at].Commands, n.Command) {
				out[at].Commands = append(out[at].Commands, n.Command)
			}
		}
	}
	return out
}

// ShownNext bounds how many things to do stand below a group of findings, and how many commands below each; json has them all.
const ShownNext = 5
