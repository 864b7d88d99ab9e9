package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInputIsSaidAgain(t *testing.T) {
	whole := Input{Files: []string{"a", "it's b/c"}, Recursive: true, Complete: true, AsOf: "2026-11-21T03:00:00Z",
		Exclude: []string{"*.tmpl"}}
	const typed = ` -f a -f 'it'\''s b/c' -R --exclude '*.tmpl' --complete --as-of 2026-11-21T03:00:00Z`
	for line, want := range map[string]string{
		"kubectl sparkdoctor why etl -n a":                       "kubectl sparkdoctor why etl -n a" + typed,
		"kubectl sparkdoctor scan --checks SD1005":               "kubectl sparkdoctor scan --checks SD1005 -n team" + typed,
		"kubectl sparkdoctor fix SD2001=a/etl":                   "kubectl sparkdoctor fix SD2001=a/etl -n team --dry-run" + typed,
		"kubectl sparkdoctor scan -n a | grep etl":               "kubectl sparkdoctor scan -n a" + typed + " | grep etl",
		"kubectl sparkdoctor scan --checks SD1005 --probe":       "kubectl sparkdoctor scan --checks SD1005 --probe -n team",
		"kubectl sparkdoctor gate --to 2.5.2 -f manifests/ -R":   "kubectl sparkdoctor gate --to 2.5.2 -f manifests/ -R -n team",
		"kubectl sparkdoctor rbac --discover":                    "kubectl sparkdoctor rbac --discover", // an administrator types it
		"kubectl -n a describe pod etl-driver":                   "kubectl -n a describe pod etl-driver",
		"helm template x | kubectl sparkdoctor scan -n a -f - ":  "helm template x | kubectl sparkdoctor scan -n a -f - ",
		"kubectl sparkdoctor snapshot -n a --logs -o etl.tar.gz": "kubectl sparkdoctor snapshot -n a --logs -o etl.tar.gz",
	} {
		require.Equal(t, want, Asked{Namespace: "team", Input: whole}.In(line))
	}
	for name, want := range map[string]string{"-": "-", "https://user:secret@example.com/dump.yaml": "FILE", "dump/": "dump/"} {
		require.Equal(t, "kubectl sparkdoctor why etl -n a -f "+want,
			Asked{Input: Input{Files: []string{name}}}.In("kubectl sparkdoctor why etl -n a"))
	}
	require.True(t, whole.Plans("kubectl sparkdoctor fix SD2001=a/etl"))
	require.False(t, whole.Plans("kubectl sparkdoctor fix SD1001=x --probe"), "a probe needs a cluster")
	require.False(t, Input{}.Plans("kubectl sparkdoctor fix SD2001=a/etl"))
	whole.Archive = true
	require.False(t, whole.Plans("kubectl sparkdoctor fix SD2001=a/etl"), "an archive holds no whole objects")
}
