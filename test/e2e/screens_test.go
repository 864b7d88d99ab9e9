package e2e

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestCommandsOfTheScreens types what the screens of README and docs print, on a cluster that is as they show it: all is well, one
// namespace only, the operator down, one finding, and many. What repairs does so, and its undo is printed and works.
func TestCommandsOfTheScreens(t *testing.T) {
	t.Parallel()
	const version, fleet = "2.5.1", 30
	var teams []string
	for i := range fleet {
		teams = append(teams, fmt.Sprintf("team-%02d", i+1))
	}
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: teams})
	require.NoError(t, err)
	admin := as(t, cp, build(t), "admin")
	s := screens{situation{cp: cp, op: op, doctor: admin, version: version}, newDesk(t, cp, admin)}
	s.desk.put(t, ".sparkdoctor.yaml", "apiVersion: sparkdoctor.io/v1alpha1\nkind: Config\nthresholds: {confirmAfter: 1s}\n") // not a minute
	s.application(t, "team-01", "etl")

	t.Run("all is well", func(t *testing.T) {
		require.Empty(t, printedCommands(s.shows(t, 0, 8, "admission: enforced in 1 of 1 namespace · operator 2.5.1 healthy")))
	})
	t.Run("a user of one namespace", s.namespaceUser)
	t.Run("the operator is down", s.operatorDown)
	t.Run("one finding", s.oneFinding)
	t.Run("many findings", func(t *testing.T) { s.fleet(t, teams) })
}

// screens is a desk at a cluster.
type screens struct {
	situation
	desk desk
}

// shows is what a scan prints: at most so many lines, of which the last block has at most 12 and begins with some words.
func (s screens) shows(t *testing.T, code, most int, begins string, args ...string) string {
	t.Helper()
	o := s.desk.run(t, append([]string{"scan", "--confirm-after", "0s"}, args...)...)
	t.Log(o.stdout)
	require.Equal(t, code, o.code, o.stdout+o.stderr)
	text := strings.TrimSuffix(o.stdout, "\n")
	require.LessOrEqual(t, strings.Count(text, "\n"), most)
	last := text[strings.LastIndex(text, "\n\n")+2:]
	require.True(t, strings.HasPrefix(last, begins), last)
	require.Less(t, strings.Count(last, "\n"), 12, last)
	return text
}

// printedCommands are those of a screen, each once, to the end of its line.
func printedCommands(text string) []string {
	lines := regexp.MustCompile(`(?m)\bkubectl .*$`).FindAllString(text, -1)
	slices.Sort(lines)
	return slices.Compact(lines)
}

// typesAll runs what a screen prints, which must be something.
func (s screens) typesAll(t *testing.T, text string) {
	t.Helper()
	lines := printedCommands(text)
	require.NotEmpty(t, lines, text)
	for _, line := range lines {
		t.Logf("%s\n%s", line, s.desk.types(t, line))
	}
}

// namespaceUser is told which command lets the rest be read; an administrator pipes what it prints to kubectl.
func (s screens) namespaceUser(t *testing.T) {
	const user, ns = "u1", "team-01"
	require.NoError(t, s.cp.Grant(t.Context(), user, ns,
		rbacv1.PolicyRule{APIGroups: []string{"sparkoperator.k8s.io"}, Resources: []string{"*"}, Verbs: []string{"*"}}))
	_, err := s.cp.Client.RbacV1().RoleBindings(ns).Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "edit"}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "edit"},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	u := s
	u.desk.doctor = as(t, s.cp, s.doctor.binary, user)
	text := u.shows(t, 0, 8, "largest application: ", "--scope", "namespace", "-n", ns)
	require.Empty(t, printedCommands(text), "her part is well, and the rest was left out on purpose")
	lines := slices.DeleteFunc(printedCommands(u.desk.run(t, "scan", "--confirm-after", "0s").stdout), func(line string) bool {
		return !strings.HasPrefix(line, "kubectl sparkdoctor rbac ")
	})
	require.Len(t, lines, 1)
	roles, apply, _ := strings.Cut(lines[0], " | ")
	require.Equal(t, "kubectl apply -f -", apply)
	s.desk.put(t, "roles.yaml", s.desk.types(t, roles))
	s.desk.types(t, "kubectl apply -f roles.yaml")
	until(t, "the API server to know the roles", func(context.Context) (bool, error) {
		o := u.desk.run(t, "scan", "--confirm-after", "0s")
		return o.code == 0 && !strings.Contains(o.stdout, "cluster-wide"), nil
	})
}

