package checks_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// advised is a finding of a fixture with what to do about it.
type advised struct {
	fixture string
	finding check.Reported
	next    []check.Command
	in      []operator.Installation
}

// advice is that of every finding of every fixture, as in a cluster.
func advice(t *testing.T) []advised {
	t.Helper()
	if len(knownAdvice) > 0 {
		return knownAdvice
	}
	var out []advised
	for _, f := range fixtures(t) {
		c := checkOf(t, f.ID())
		s := f.Snapshot(t)
		for _, r := range check.Correlate(check.Run(s, []check.Check{c}, f.Asked(t, s))) {
			for i := range r.Findings {
				out = append(out, advised{f.Name(), r.Findings[i], r.Findings[i].Commands(command.Asked{}, false), operator.Find(s.Deployments())})
			}
		}
	}
	require.Greater(t, len(out), 300)
	knownAdvice = out
	return out
}

// knownAdvice is made once for the tests that read it, which run one after the other.
var knownAdvice []advised

// TestNextOfWhatIsNotFrozen: TestFrozen of the program holds what to do about each fixture, but for findings that it folds into others, and
// for those of a target whose values it is not given.
func TestNextOfWhatIsNotFrozen(t *testing.T) {
	want := map[string]string{
		"SD1001/ours-by-service": "kubectl sparkdoctor fix SD1001=acme-webhook --probe --max-risk disruptive",
		"SD1003/empty-in-1-3":    "kubectl sparkdoctor fix SD1003=spark-spark-operator-webhook-config --max-risk disruptive",
		"SD2005/driver-holds-application": "kubectl sparkdoctor fix SD2005=team-a/etl-driver --finalizer kubeflow/spark-operator " +
			"--max-risk destructive",
		"SD7005/values-leave-one-out":   "add default, team-b to spark.jobNamespaces in the values, and run gate again",
		"SD7005/values-of-1x":           "add team-a, team-b, team-c to spark.jobNamespaces in the values, and run gate again",
		"SD7021/hook-conflicts-unknown": "set hook.upgradeCrd to false in the values, and apply the CRDs yourself",
		"SD7024/values-webhook": "add an emptyDir to webhook.volumes and mount it at /etc/k8s-webhook-server/serving-certs in " +
			"webhook.volumeMounts of the values: your lists replace those of the chart",
		"SD7027/other-namespaces": "pass the values of this release, or, if you change them with the upgrade, the manifests rendered with the " +
			"new ones (--target-manifests)",
		"SD7028/values-set-a-user": "set in the values controller.securityContext.runAsUser=1000620000",
	}
	for _, a := range advice(t) {
		if slices.ContainsFunc(a.next, func(c check.Command) bool { return slices.Contains([]string{c.Text, c.Line}, want[a.fixture]) }) {
			delete(want, a.fixture)
		}
	}
	require.Empty(t, want)
}

// TestNextSaysNothingFalse: each finding has something to do, in words and with names that are its own, and no release is older than the
// one that is installed.
func TestNextSaysNothingFalse(t *testing.T) {
	placeholder := regexp.MustCompile(`<[^>]*>|\b(NAME|NAMESPACE|TYPE|RELEASE|POD|VERSION|CONTEXT|FINALIZER)\b|%!|\.\.\.|…`)
	release := regexp.MustCompile(`(?:--to|--version|operator to) (\d\S*)`)
	for _, a := range advice(t) {
		require.NotEmpty(t, a.next, "%s: %s", a.fixture, a.finding.Message)
		for _, c := range a.next {
			text := fmt.Sprintf("%s: %q %q", a.fixture, c.Text, c.Line)
			assert.NotEmpty(t, c.Text, text)
			assert.Equal(t, strings.ToLower(c.Text[:1]), c.Text[:1], text)
			assert.NotRegexp(t, `[. ]$|  `, c.Text, text)
			assert.LessOrEqual(t, len(strings.Fields(c.Text)), 25, text)
			assert.NotRegexp(t, placeholder, c.Text+" "+c.Line, text)
			for _, m := range release.FindAllStringSubmatch(c.Text+" "+c.Line, -1) {
				to, err := operator.ReleaseNamed(strings.TrimRight(m[1], ":,"))
				if err != nil || len(a.in) != 1 || !a.in[0].Recognised {
					continue
				}
				assert.GreaterOrEqual(t, to.Application.Compare(a.in[0].Version), 0, text)
			}
			assert.Empty(t, strangers(a, c.Line), text)
		}
	}
}

