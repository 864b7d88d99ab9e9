// Package checktest runs the fixtures of checks: files of objects that say in their first lines what must come out.
package checktest

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Fixture is a file of objects that carries its own expectations in leading comments:
//
//	# want error proven SparkApplication team-a/etl     one line a finding, in any order
//	# message some text                                 every finding's message holds it
//	# reason some text                                  what the check says it could not judge holds it
//	# silent because …                                  a look-alike: no finding
//	# complete                                          the objects are everything there is
//	# as-of 2026-11-21T12:00:00Z                        now
//	# max-object-size 2000                              etcd's limit in bytes, so that files stay small
//	# pile-up 3                                         how many finished applications are too many
//	# finished-after 1h                                 and how long ago they must have ended
//	# upgrade 2.3.0 2.4.0                               what a check of area 7 is asked about
//	# manifests                                         objects without UID are held against the CRDs of the newest release
//	# target ../target/two-namespaces.yaml              what will be installed
//	# values spark: {jobNamespaces: [team-a]}           with which it will be installed
//	# depends-on spark.jobNamespaces                    the values that are not known and decide
type Fixture struct {
	Path     string
	Want     []string
	Messages []string
	Reasons  []string
	Silent   bool
	Complete bool
	Written  bool
	AsOf     time.Time
	Params   check.Params
	Upgrade  []string // from, to
	Target   string
	Values   string
	Depends  []string

	snapshot *snapshot.Snapshot // read once: no check changes its input
}

// Fixtures reads those whose paths match a pattern.
func Fixtures(t *testing.T, pattern string) []*Fixture {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	out := make([]*Fixture, 0, len(paths))
	for _, path := range paths {
		out = append(out, Read(t, path))
	}
	return out
}

// Read reads a fixture.
func Read(t *testing.T, path string) *Fixture {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	f := &Fixture{Path: path, Params: check.DefaultParams()}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan() && strings.HasPrefix(lines.Text(), "#"); {
		word, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(lines.Text(), "#")), " ")
		switch word {
		case "want":
			f.Want = append(f.Want, strings.TrimSpace(rest))
		case "message":
			f.Messages = append(f.Messages, rest)
		case "reason":
			f.Reasons = append(f.Reasons, rest)
		case "silent":
			f.Silent = true
		case "complete":
			f.Complete = true
		case "manifests":
			f.Written = true
		case "as-of":
			f.AsOf, err = time.Parse(time.RFC3339, rest)
			require.NoError(t, err, path)
		case "upgrade":
			f.Upgrade = strings.Fields(rest)
			require.Len(t, f.Upgrade, 2, path)
		case "target":
			f.Target = filepath.Join(filepath.Dir(path), strings.TrimSpace(rest))
		case "values":
			f.Values = rest
		case "depends-on":
			f.Depends = strings.Fields(rest)
		case "pile-up":
			f.Params.PileUp, err = strconv.Atoi(rest)
			require.NoError(t, err, path)
		case "finished-after":
			f.Params.FinishedAfter, err = time.ParseDuration(rest)
			require.NoError(t, err, path)
		case "max-object-size":
			f.Params.MaxObjectSize, err = strconv.Atoi(rest)
			require.NoError(t, err, path)
		}
	}
	require.NotEqual(t, f.Silent, len(f.Want) > 0, "%s: a fixture says either what it wants or that it is silent", path)
	return f
}

// ID returns the id of the check that the fixture is about: the name of its folder.
func (f *Fixture) ID() string { return filepath.Base(filepath.Dir(f.Path)) }

// Name returns the name of its folder and its own: SD2001/foreign-owner.
func (f *Fixture) Name() string {
	return f.ID() + "/" + strings.TrimSuffix(filepath.Base(f.Path), ".yaml")
}

// Snapshot returns the objects. It is not for tests that run side by side.
func (f *Fixture) Snapshot(t *testing.T) *snapshot.Snapshot {
	t.Helper()
	if f.snapshot == nil {
		o := manifests.Options{Paths: []string{f.Path}, Complete: f.Complete, AsOf: f.AsOf, Now: time.Now(), CRDs: f.CRDs()}
		if f.Target != "" {
			target, _, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{f.Target}, Now: time.Now()})
			require.NoError(t, err)
			o.Schemas = snapshot.SchemasOf(target)
		}
		s, _, err := manifests.Read(t.Context(), o)
		require.NoError(t, err)
		f.snapshot = s
	}
	return f.snapshot
}

// CRDs returns those against which the manifests are held; nil: none.
func (f *Fixture) CRDs() func() []byte {
	if !f.Written {
		return nil
	}
	return operator.NewestCRDs
}

// Asked are the parameters with the upgrade that the fixture is about: of the installation that is in it.
func (f *Fixture) Asked(t *testing.T, s *snapshot.Snapshot) check.Params {
	t.Helper()
	p := f.Params
	if f.Upgrade == nil {
		require.False(t, strings.HasPrefix(f.ID(), "SD7"), "%s says no upgrade", f.Path)
		return p
	}
	from, err := operator.ReleaseNamed(f.Upgrade[0])
	require.NoError(t, err, f.Path)
	to, err := operator.TargetNamed(f.Upgrade[1])
	require.NoError(t, err, f.Path)
	u := &check.Upgrade{From: from.Application, Chart: from.Chart, To: to}
	u.Hops, err = operator.Path(u.From, u.To)
	require.NoError(t, err, f.Path)
	installations := operator.Find(s.Deployments())
	for i := range installations {
		require.Equal(t, u.From, installations[i].Version, f.Path)
		u.Installation = &installations[i]
	}
	if f.Target != "" {
		u.Target, _, err = manifests.Read(t.Context(), manifests.Options{
			Paths: []string{f.Target}, Namespace: upgrade.ReleaseNamespace(u), Now: time.Now(),
		})
		require.NoError(t, err, f.Path)
	}
	if f.Values != "" {
		values, err := helm.ParseValues([]byte(f.Values))
		require.NoError(t, err, f.Path)
		upgrade.Give(s, u, values, true)
	}
	p.Upgrade = u
	return p
}
