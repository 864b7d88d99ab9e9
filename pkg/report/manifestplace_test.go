package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestNextNamesTheFile: what there is to do about a manifest names its field's line and how its file is applied, once that line is known.
func TestNextNamesTheFile(t *testing.T) {
	for file, applied := range map[string]string{
		"a.yaml": "kubectl apply -f a.yaml", "my app.yaml": "kubectl apply -f 'my app.yaml'", "stdin": "apply the corrected file",
		"repo.tar.gz/a.yaml": "apply the corrected file", "repo.tgz/a.yaml": "apply the corrected file",
	} {
		item := Item{Field: "metadata.name", Location: &snapshot.Location{File: file, Line: 2},
			Next: []Next{{inManifest: "change metadata.name at {place} to x"}, {inManifest: "then {apply}"}, {Text: "look"}}}
		item.nameFiles()
		require.Equal(t, "change metadata.name at "+file+":2 to x", item.Next[0].Text)
		r := Report{Items: []Item{item}}
		r.Locate(func(snapshot.Ref, snapshot.Location, string) int { return 5 })
		got := r.Items[0].Next
		require.Equal(t, []string{"change metadata.name at " + file + ":5 to x", "then " + applied, "look"},
			[]string{got[0].Text, got[1].Text, got[2].Text})
	}
	joined := Item{Location: &snapshot.Location{File: "a.yaml", Line: 2}, Objects: make([]Affected, 3),
		Next: []Next{{inManifest: "correct spec at {place}"}}}
	joined.nameFiles()
	require.Equal(t, "correct spec at a.yaml:2 (and of 2 more objects)", joined.Next[0].Text)
}
