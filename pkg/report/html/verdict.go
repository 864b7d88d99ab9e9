package html

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"

// pageVerdict is what matters first.
type pageVerdict struct {
	Healthy, Also string
	Roots         []report.Block
}

// verdictOf is nil for a gate, which has a verdict of its own.
func verdictOf(r *report.Report) *pageVerdict {
	if r.Verdict == nil {
		return nil
	}
	blocks, also := r.Shown()
	v := &pageVerdict{Healthy: report.Escape(r.Verdict.Wellness()), Also: report.Escape(also)}
	for _, b := range blocks {
		b.Text, b.Check = report.Escape(b.Text), report.Escape(b.Check)
		for i := range b.Rows {
			b.Rows[i].Text = report.Escape(b.Rows[i].Text)
		}
		v.Roots = append(v.Roots, b)
	}
	return v
}
