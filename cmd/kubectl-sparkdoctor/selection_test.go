package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSelectionsOfACluster holds that what does not exist is exit 2, before anything is waited for, and that nothing is
// said not to exist by who may not look.
func TestSelectionsOfACluster(t *testing.T) {
	s := exampleCluster(t)
	s.add(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: quiet}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: "+
		"kube-system, uid: c0}\n")
	config := s.kubeconfig(t, "")
	forbid := func(resource string) func(*http.Request) bool {
		return func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/"+resource) }
	}
	for name, c := range map[string]struct {
		args   string
		deny   func(*http.Request) bool
		code   int
		stderr string
	}{
		"no such namespace": {"scan --checks SD2001,SD2002 -n nosuch", nil, 2,
			`error: namespace "nosuch" not found (--allow-empty accepts that)`},
		"allowed":        {"scan --checks SD2001 -n nosuch --allow-empty", nil, 0, "namespace \"nosuch\" not found (--allow-empty)\n"},
		"no Spark in it": {"scan --checks SD2001 -n quiet", nil, 0, "no Spark object was seen in namespace quiet"},
		"Spark that may not be seen": {"scan --checks SD2001 -n quiet", forbid("sparkapplications"), 3,
			"could not list sparkapplications"},
		"who may not read namespaces": {"scan --checks SD2001 -n nosuch", func(r *http.Request) bool {
			return strings.HasPrefix(r.URL.Path, "/api/v1/namespaces") && strings.Count(r.URL.Path, "/") < 5
		}, 0, ""},
		"no such selector": {"scan --checks SD2001 -l team=nosuch", nil, 2,
			"error: -l team=nosuch: no object matches (--allow-empty accepts that)"},
		"a selector and no permission": {"scan --checks SD2001 -l team=nosuch", forbid("sparkapplications"), 3, ""},
		"no such name": {"scan sparkapplication/nosuch -n team-a", nil, 2,
			"error: sparkapplication team-a/nosuch not found"},
		"a name and no permission": {"scan --checks SD2001 sparkapplication/nosuch -n team-a", forbid("sparkapplications"), 3,
			"cannot tell whether sparkapplication team-a/nosuch exists"},
		"a name of a kind that no check reads": {"scan --checks SD3001 workflow/nosuch -n team-a", nil, 2,
			"error: workflow team-a/nosuch not found"},
		"gate": {"gate --to 2.5.2 -n nosuch", nil, 2, `error: namespace "nosuch" not found`},
		"snapshot": {"snapshot -o " + filepath.Join(t.TempDir(), "x.tar.gz") + " -n nosuch", nil, 2,
			`error: namespace "nosuch" not found`},
		"fix of no such object": {"fix SD2001=team-a/nosuch --dry-run", nil, 2,
			"error: SD2001=team-a/nosuch: not found: no object that SD2001 looks at has this name; it finds team-a/sales-8kd2v " +
				"(--allow-empty accepts that)"},
		"fix by a name that nothing has": {"fix SD2001=nosuch --dry-run", nil, 2, "error: SD2001=nosuch: not found: no object"},
		"fix of what is elsewhere": {"fix SD3001=team-a/orders --dry-run", nil, 2,
			"error: SD3001=team-a/orders: not found: no object that SD3001 looks at has this name, did you mean streaming/orders?"},
		"fix of what is called nearly like it": {"fix SD3001=streaming/ordres --dry-run", nil, 2,
			", did you mean streaming/orders?"},
		"fix of another kind of object": {"fix SD3001=team-a/sales-8kd2v-driver --dry-run", nil, 2,
			"SD3001=team-a/sales-8kd2v-driver: not found"},
		"fix of an object in no such namespace": {"fix SD2001=nosuch/sales-8kd2v --dry-run", nil, 2,
			`error: SD2001=nosuch/sales-8kd2v: namespace "nosuch" not found, did you mean team-a/sales-8kd2v? (--allow-empty accepts that)`},
		"fix of no such object is allowed": {"fix SD2001=team-a/nosuch --dry-run --allow-empty", nil, 0, "not found"},
		"fix in no such namespace":         {"fix SD2001 -n nosuch --dry-run", nil, 2, `error: namespace "nosuch" not found`},
		"fix of what may not be seen": {"fix SD2001=team-a/nosuch --dry-run", forbid("sparkapplications"), 0,
			"could not read everything"},
		"fix of a finding that is gone": {"fix sd2001-000000000000 --dry-run", nil, 2,
			"error: no finding sd2001-000000000000: it is resolved, or never existed; SD2001 has sd2001-02d6bde02895"},
		"fix of a finding that is gone, allowed": {"fix sd2001-000000000000 --dry-run --allow-empty", nil, 0, "no finding sd2001-000000000000"},
		"fix of a finding that may not be seen": {"fix sd2001-000000000000 --dry-run", forbid("sparkapplications"), 0,
			"no finding sd2001-000000000000 in what could be looked at"},
	} {
		t.Run(name, func(t *testing.T) {
			s.deny = c.deny
			ctx, wait := t.Context(), "0s"
			if c.code == 2 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 30*time.Second) // then the test fails: what waits to look again is interrupted
				defer cancel()
				wait = "1h"
			}
			got := runFor(ctx, append(strings.Fields(c.args), "--kubeconfig", config, "--confirm-after", wait)...)
			require.Equal(t, c.code, got.code, got.stderr+got.stdout)
			require.Contains(t, got.stderr+got.stdout, c.stderr)
			if c.code == 2 {
				require.Empty(t, got.stdout)
			}
			if c.code == 3 {
				require.NotContains(t, got.stderr, "no Spark object was seen", "it could not be looked for")
			}
		})
	}
}

