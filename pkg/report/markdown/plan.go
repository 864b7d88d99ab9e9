package markdown

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Plan writes a table of operators and releases.
func Plan(w io.Writer, p *report.Plan) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s: upgrades of the Spark Operator\n\n| cluster | operator | installed |", p.Verdict)
	columns := p.Targets()
	for _, to := range columns {
		fmt.Fprintf(&b, " %s |", inert(to))
	}
	fmt.Fprintf(&b, " take |\n%s\n", strings.Repeat("| --- ", len(columns)+4)+"|")
	for i := range p.Operators {
		r := &p.Operators[i]
		fmt.Fprintf(&b, "| %s | %s | %s |", inert(r.Cluster), inert(r.Controller), inert(r.Installed))
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
			name := strings.TrimSpace(r.Cluster + " " + r.Controller)
			fmt.Fprintf(&b, "- %s: %s\n", inert(name), inert(r.Because))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", inert(p.FactsText()))
	_, err := w.Write(b.Bytes())
	return err
}
