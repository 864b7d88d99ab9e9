package checks

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Admissions is check.Admissions with the checks of All.
func Admissions(s *snapshot.Snapshot, results []check.Result) []check.Admission {
	return check.Admissions(s, results, All())
}

// ParseIgnore is check.ParseIgnore about the checks of Suppressible.
func ParseIgnore(text string) (check.SuppressionRule, error) {
	return check.ParseIgnore(text, Suppressible())
}

// Suppress is check.Suppress about the checks of Suppressible.
func Suppress(
	s *snapshot.Snapshot, results []check.Result, given []check.SuppressionRule, about []check.Check, sel check.Selection,
) []check.Result {
	return check.Suppress(s, results, given, Suppressible(), about, sel)
}