// strangers are the objects in a line that the finding does not know: neither as its subject nor as evidence, nor as related.
func strangers(a advised, line string) []string {
	f := &a.finding
	known := map[string]bool{}
	add := func(r snapshot.Ref) {
		known[r.Name], known[r.Namespace] = true, true
	}
	for _, r := range slices.Concat([]snapshot.Ref{f.Object}, f.Related, f.Objects) {
		add(r)
	}
	for _, e := range f.Evidence {
		add(e.Object)
	}
	for _, one := range f.Absent {
		add(one.Ref)
	}
	for _, r := range f.Reviews {
		known[r.Request.Namespace], known[r.Account.Name], known[r.Account.Namespace] = true, true, true
	}
	for i := range a.in { // the operators, and their releases
		release := command.InstallerOf(&a.in[i])
		known[release.Name], known[release.Namespace], known[a.in[i].Namespace] = true, true, true
		for _, d := range a.in[i].Deployments() {
			add(d.Ref)
		}
	}
	var out []string
	for _, m := range regexp.MustCompile(`(?:-n |(?:describe|delete|edit|get|patch|scale) [a-z.]+ |logs |(?:--for|scan) [a-z.]+/|deployment/|`+
		`restart deployment |label namespace )([a-zA-Z0-9][^\s']*)`).FindAllStringSubmatch(line, -1) {
		name := strings.TrimPrefix(m[1], "deployment/")
		if !known[name] {
			out = append(out, name)
		}
	}
	return out
}

// TestNextIsForAShell: a name in a file may be anything, and what is no name of an API server is in no line.
func TestNextIsForAShell(t *testing.T) {
	hostile := []string{"a;reboot", "$(reboot)", "-A", "a b", "a`b`", "a\nb", "'x'", "=ls", "*"}
	for _, name := range hostile {
		o := snapshot.Ref{APIVersion: snapshot.SparkGroup + "/v1beta2", Kind: "SparkApplication", Namespace: "a", Name: name}
		for _, ref := range []snapshot.Ref{o, {Kind: "Pod", Namespace: name, Name: "x"}, {Kind: name, Name: "x"}} {
			require.Empty(t, command.Do("look").On("describe", ref).Line, name)
		}
		require.Empty(t, command.Line("kubectl get %s", name), name)
	}
	found := map[string]bool{}
	for _, fixture := range fixtures(t) {
		for _, a := range hostileAdvice(t, fixture) {
			found[a.finding.Check] = true
			for _, c := range a.next {
				require.NotContains(t, c.Line, ";reboot", fixture.Path)
			}
		}
	}
	require.Greater(t, len(found), 45, "checks whose findings name hostile objects")
	asked := command.Asked{Context: "it's; reboot", As: "me@x"}
	require.Equal(t, `kubectl --context 'it'\''s; reboot' --as me@x get pods | grep x`, asked.In("kubectl get pods | grep x"))
}

