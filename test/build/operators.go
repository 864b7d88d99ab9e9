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

// EveryOperator reports whether all releases are to be tested, with what a release or two stand for else.
func EveryOperator() bool { return os.Getenv(operatorsVariable) == everyOperator }

const (
	operatorsVariable = "SPARKDOCTOR_OPERATORS"
	everyOperator     = "all"
)

// Operators are the releases to test, as SPARKDOCTOR_OPERATORS says: a list with commas, "all", or "ends" for the oldest and the
// newest. Without it they are those that are passed.
func Operators(otherwise ...string) []string {
	all := OperatorVersions()
	switch list := os.Getenv(operatorsVariable); list {
	case "":
		return otherwise
	case everyOperator:
		return all
	case "ends":
		return []string{all[0], all[len(all)-1]}
	default:
		return strings.Split(list, ",")
	}
}
