package build

import (
	"os"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// BaseOperator is the release of the Spark Operator that most run. What does not depend on the release is tested with it.
const BaseOperator = "2.5.1"

// OperatorVersions are the releases that can be built, oldest first: those whose tags are versions of a Go module.
func OperatorVersions() []string {
	var out []string
	for _, v := range releases.Known() {
		if releases.Of(v).Module {
			out = append(out, v.String())
		}
	}
	return out
}

// Operators are the releases to test, as SPARKDOCTOR_OPERATORS says: a list with commas, "all", or "ends" for the oldest and the
// newest. Without it they are those that are passed.
func Operators(otherwise ...string) []string {
	all := OperatorVersions()
	switch list := os.Getenv("SPARKDOCTOR_OPERATORS"); list {
	case "":
		return otherwise
	case "all":
		return all
	case "ends":
		return []string{all[0], all[len(all)-1]}
	default:
		return strings.Split(list, ",")
	}
}
