package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// The applications of two operators: of one name both have one.
const (
	kubeflowJobs = `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: both, namespace: team-a, uid: k1, creationTimestamp: '2026-11-25T10:00:00Z'}
spec: {type: Scala, mode: cluster, sparkVersion: 3.5.5, mainClass: A, mainApplicationFile: 'local:///a.jar', driver: {}, executor: {}}
status:
  applicationState: {state: FAILED, errorMessage: 'driver container failed with ExitCode: 1, Reason: Error'}
  lastSubmissionAttemptTime: '2026-11-25T10:00:01Z'
  terminationTime: '2026-11-25T10:10:00Z'
`
	apacheJobs = `
apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: {name: both, namespace: team-a, uid: a1, creationTimestamp: '2026-11-25T11:00:00Z'}
spec: {mainClass: A}
status:
  currentState: {currentStateSummary: ResourceReleased, lastTransitionTime: '2026-11-25T11:06:05Z'}
  stateTransitionHistory:
    '1': {currentStateSummary: DriverStartTimedOut, lastTransitionTime: '2026-11-25T11:05:30Z'}
    '2': {currentStateSummary: ResourceReleased, lastTransitionTime: '2026-11-25T11:06:05Z'}
---
apiVersion: spark.apache.org/v1
kind: SparkApplication
metadata: {name: healthy, namespace: team-a, uid: a2, creationTimestamp: '2026-11-25T11:00:00Z'}
spec: {mainClass: A}
status: {currentState: {currentStateSummary: RunningHealthy, lastTransitionTime: '2026-11-25T11:01:00Z'}}
---
apiVersion: spark.apache.org/v1
kind: SparkCluster
metadata: {name: shared, namespace: team-b, uid: a3, creationTimestamp: '2026-11-25T12:30:00Z'}
spec: {}
status:
  currentState: {currentStateSummary: SchedulingFailure, lastTransitionTime: '2026-11-25T12:30:05Z', message: 'pods is forbidden: exceeded
    quota: q, requested: cpu=2, used: cpu=9, limited: cpu=10'}
`
)

// twoOperators serves them, those of Apache in a version, or, without one, not at all.
func twoOperators(t *testing.T, version string, kubeflow bool) (*apiServer, func(args ...string) ran) {
	t.Helper()
	s := newAPIServer(t, time.Date(2026, 11, 25, 13, 0, 0, 0, time.UTC))
	s.add(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a, uid: n1}\n")
	if kubeflow {
		s.add(t, kubeflowJobs)
	} else {
		s.sources = slices.DeleteFunc(s.sources, func(src snapshot.Source) bool { return src.Group == snapshot.SparkGroup })
	}
	if version != "" {
		s.add(t, strings.ReplaceAll(apacheJobs, "spark.apache.org/v1", "spark.apache.org/"+version))
		for _, v := range snapshot.ApacheViews() {
			src, _ := snapshot.SourceOf(v)
			src.Version = version
			s.sources = append(s.sources, src)
		}
	}
	config := s.kubeconfig(t, "")
	return s, func(args ...string) ran {
		typed := append([]string{args[0], "--kubeconfig", config}, args[1:]...)
		if args[0] == "__complete" {
			typed = append([]string{args[0], args[1], "--kubeconfig", config}, args[2:]...)
		}
		return run(t, typed...)
	}
}

// listed is a list in JSON, in short.
func listed(t *testing.T, text string) (subjects []string, unseen []string) {
	t.Helper()
	var l struct {
		Kind           string
		Items          []struct{ Subject snapshot.Ref }
		Fine           int
		Unread, Unseen []struct{ What string }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &l), text)
	require.Equal(t, "CaseFileList", l.Kind)
	require.Empty(t, l.Unread)
	for _, i := range l.Items {
		subjects = append(subjects, i.Subject.APIVersion+" "+i.Subject.String())
	}
	for _, u := range l.Unseen {
		unseen = append(unseen, u.What)
	}
	return append(subjects, fmt.Sprint(l.Fine, " fine")), unseen
}