// hostileAdvice is what is said of a fixture of which all objects, and what refers to them by name, have names that no shell may see.
func hostileAdvice(t *testing.T, f *checktest.Fixture) []advised {
	t.Helper()
	raw, err := os.ReadFile(f.Path)
	require.NoError(t, err)
	names := regexp.MustCompile(`(?m)((?:name|namespace|podName|webUIServiceName|serviceAccount|nodeName): )([a-z0-9][-.a-z0-9]*)([,}]|$)`)
	path := filepath.Join(t.TempDir(), f.ID(), "hostile.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, names.ReplaceAll(raw, []byte("${1}${2};reboot${3}")), 0o600))
	hostile := checktest.Read(t, path)
	if hostile.Upgrade != nil {
		return nil // TestCommandsAreForShells
	}
	var out []advised
	for _, r := range check.Correlate(check.Run(hostile.Snapshot(t), []check.Check{checkOf(t, f.ID())}, hostile.Params)) {
		for i := range r.Findings {
			out = append(out, advised{finding: r.Findings[i], next: r.Findings[i].Commands(command.Asked{}, false)})
		}
	}
	return out
}

// TestNextSaysAgainWhatWasAsked: each command of a line goes to the cluster that was asked, as whom it was asked.
func TestNextSaysAgainWhatWasAsked(t *testing.T) {
	asked := command.Asked{Kubeconfig: "/k", Context: "prod", Cluster: "c", User: "u", As: "me", AsGroups: []string{"ops"},
		Namespace: "team-a"}
	const flags = " --kubeconfig /k --context prod --cluster c --user u --as me --as-group ops"
	for line, want := range map[string]string{
		"":                            "",
		"kubectl get pods":            "kubectl" + flags + " get pods",
		"kubectl sparkdoctor fix X":   "kubectl sparkdoctor fix X" + flags + " -n team-a",
		"kubectl sparkdoctor s -n b":  "kubectl sparkdoctor s -n b" + flags,
		"helm list | grep -q x && ls": "helm --kubeconfig /k --kube-context prod --kube-as-user me --kube-as-group ops list | grep -q x && ls",
	} {
		require.Equal(t, want, asked.In(line))
	}
}

// TestNextOfFilesWritesNothing: files may be of any cluster, so only what reads is a line to copy.
func TestNextOfFilesWritesNothing(t *testing.T) {
	reads, dropped := 0, 0
	for _, a := range advice(t) {
		for i, one := range a.finding.Commands(command.Asked{}, true) {
			require.True(t, one.Line == "" || command.Reads(one.Line), one.Line)
			if one.Line != "" {
				reads++
			} else if i < len(a.next) && a.next[i].Line != "" {
				dropped++
			}
		}
	}
	require.Greater(t, min(reads, dropped), 50)
	for _, line := range []string{"kubectl delete pod x", "kubectl -n a delete pod get", "kubectl get x | kubectl apply -f -",
		"helm upgrade x",
		"kubectl sparkdoctor fix", "kubectl rollout restart deployment x", "kubectl sparkdoctor undo"} {
		require.False(t, command.Reads(line), line)
	}
}

// flagsOf are the flags of the commands that lines may begin with, as kubectl v1.36 and helm v3.22 have them (kubernetes.io/docs/reference/
// kubectl/generated, helm.sh/docs/helm). Those of the program itself its own tests parse.
func flagsOf() map[string]string {
	return map[string]string{
		"kubectl get": "-o -l -w -A --show-managed-fields", "kubectl describe": "", "kubectl edit": "",
		"kubectl delete": "--force --grace-period --ignore-not-found -n", "kubectl patch": "--type -p --subresource -n",
		"kubectl replace": "-f", "kubectl scale": "--replicas",
		"kubectl logs": "-c --previous --since --timestamps --all-containers --all-pods", "kubectl events": "--for", "kubectl label": "",
		"kubectl rollout restart":           "",
		"kubectl apply":                     "--server-side --force-conflicts -f",
		"kubectl create role":               "--verb --resource --resource-name -n --dry-run -o",
		"kubectl create rolebinding":        "--role --serviceaccount -n --dry-run -o",
		"kubectl create clusterrole":        "--verb --resource --resource-name --dry-run -o",
		"kubectl create clusterrolebinding": "--clusterrole --serviceaccount --dry-run -o", "kubectl create serviceaccount": "",

		"helm list": "-n --filter -o", "helm upgrade": "--version -n --reuse-values --set --timeout",
		"helm get values": "-n -o", "helm history": "-n",
		"helm show crds": "--version", "grep": "-q", "awk": "",
	}
}

// TestNextIsNoInvention: each line begins with a command that exists, with flags that it has.
func TestNextIsNoInvention(t *testing.T) {
	known, seen := flagsOf(), map[string]bool{}
	lines := []string{
		`helm list -n a --filter '^b$' -o json | grep -q 'x' && helm upgrade b spark-operator/spark-operator --version 1 -n a --reuse-values ` +
			`--set a=b --timeout 5m`, "helm get values a -n b", // of owners that fixtures have not, held by the tests of pkg/command
	}
	for _, a := range advice(t) {
		for _, c := range a.next {
			lines = append(lines, c.Line)
		}
	}
	for _, line := range lines {
		for _, part := range strings.Split(strings.ReplaceAll(line, " | ", " && "), " && ") {
			part = regexp.MustCompile(`'[^']*'`).ReplaceAllString(part, "x")
			if part == "" || strings.HasPrefix(part, "kubectl sparkdoctor ") {
				continue
			}
			plain := regexp.MustCompile(`^kubectl -n \S+ `).ReplaceAllString(part, "kubectl ")
			name := ""
			for one := range known {
				if strings.HasPrefix(plain+" ", one+" ") && len(one) > len(name) {
					name = one
				}
			}
			require.NotEmpty(t, name, line)
			seen[name] = true
			for _, word := range strings.Fields(plain)[1:] {
				flag, _, _ := strings.Cut(word, "=")
				require.True(t, flag[0] != '-' || flag == "-" || slices.Contains(strings.Fields(known[name]), flag), "%s: %s", flag, line)
			}
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(known)), slices.Collect(maps.Keys(seen)), "what no line begins with is left out")
}