// operatorDown has a controller that does not come back, and an application that waits for it.
func (s screens) operatorDown(t *testing.T) {
	require.NoError(t, s.op.StopController(t.Context()))
	_, err := s.cp.CreateApplication(t.Context(), controlplane.NewApplication("team-02", "waits"))
	require.NoError(t, err)
	var o outcome
	defer func() {
		t.Log(o.stdout)
		require.NoError(t, s.op.StartController(t.Context()))
		_, err := s.cp.WaitForState(t.Context(), "team-02", "waits", "RUNNING")
		require.NoError(t, err)
	}()
	until(t, "a scan to speak of the application", func(context.Context) (bool, error) {
		o = s.desk.run(t, "scan", "--confirm-after", "0s", "--new-after", "1s", "-o", "summary")
		return strings.Contains(o.stdout, "so  1 application in namespace team-02 waits"), nil
	})
	require.Regexp(t, `\n\nSpark Operator 2.5.1 is down: spark-operator-controller\s+SD5008\n`, o.stdout)
	s.typesAll(t, s.shows(t, 1, 61, "Spark Operator 2.5.1 is down: ", "--new-after", "1s"))
}

// oneFinding is an application whose owner lives elsewhere. The repair that is printed is what resolves it.
func (s screens) oneFinding(t *testing.T) {
	owner := s.configMap(t, "team-02", "nightly")
	s.withManagerPaused(t, func() {
		s.patch(t, "team-01", "etl", ownerReferences("ConfigMap", "v1", owner.Name, string(owner.UID)))
		text := s.shows(t, 1, 12, "ERROR   SD2001 cross-namespace-owner: 1 finding")
		s.typesAll(t, text)
		s.repairs(t, text)
		s.shows(t, 0, 8, "admission: enforced")
	})
}

// fleet has two applications in every namespace, one owned across namespaces and one by what is gone.
func (s screens) fleet(t *testing.T, teams []string) {
	owner := s.configMap(t, "team-01", "nightly")
	s.withManagerPaused(t, func() {
		each := func(do func(team, name string, uid types.UID)) {
			for _, team := range teams {
				do(team, "far", owner.UID)
				do(team, "gone", "00000000-0000-4000-8000-000000000001")
			}
		}
		each(func(team, name string, _ types.UID) {
			_, err := s.cp.CreateApplication(t.Context(), controlplane.NewApplication(team, name))
			require.NoError(t, err)
		})
		each(func(team, name string, _ types.UID) {
			_, err := s.cp.WaitForState(t.Context(), team, name, "RUNNING")
			require.NoError(t, err)
		})
		each(func(team, name string, uid types.UID) {
			s.patch(t, team, name, ownerReferences("ConfigMap", "v1", owner.Name, string(uid)))
		})
		text := s.shows(t, 1, 120, "team-")
		s.typesAll(t, text)
		s.repairs(t, text)
		s.shows(t, 0, 8, "admission: enforced", "--skip-checks", "SD2003") // which tells of events of the hour
	})
}

// repairs answers yes to what a screen prints as a repair, to that of one object before that of all.
func (s screens) repairs(t *testing.T, text string) {
	t.Helper()
	for _, line := range slices.Backward(printedCommands(text)) {
		if strings.HasPrefix(line, "kubectl sparkdoctor fix ") {
			require.Contains(t, s.desk.types(t, line+" --yes"), "resolved", line)
		}
	}
}