// inALine is a text without its line breaks.
func inALine(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestWhyListsBothOperators(t *testing.T) {
	_, ask := twoOperators(t, "v1", true)
	o := ask("why", "-A", "-o", "json")
	require.Equal(t, 3, o.code, o.stderr)
	subjects, unseen := listed(t, o.stdout)
	require.Equal(t, []string{"spark.apache.org/v1 SparkCluster team-b/shared", "spark.apache.org/v1 SparkApplication team-a/both",
		"sparkoperator.k8s.io/v1beta2 SparkApplication team-a/both", "1 fine"}, subjects, "the newest first, and not the one that is healthy")
	require.Empty(t, unseen)
	o = ask("why", "-n", "team-a")
	require.Contains(t, inALine(o.stdout), "sparkapplication.spark.apache.org team-a/both DriverStartTimedOut 114 min ago")
	require.Contains(t, inALine(o.stdout), "sparkapplication.sparkoperator.k8s.io team-a/both FAILED 2 h 50 min ago")
	require.NotContains(t, o.stdout, "shared")

	o = ask("why", "both", "-n", "team-a")
	require.Contains(t, o.stdout, "sparkapplication.sparkoperator.k8s.io team-a/both  FAILED")
	require.Contains(t, o.stderr, "about the other: kubectl sparkdoctor why sparkapplication.spark.apache.org/both -n team-a")
	o = ask("why", "sparkapplication.spark.apache.org/both", "-n", "team-a")
	require.Contains(t, o.stdout, "team-a/both  DriverStartTimedOut")
	require.NotContains(t, o.stderr, "exists, too")
	o = ask("why", "sparkapplication.sparkoperator.k8s.io/both", "-n", "team-a")
	require.Contains(t, o.stdout, "team-a/both  FAILED")
	require.NotContains(t, o.stderr, "exists, too")
	require.Contains(t, ask("why", "healthi", "-n", "team-a").stderr, "did you mean healthy?")
}

// TestWhyListsWhereOneOperatorIs: a group that the cluster does not have is empty, and nothing that could not be read.
func TestWhyListsWhereOneOperatorIs(t *testing.T) {
	_, ask := twoOperators(t, "", true)
	o := ask("why", "-A", "-o", "json")
	require.Equal(t, 3, o.code, o.stderr)
	subjects, unseen := listed(t, o.stdout)
	require.Equal(t, []string{"sparkoperator.k8s.io/v1beta2 SparkApplication team-a/both", "0 fine"}, subjects)
	require.Empty(t, unseen)
	require.Contains(t, ask("why", "both", "-n", "team-a").stdout, "team-a/both  FAILED")
	o = ask("why", "sparkapplication.spark.apache.org/both", "-n", "team-a")
	require.Equal(t, 2, o.code)
	require.Contains(t, o.stderr, `no sparkapplication.spark.apache.org "both" was found in namespace team-a`)

	_, ask = twoOperators(t, "v1", false)
	o = ask("why", "-A", "-o", "json")
	require.Equal(t, 0, o.code, o.stderr)
	subjects, unseen = listed(t, o.stdout)
	require.Equal(t, []string{"spark.apache.org/v1 SparkCluster team-b/shared", "spark.apache.org/v1 SparkApplication team-a/both", "1 fine"},
		subjects)
	require.Empty(t, unseen)
	require.Contains(t, ask("why", "both", "-n", "team-a").stdout, "team-a/both  DriverStartTimedOut")

	_, ask = twoOperators(t, "", false)
	o = ask("why", "-A")
	require.Equal(t, 3, o.code)
	require.Contains(t, o.stderr, "no Spark Operator found")
}

// TestWhyReadsOlderVersions of the Apache operator, whose objects are alike, and says of others that it does not.
func TestWhyReadsOlderVersions(t *testing.T) {
	for _, version := range []string{"v1beta1", "v1alpha1"} {
		_, ask := twoOperators(t, version, true)
		subjects, _ := listed(t, ask("why", "-n", "team-a", "-o", "json").stdout)
		require.Equal(t, []string{"spark.apache.org/" + version + " SparkApplication team-a/both",
			"sparkoperator.k8s.io/v1beta2 SparkApplication team-a/both", "1 fine"}, subjects)
		o := ask("why", "sparkapplication.spark.apache.org/both", "-n", "team-a")
		require.Contains(t, o.stdout, "team-a/both  DriverStartTimedOut", o.stderr)
	}
	_, ask := twoOperators(t, "v2", true)
	o := ask("why", "-n", "team-a")
	require.Contains(t, inALine(o.stdout), "could not list sparkapplications.spark.apache.org: the server has it as v2 only, not as v1")
	require.Contains(t, o.stdout, "team-a/both  FAILED")
	o = ask("why", "sparkapplication.spark.apache.org/both", "-n", "team-a")
	require.Equal(t, 2, o.code)
	require.Contains(t, o.stderr, "the server has it as v2 only, not as v1")
}

// TestWhyListsWhatMayBeRead: a kind that the user may not list is named, and takes nothing from the others.
func TestWhyListsWhatMayBeRead(t *testing.T) {
	s, ask := twoOperators(t, "v1", true)
	s.deny = func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/apis/spark.apache.org/") }
	o := ask("why", "-n", "team-a")
	require.Equal(t, 3, o.code)
	require.Contains(t, o.stdout, "team-a/both  FAILED")
	require.Contains(t, inALine(o.stdout), "you may not list sparkapplications.spark.apache.org in namespace team-a")
	_, unseen := listed(t, ask("why", "-n", "team-a", "-o", "json").stdout)
	require.Equal(t, []string{"sparkapplications.spark.apache.org in namespace team-a", "sparkclusters.spark.apache.org in namespace team-a"},
		unseen)
	require.NotContains(t, ask("why", "both", "-n", "team-a", "-o", "json").stdout, "spark.apache.org")

	s, ask = twoOperators(t, "v1", false)
	s.deny = func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/apis/spark.apache.org/") }
	o = ask("why", "-n", "team-a")
	require.Equal(t, 2, o.code)
	require.Contains(t, o.stderr, "cannot tell whether there is an application: you may not list sparkapplications.spark.apache.org in "+
		"namespace team-a")
}

func TestCompletionOffersBothOperators(t *testing.T) {
	for _, version := range []string{"v1", "v1beta1"} {
		_, ask := twoOperators(t, version, true)
		offered := func(args ...string) []string {
			o := ask(append([]string{"__complete", "why", "-n", "team-a"}, args...)...)
			return strings.Fields(strings.Split(o.stdout, "\n:")[0])
		}
		require.Equal(t, []string{"both", "healthy"}, offered("")[:2])
		require.Contains(t, offered(""), "sparkcluster/")
		require.Equal(t, []string{"sparkapplication.spark.apache.org/both", "sparkapplication.spark.apache.org/healthy"},
			offered("sparkapplication.spark.apache.org/"))
		require.Equal(t, []string{"sparkapplications.sparkoperator.k8s.io/both"}, offered("sparkapplications.sparkoperator.k8s.io/"))
		require.Equal(t, []string{"healthy"}, offered("sparkapplication", "he"))
	}
	_, ask := twoOperators(t, "", true)
	o := ask("__complete", "why", "-n", "team-a", "b")
	require.Equal(t, "both\n:4\n", o.stdout)
	o = ask("__complete", "scan", "-n", "team-a", "s")
	require.NotContains(t, o.stdout, "sparkcluster", "scan does not read it")
}
