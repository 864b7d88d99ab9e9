package html

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"

// pageVerdict is what matters first: of a gate what keeps it from a go.
type pageVerdict struct {
	Name, Healthy, Also string
	Roots               []report.Block
}

// verdictOf is nil for a gate that nothing blocks.
func verdictOf(r *report.Report) *pageVerdict {
	v := &pageVerdict{Name: "Verdict"}
	blocks, also := r.Shown()
	switch {
	case r.Gate != nil:
		v.Name = "What blocks it"
		if blocks, also = r.Blockers(); len(blocks) == 0 {
			return nil
		}
	case r.Verdict == nil:
		return nil
	default:
		v.Healthy = report.Escape(r.Verdict.Wellness())
	}
	v.Also = report.Escape(also)
	for _, b := range blocks {
		b.Text, b.Check = report.Escape(b.Text), report.Escape(b.Check)
		for i := range b.Rows {
			b.Rows[i].Text = report.Escape(b.Rows[i].Text)
		}
		v.Roots = append(v.Roots, b)
	}
	return v
}
