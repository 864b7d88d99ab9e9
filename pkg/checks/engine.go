package checks

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Admissions is check.Admissions with the checks of All.
func Admissions(s *snapshot.Snapshot, results []check.Result) []check.Admission {
	return check.Admissions(s, results, All())
}

// ParseIgnore is check.ParseIgnore about the checks of Waivable.
func ParseIgnore(text string) (check.Waiver, error) { return check.ParseIgnore(text, Waivable()) }

// Waive is check.Waive about the checks of Waivable.
func Waive(s *snapshot.Snapshot, results []check.Result, given []check.Waiver, about []check.Check, sel check.Selection) []check.Result {
	return check.Waive(s, results, given, Waivable(), about, sel)
}
