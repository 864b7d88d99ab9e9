package runbook

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// everyUpgrade is from each chart and each tool that installs one.
func everyUpgrade(t *testing.T) map[string]*check.Upgrade {
	t.Helper()
	out := map[string]*check.Upgrade{}
	for _, from := range []string{"1.1.26", "1.3.2", "1.4.6", "v1beta2-1.6.2-3.5.0", "2.0.2", "2.3.0", "2.5.1"} {
		for name, in := range map[string]*operator.Installation{
			"nobody": nil, "Helm": deployed(map[string]string{"app.kubernetes.io/instance": "jobs"}),
			"Argo CD":   deployed(map[string]string{"argocd.argoproj.io/instance": "jobs"}),
			"Flux":      deployed(map[string]string{"helm.toolkit.fluxcd.io/name": "jobs"}),
			"kustomize": deployed(map[string]string{"app.kubernetes.io/managed-by": "kustomize"}),
		} {
			u := upgradeOf(t, from, "2.5.2", nil)
			if u.Installation = in; in != nil {
				in.Version, in.Chart, in.Webhook = u.From, u.Chart, in.Controller
			}
			out[from+" "+name] = u
		}
	}
	return out
}

// TestCommandsCanRunAgain: no time of an upgrade has a command twice, a second run refuses nothing and overwrites no values, and what a
// command reads an earlier one has made.
func TestCommandsCanRunAgain(t *testing.T) {
	for name, u := range everyUpgrade(t) {
		seen, at, made := map[string]bool{}, check.Before, map[string]bool{}
		repository := false
		for _, task := range Of(u, nil) {
			if task.When != at {
				seen, at = map[string]bool{}, task.When
			}
			for _, c := range task.Commands {
				require.False(t, seen[c], "%s: twice: %s", name, c)
				seen[c] = true
				repository = repository || strings.HasPrefix(c, "helm repo add --force-update ")
				if strings.Contains(c, "spark-operator/spark-operator ") {
					require.True(t, repository, "%s: the repository comes first: %s", name, c)
				}
				for _, file := range regexp.MustCompile(`(?:json=|snapshot -o )(\S+)`).FindAllStringSubmatch(c, -1) {
					require.True(t, strings.HasPrefix(c, "test -s "+file[1]+" || "), "%s: the state before is saved once: %s", name, c)
					require.Contains(t, file[1], u.Installed().ChartOrApplication(), "another upgrade has files of its own")
				}
				require.NotContains(t, strings.ReplaceAll(c, "--dry-run=client", ""), "kubectl create", name)
				words := strings.Fields(c)
				for i, word := range words {
					switch {
					case word == ">" && strings.HasPrefix(words[i+1], "values-") && !strings.HasPrefix(words[i+1], "values-of-"):
						require.True(t, strings.HasPrefix(c, "test -s "+words[i+1]+" || "), "%s: %s", name, c)
						made[words[i+1]] = true
					case words[0] == "test" && word == "cp":
						require.Equal(t, words[2], words[i+2])
						made[words[i+2]] = true
					case word == "-f" && strings.HasPrefix(words[i+1], "values"):
						require.True(t, made[words[i+1]], "%s: nothing wrote it: %s", name, c)
					}
				}
			}
		}
	}
}

// TestEveryRunbookHasAWayBack: it says when to stop, how, and what stays; and how long nothing is reconciled.
func TestEveryRunbookHasAWayBack(t *testing.T) {
	for name, u := range everyUpgrade(t) {
		tasks := Of(u, nil)
		steps := strings.Join(stepsIn(tasks), "\n")
		require.Contains(t, steps, "rollback: roll back if the rollout does not finish", name)
		require.Contains(t, steps, "rollback: stop clients", name)
		require.Contains(t, steps, "rollback: leave the CRDs of 2.5.2 in place", name)
		require.Contains(t, steps, "before: check that the API server accepts the CRDs of 2.5.2", name)
		require.True(t, slices.ContainsFunc(tasks, func(task Task) bool {
			return task.When == check.During && strings.Contains(task.Because, "no application is submitted or updated")
		}), name)
		require.Contains(t, commandsOf(tasks), "kubectl apply --server-side --force-conflicts --dry-run=server -f ", name)
	}
	back := commandsOf(Of(everyUpgrade(t)["1.4.6 Helm"], nil))
	require.Contains(t, back, "kubectl delete secret jobs-spark-operator-webhook-certs -n etl --ignore-not-found\n"+
		"helm upgrade jobs spark-operator/spark-operator --version 1.4.6 -n etl -f values-jobs-1.4.6.yaml", "hooks run in an upgrade only")
	require.Contains(t, back, "-f values-jobs-2.5.2.yaml --include-crds", "those of 2.x are another file")
	require.Contains(t, commandsOf(Of(everyUpgrade(t)["2.3.0 Helm"], nil)), "helm history jobs -n etl\nhelm rollback jobs "+
		"\"$(cat revision-jobs-2.3.0)\" -n etl --timeout 5m")
}
