package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// TestKustomizedNamesDirectories holds that the command names the directory of a kustomization, and none inside an archive.
func TestKustomizedNamesDirectories(t *testing.T) {
	for file, dir := range map[string]string{
		"deploy/prod/kustomization.yaml":                      "deploy/prod",
		"kustomization.yaml":                                  ".",
		"stdin/repo/kustomization.yaml":                       "DIR",
		"repo.tar.gz/repo/kustomization.yaml":                 "DIR",
		"dir/repo.tgz/kustomization.yaml":                     "DIR",
		"https://example.com/repo.tar/repo/kustomization.yml": "DIR",
	} {
		s := report.Source{Kustomizations: []string{file}}
		require.Equal(t, "1 kustomization: kubectl kustomize "+dir+" | kubectl sparkdoctor scan -f -", s.Kustomized("scan"), file)
	}
}
