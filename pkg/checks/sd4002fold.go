package checks

import (
	"fmt"
	"slices"
	"strings"
)

// lacksBecauseOf reports whether a fault of admission is why pods lack something. What the release itself gets wrong has no cause.
func lacksBecauseOf(f, fault *Finding) bool { return f.Kind != executorEnv && ServesPods(f, fault) }

// lackingForOneCause joins the applications whose pods lack something for one and the same reason: four hundred pods of one
// broken certificate are one fault.
func lackingForOneCause() *Fold {
	return &Fold{
		Linked: true,
		By:     func(f *Finding) string { return strings.Join(f.CausedBy, " ") },
		Add: func(first, other *Finding) {
			first.Objects = append(slices.Clone(first.Objects), other.Objects...)
			first.keepField(other)
			first.worst(other)
		},
		Say: func(f *Finding, n int) {
			if n == 1 {
				return
			}
			f.Cause, f.Apps = strings.Join(f.CausedBy, " "), true
			f.Message = fmt.Sprintf("%s of %s lack what only the webhook brings, such as those of %s: %s",
				counted(f.Affected(), "pod"), counted(n, "application"), f.Object, f.Message)
		},
	}
}
