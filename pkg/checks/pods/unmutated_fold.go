package pods

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// lacksBecauseOf reports whether a fault of admission is why pods lack something. What the release itself gets wrong has no cause.
func lacksBecauseOf(f, fault *check.Finding) bool {
	return f.Kind != executorEnv && check.ServesPods(f, fault)
}

// lackingForOneCause joins the applications whose pods lack something for one and the same reason: four hundred pods of one
// broken certificate are one fault.
func lackingForOneCause() *check.Fold {
	return &check.Fold{
		Linked: true,
		By:     func(f *check.Reported) string { return strings.Join(f.CausedBy, " ") },
		Add: func(first, other *check.Reported) {
			first.Objects = append(slices.Clone(first.Objects), other.Objects...)
			first.KeepField(&other.Finding)
			first.Worsen(&other.Finding)
		},
		Say: func(f *check.Reported, n int) {
			if n == 1 {
				return
			}
			f.Cause, f.Apps = strings.Join(f.CausedBy, " "), true
			f.Since = time.Time{} // not of all of them
			f.Subject, f.Brief = phrase.Counted(n, "application"), "their pods lack fields that only the webhook adds"
			f.Message = fmt.Sprintf("%s of %s lack fields that only the webhook adds, such as those of %s: %s",
				phrase.Counted(f.Affected(), "pod"), phrase.Counted(n, "application"), f.Object, f.Message)
		},
	}
}
