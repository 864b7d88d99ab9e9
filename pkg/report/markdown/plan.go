package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Plan writes a table of operators and releases.
func Plan(w io.Writer, p *report.Plan) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s: upgrades of the Spark Operator\n\n", p.Verdict)
	columns, heads := p.Targets(), []planHead{{"installed", func(r *report.PlanRow) string { return r.Installed }}}
	for _, head := range []planHead{{"operator", func(r *report.PlanRow) string { return r.Controller }},
		{"cluster", func(r *report.PlanRow) string { return r.Cluster }}} {
		if slices.ContainsFunc(p.Operators, func(r report.PlanRow) bool { return head.of(&r) != "" }) {
			heads = slices.Insert(heads, 0, head)
		}
	}
	for _, head := range heads {
		fmt.Fprintf(&b, "| %s ", head.title)
	}
	b.WriteByte('|')
	for _, to := range columns {
		fmt.Fprintf(&b, " %s |", inert(to))
	}
	fmt.Fprintf(&b, " take |\n%s\n", strings.Repeat("| --- ", len(heads)+len(columns)+1)+"|")
	for i := range p.Operators {
		r := &p.Operators[i]
		for _, head := range heads {
			fmt.Fprintf(&b, "| %s ", inert(head.of(r)))
		}
		b.WriteByte('|')
		for _, to := range columns {
			text := "-"
			if one := r.Target(to); one != nil {
				text = strings.Join(append([]string{one.Verdict}, one.Checks...), " ")
			}
			fmt.Fprintf(&b, " %s |", inert(text))
		}
		fmt.Fprintf(&b, " %s |\n", inert(r.Take))
	}
	b.WriteByte('\n')
	for i := range p.Operators {
		if r := &p.Operators[i]; !r.NoOperator {
			name := cmp.Or(strings.TrimSpace(r.Cluster+" "+r.Controller), r.Installed)
			fmt.Fprintf(&b, "- %s: %s\n", inert(name), inert(r.Because))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", inert(p.FactsText()))
	_, err := w.Write(b.Bytes())
	return err
}

// planHead is a column that names an operator. One that is empty for all of them is left out: files without an operator have neither a
// cluster nor a name.
type planHead struct {
	title string
	of    func(*report.PlanRow) string
}
