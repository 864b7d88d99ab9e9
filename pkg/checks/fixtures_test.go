package checks_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// fixture is a file of objects that carries its own expectations in leading comments:
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
//	# target ../target/two-namespaces.yaml              what will be installed
type fixture struct {
	path     string
	want     []string
	messages []string
	reasons  []string
	silent   bool
	complete bool
	asOf     time.Time
	params   checks.Params
	upgrade  []string // from, to
	target   string
}

func fixtures(t *testing.T) []fixture {
	t.Helper()
	paths, err := filepath.Glob("testdata/SD*/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	out := make([]fixture, 0, len(paths))
	for _, path := range paths {
		out = append(out, readFixture(t, path))
	}
	return out
}

func readFixture(t *testing.T, path string) fixture {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	f := fixture{path: path, params: checks.DefaultParams()}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan() && strings.HasPrefix(lines.Text(), "#"); {
		word, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(lines.Text(), "#")), " ")
		switch word {
		case "want":
			f.want = append(f.want, strings.TrimSpace(rest))
		case "message":
			f.messages = append(f.messages, rest)
		case "reason":
			f.reasons = append(f.reasons, rest)
		case "silent":
			f.silent = true
		case "complete":
			f.complete = true
		case "as-of":
			f.asOf, err = time.Parse(time.RFC3339, rest)
			require.NoError(t, err, path)
		case "upgrade":
			f.upgrade = strings.Fields(rest)
			require.Len(t, f.upgrade, 2, path)
		case "target":
			f.target = filepath.Join(filepath.Dir(path), strings.TrimSpace(rest))
		case "pile-up":
			f.params.PileUp, err = strconv.Atoi(rest)
			require.NoError(t, err, path)
		case "finished-after":
			f.params.FinishedAfter, err = time.ParseDuration(rest)
			require.NoError(t, err, path)
		case "max-object-size":
			f.params.MaxObjectSize, err = strconv.Atoi(rest)
			require.NoError(t, err, path)
		}
	}
	require.NotEqual(t, f.silent, len(f.want) > 0, "%s: a fixture says either what it wants or that it is silent", path)
	return f
}

func (f fixture) id() string { return filepath.Base(filepath.Dir(f.path)) }

func (f fixture) snapshot(t *testing.T) *snapshot.Snapshot {
	t.Helper()
	s, _, err := collect.Files(t.Context(), collect.FileOptions{Paths: []string{f.path}, Complete: f.complete, AsOf: f.asOf, Now: time.Now()})
	require.NoError(t, err)
	return s
}

// asked are the parameters with the upgrade that the fixture is about: of the installation that is in it.
func (f fixture) asked(t *testing.T, s *snapshot.Snapshot) checks.Params {
	t.Helper()
	p := f.params
	if f.upgrade == nil {
		require.False(t, checkOf(t, f.id()).OfUpgrade(), "%s says no upgrade", f.path)
		return p
	}
	u := &checks.Upgrade{}
	var err error
	u.From, err = operator.ReleaseNamed(f.upgrade[0])
	require.NoError(t, err, f.path)
	u.To, err = operator.ReleaseNamed(f.upgrade[1])
	require.NoError(t, err, f.path)
	u.Hops, err = operator.Path(u.From, u.To)
	require.NoError(t, err, f.path)
	installations := operator.Find(s.Deployments())
	for i := range installations {
		require.Equal(t, u.From, installations[i].Version, f.path)
		u.Installation = &installations[i]
	}
	if f.target != "" {
		u.Target, _, err = collect.Files(t.Context(), collect.FileOptions{Paths: []string{f.target}, Namespace: checks.ReleaseNamespace(u), Now: time.Now()})
		require.NoError(t, err, f.path)
	}
	p.Upgrade = u
	return p
}

func checkOf(t *testing.T, id string) checks.Check {
	t.Helper()
	c, err := checks.Lookup(checks.Catalogue(), id)
	require.NoError(t, err)
	return c
}

func summarise(list []checks.Finding) []string {
	out := []string{}
	for _, f := range list {
		name := f.Object.Name
		if f.Object.Namespace != "" {
			name = f.Object.Namespace + "/" + name
		}
		out = append(out, fmt.Sprintf("%s %s %s %s", f.Severity, f.Certainty, f.Object.Kind, name))
	}
	slices.Sort(out)
	return out
}

func TestFixtures(t *testing.T) {
	for _, f := range fixtures(t) {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(f.path, "testdata/"), ".yaml"), func(t *testing.T) {
			s := f.snapshot(t)
			results := checks.Run(s, []checks.Check{checkOf(t, f.id())}, f.asked(t, s))
			r := results[0]
			require.NotContains(t, r.Reason, "internal error")
			if !r.Check.OfManifests { // of these a gate is incomplete, not silent
				require.NotEqual(t, checks.Skipped, r.Status, r.Reason)
			}
			for _, reason := range f.reasons {
				require.Contains(t, r.Reason, reason)
			}
			slices.Sort(f.want)
			require.ElementsMatch(t, f.want, summarise(r.Findings))
			for _, finding := range r.Findings {
				for _, m := range f.messages {
					require.Contains(t, finding.Message, m)
				}
				require.NotContains(t, finding.Message, "\n")
				require.NotEmpty(t, finding.Evidence, "a finding is proven by what was seen")
				require.NotEmpty(t, finding.Object.Name)
			}
			switch {
			case !f.silent:
				require.Equal(t, checks.Failed, r.Status)
			case r.Status != checks.Passed:
				require.NotEmpty(t, f.reasons, "%s: a look-alike that is not judged says so: # reason %s", r.Status, r.Reason)
			}
		})
	}
}
