package runbook

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// TestFromMeansTheSameReleaseAgain: each --from of a runbook names the release that the runbook is for, of every chart, of every
// application, and where an installation states one of them.
func TestFromMeansTheSameReleaseAgain(t *testing.T) {
	var all []operator.Name
	for _, v := range operator.Releases()[:len(operator.Releases())-1] {
		all = append(all, operator.Name{Application: v, Chart: v})
	}
	for _, line := range releases.Lines() {
		for _, i := range line.Charts {
			all = append(all, operator.Name{Application: i.Version()})
			for _, chart := range i.Charts {
				all = append(all, operator.Name{Application: i.Version(), Chart: chart})
			}
		}
	}
	from := regexp.MustCompile(`--from (\S+)`)
	for _, n := range all {
		for _, seen := range []bool{false, true} {
			u := upgradeOf(t, n.ChartOrApplication(), operator.Newest().String(), nil)
			if seen {
				u.Installation = deployed(nil)
				u.Installation.Version, u.Installation.Chart, u.Installation.Recognised = n.Application, n.Chart, false
			}
			said := from.FindAllStringSubmatch(commandsOf(Of(u, nil)), -1)
			require.NotEmpty(t, said, n.String())
			for _, one := range said {
				got, err := operator.ReleaseNamed(one[1])
				require.NoError(t, err, n.String())
				require.Equal(t, n, got)
			}
		}
	}
}
