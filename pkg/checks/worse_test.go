package checks_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/runbook"
)

// TestGateAsksWhatAnUpgradeMakesWorse: each check of areas 1 to 6 that says why has its findings mended before the upgrade.
func TestGateAsksWhatAnUpgradeMakesWorse(t *testing.T) {
	asked := map[string]bool{}
	for _, c := range checks.OfGate() {
		asked[c.ID] = true
	}
	from, to := operator.Version{Major: 1, Minor: 6, Patch: 2}, operator.Version{Major: 2, Minor: 5, Patch: 2}
	hops, err := operator.Path(from, to)
	require.NoError(t, err)
	shown := map[string]bool{}
	for _, f := range fixtures(t) {
		c := checkOf(t, f.ID())
		if c.OfUpgrade() || c.Worse == "" || f.Silent {
			continue
		}
		require.True(t, asked[c.ID])
		p := f.Params
		p.Upgrade = &check.Upgrade{From: from, To: to, Hops: hops}
		results := check.Run(f.Snapshot(t), []check.Check{c}, p)
		require.Equal(t, check.Failed, results[0].Status, f.Path)
		tasks := runbook.Of(p.Upgrade, results)
		i := slices.IndexFunc(tasks, func(task runbook.Task) bool { return task.Check == c.ID })
		require.GreaterOrEqual(t, i, 0, f.Path)
		require.Equal(t, check.Before, tasks[i].When)
		require.Equal(t, results[0].Findings[0].Commands(command.Asked{}, false)[0].Text, tasks[i].Do)
		require.Contains(t, tasks[i].Because, c.Worse)
		shown[c.ID] = true
	}
	require.Equal(t, map[string]bool{"SD1006": true, "SD2006": true, "SD5003": true, "SD5004": true, "SD5005": true, "SD5011": true,
		"SD5012": true, "SD5014": true}, shown)
}

// TestWorseOnlyWithItsRelease: what makes a finding worse counts for upgrades that bring it, and never for a scan.
func TestWorseOnlyWithItsRelease(t *testing.T) {
	c := checkOf(t, "SD2006")
	s := checktest.Read(t, "ownership/testdata/SD2006/before-2-4.yaml").Snapshot(t)
	require.Equal(t, check.Failed, check.Run(s, []check.Check{c}, check.DefaultParams())[0].Status)
	p := check.DefaultParams()
	p.Upgrade = &check.Upgrade{From: operator.Version{Major: 2, Minor: 3}, To: operator.Version{Major: 2, Minor: 4}}
	r := check.Run(s, []check.Check{c}, p)[0]
	require.Equal(t, check.NotApplicable, r.Status)
	require.Contains(t, r.Reason, "came with 2.0.0, which the upgrade from 2.3.0 to 2.4.0 does not bring")
}

// TestCommandsAreForShells: a name in a file may be anything, and a step without a command still says what to do.
func TestCommandsAreForShells(t *testing.T) {
	raw, err := os.ReadFile("upgrade/testdata/hops/2.5.1/breaks.yaml")
	require.NoError(t, err)
	for name, commands := range map[string]int{"team-a": 2, "a;reboot": 0, "$(reboot)": 0, "-A": 0} {
		path := filepath.Join(t.TempDir(), "hostile.yaml")
		require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(raw), "team-a", name)), 0o600))
		f := checktest.Read(t, path)
		s := f.Snapshot(t)
		p := f.Asked(t, s)
		results := check.Run(s, []check.Check{checkOf(t, "SD7015")}, p)
		require.Len(t, results[0].Findings, 1, name)
		tasks := runbook.Of(p.Upgrade, results)
		i := slices.IndexFunc(tasks, func(task runbook.Task) bool { return task.Check == "SD7015" })
		require.Len(t, tasks[i].Commands, commands, name)
	}
}
