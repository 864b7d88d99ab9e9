package scan

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Fleet is several clusters that are scanned side by side.
type Fleet struct {
	Members []Member
	Tool    report.Tool
	// SkipWithoutOperator lists a cluster without a Spark Operator, which is otherwise one that could not be scanned.
	SkipWithoutOperator bool
}

// Member is one cluster of a fleet: the context of its kubeconfig, and what scans it.
type Member struct {
	Context string
	Scan    func(context.Context) (*report.Report, error)
}

// parallelClusters bounds how many clusters are scanned at once: each takes memory of its own.
const parallelClusters = 4

// Run scans the members and joins the reports. The report names a cluster that cannot be scanned and is incomplete then; the others
// are scanned all the same. The error is that of the context.
func (f Fleet) Run(ctx context.Context) (*report.Report, error) {
	list, failed := make([]*report.Report, len(f.Members)), make([]error, len(f.Members))
	var wg sync.WaitGroup
	slots := make(chan struct{}, parallelClusters)
	for i, m := range f.Members {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			list[i], failed[i] = m.Scan(ctx)
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i, err := range failed {
		if err != nil {
			list[i] = report.Unjudged(f.Tool, f.failed(f.Members[i].Context, err))
		}
	}
	return report.Join(list), nil
}

// failed is a source that could not be scanned.
func (f Fleet) failed(context string, err error) report.Source {
	source := report.Source{Name: context, Type: "cluster", Context: context}
	var none *NoOperatorError
	if source.NoOperator = errors.As(err, &none) && f.SkipWithoutOperator; source.NoOperator {
		return source
	}
	var nothing *EmptyError
	source.Empty = errors.As(err, &nothing)
	source.Error, _, _ = strings.Cut(err.Error(), "\n")
	return source
}