// TestSelectionsOfAnArchive holds the same for an archive.
func TestSelectionsOfAnArchive(t *testing.T) {
	s := exampleCluster(t)
	file := filepath.Join(t.TempDir(), "cluster.tar.gz")
	saved := run(t, "snapshot", "--kubeconfig", s.kubeconfig(t, ""), "--confirm-after", "0s", "-o", file)
	require.Zero(t, saved.code, saved.stderr)
	for args, want := range map[string]string{
		"-n nosuch":                         `namespace "nosuch"`,
		"-l team=nosuch":                    "-l team=nosuch: no object matches",
		"sparkapplication/nosuch -n team-a": "sparkapplication team-a/nosuch not found",
		"-n nosuch --checks SD2001,SD1001":  `namespace "nosuch"`,
	} {
		got := run(t, append([]string{"scan", "-f", file}, strings.Fields(args)...)...)
		require.Equal(t, 2, got.code, args)
		require.Contains(t, got.stderr, want)
	}
}

// TestSelectionsOfAFleet holds that the clusters in which something is selected are judged, and that the run fails.
func TestSelectionsOfAFleet(t *testing.T) {
	one, other := exampleCluster(t), exampleCluster(t)
	one.add(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: quiet}\n")
	config := filepath.Join(t.TempDir(), "kubeconfig")
	text := "{apiVersion: v1, kind: Config, clusters: [{name: one, cluster: {server: '" + one.URL + "'}}, {name: other, cluster: {server: '" +
		other.URL + "'}}], " +
		"contexts: [{name: one, context: {cluster: one}}, {name: other, context: {cluster: other}}]}"
	require.NoError(t, os.WriteFile(config, []byte(text), 0o600))
	args := []string{"scan", "--kubeconfig", config, "--contexts", "one,other", "--checks", "SD2001", "-n", "quiet"}
	got := run(t, args...)
	require.Equal(t, 2, got.code, got.stderr)
	require.Contains(t, got.stdout, `not scanned: other: namespace "quiet" not found`)
	require.Contains(t, got.stdout, "1 passed")
	got = run(t, append(args, "--allow-empty")...)
	require.Zero(t, got.code, got.stderr+got.stdout)
}
