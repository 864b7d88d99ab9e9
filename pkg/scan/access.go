package scan

import (
	"context"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// whoIsLimited is the name of the user as the API server knows it, if there is something that the user may not read. Empty: nobody
// asked, or there was no answer.
func (in input) whoIsLimited(ctx context.Context, results []check.Result) string {
	if in.whoAmI == nil || !slices.ContainsFunc(results, func(r check.Result) bool {
		return slices.ContainsFunc(r.Unseen, func(u snapshot.Unseen) bool { return u.Reason == snapshot.Forbidden })
	}) {
		return ""
	}
	name, err := in.whoAmI(ctx)
	if err != nil {
		return "" // a server before 1.28, or one that does not tell: the command is printed without a name
	}
	return name
}
