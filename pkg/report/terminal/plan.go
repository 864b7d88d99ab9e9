package terminal

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/fatih/color"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Plan writes the verdicts on the releases of one operator as a list, of several as a matrix. Wide is every release, else the matrix
// has those by which breaks are told.
func Plan(w io.Writer, p *report.Plan, wide bool, style Style) error {
	t := &table{w: bufio.NewWriter(w), wide: wide, style: style}
	if len(p.Operators) == 1 && p.Operators[0].Cluster == "" {
		if err := t.planOf(&p.Operators[0]); err != nil {
			return err
		}
	} else if err := t.matrix(p); err != nil {
		return err
	}
	t.wrapped(0, p.FactsText())
	if len(p.Only) > 0 {
		t.wrapped(0, report.Escape("asked only about "+strings.Join(p.Only, ", ")))
	}
	return t.w.Flush()
}

// planOf is one operator: a line a release, then which one to take.
func (t *table) planOf(r *report.PlanRow) error {
	title := "upgrades from " + r.Installed
	if r.Controller != "" {
		title += " of " + r.Controller
	}
	t.wrapped(0, report.Escape(title))
	t.line(0, "")
	if len(r.Targets) > 0 {
		var rows [][]string
		for i := range r.Targets {
			one := &r.Targets[i]
			rows = append(rows, []string{one.To, one.Verdict, strconv.Itoa(one.Findings.Error), strconv.Itoa(one.Findings.Warning),
				report.Escape(reason(one))})
		}
		if err := t.gridOf([]string{"TO", "VERDICT", "ERRORS", "WARNINGS", "WHY"}, rows); err != nil {
			return err
		}
		t.line(0, "")
	}
	t.take(r, "")
	return nil
}

// reason is why a release is no go, in the width of a column.
func reason(one *report.PlanTarget) string {
	switch {
	case len(one.Checks) > 0:
		return strings.Join(one.Checks, ", ")
	case one.Verdict == report.VerdictIncomplete:
		return one.Because
	default:
		return ""
	}
}

// take says which release to go to.
func (t *table) take(r *report.PlanRow, of string) {
	word := "take none: "
	switch {
	case r.Take != "":
		word = "take " + t.style.paint(r.Take, color.Bold) + ": "
	case len(r.Targets) == 0:
		word = ""
	}
	t.labelled(0, report.Escape(of)+word, report.Escape(r.Because))
	if r.Command != "" {
		t.line(2, report.Escape(r.Command))
	}
}

// matrix is a line an operator, with a column for each release.
func (t *table) matrix(p *report.Plan) error {
	columns := p.Targets()
	if !t.wide {
		columns = p.HopTargets()
	}
	header := slices.Concat([]string{"CLUSTER", "OPERATOR", "INSTALLED"}, columns, []string{"TAKE"})
	var rows [][]string
	for i := range p.Operators {
		r := &p.Operators[i]
		row := []string{report.Escape(r.Cluster), report.Escape(r.Controller), report.Escape(r.Installed)}
		for _, to := range columns {
			row = append(row, cell(r.Target(to)))
		}
		rows = append(rows, append(row, r.Take))
	}
	if err := t.gridOf(header, rows); err != nil {
		return err
	}
	t.line(0, "")
	for i := range p.Operators {
		if r := &p.Operators[i]; !r.NoOperator {
			t.take(r, of(r))
		}
	}
	t.line(0, "")
	return nil
}

func of(r *report.PlanRow) string {
	name := r.Cluster
	if r.Controller != "" {
		name = strings.TrimPrefix(name+" "+r.Controller, " ")
	}
	return name + ": "
}

// cell is a verdict with the number of errors.
func cell(one *report.PlanTarget) string {
	switch {
	case one == nil:
		return "-"
	case one.Findings.Error > 0:
		return fmt.Sprintf("%s %d", one.Verdict, one.Findings.Error)
	default:
		return one.Verdict
	}
}

// gridOf is grid within a page.
func (t *table) gridOf(header []string, rows [][]string) error {
	if err := t.w.Flush(); err != nil {
		return err
	}
	return grid(t.w, header, rows)
}
