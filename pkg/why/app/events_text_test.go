package app

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// asNext is the note of the operator's master: its recorder formats the first value with those that follow.
func asNext(values ...any) string { return fmt.Sprintf(fmt.Sprint(values[0]), values[1:]...) }

func TestTextsOfTheNextOperator(t *testing.T) {
	const failed = "Executor %s failed with ExitCode: %d, Reason: %s, Pod Message: %s"
	for name, c := range map[string]struct{ action, note, want string }{
		"one value": {"Driver %s failed", "etl-driver", "Driver etl-driver failed"},
		"an error": {"SparkApplication %s failed: %s", asNext("etl", "a, string=b (100%), c)"),
			"SparkApplication etl failed: a, string=b (100%), c)"},
		"no error":       {"SparkApplication %s failed: %s", asNext("etl", ""), "SparkApplication etl failed: "},
		"of an executor": {"Executor %s is running", asNext("etl", "etl-1-exec-1"), "Executor etl-1-exec-1 is running"},
		"that failed": {failed, asNext("etl", "etl-1-exec-1", int32(137), "OOMKilled", "one, string=two"),
			"Executor etl-1-exec-1 failed with ExitCode: 137, Reason: OOMKilled, Pod Message: one, string=two"},
		"without a container": {failed, asNext("etl", "etl-1-exec-1", -1, "Unknown (Container not Found)", ""),
			"Executor etl-1-exec-1 failed with ExitCode: -1, Reason: Unknown (Container not Found), Pod Message: "},
		"a duration": {"Driver pod %s not found after grace period %v, marking application as Failing", asNext("etl-driver", 10*time.Second),
			"Driver pod etl-driver not found after grace period 10s, marking application as Failing"},
		"a failed update": {"Failed to update spec for SparkApplication %s: %v", asNext("etl", fmt.Errorf("conflict")),
			"Failed to update spec for SparkApplication etl: conflict"},
	} {
		require.Equal(t, c.want, meant(c.action, c.note), name)
	}
	for name, c := range map[string]struct{ action, note string }{
		"no action":             {"", "etl%!(EXTRA string=a)"},
		"an action":             {"Binding", "Successfully assigned team-a/etl-driver to n1"},
		"not its values":        {failed, asNext("etl", "etl-1-exec-1", "OOMKilled")},
		"another verb":          {"%s is %q", asNext("etl", "a")},
		"a text with a verb":    {"SparkApplication %s failed: %s", "SparkApplication etl failed: disk is 100%full"},
		"cut off":               {"SparkApplication %s failed: %s", "etl%!(EXTRA string=driver container fai"},
		"a percentage":          {"Evicting at 90% of memory", "evicted"},
		"a number that is none": {"%d pods", "three"},
	} {
		require.Equal(t, c.note, meant(c.action, c.note), name)
	}
}

// TestEventsThatBothGroupsServe: one event of the operator's master, as each API group serves it, is one event that says what was meant.
func TestEventsThatBothGroupsServe(t *testing.T) {
	const about = `{kind: SparkApplication, apiVersion: sparkoperator.k8s.io/v1beta2, namespace: team-a, name: etl}`
	const rest = `
kind: Event
metadata: {name: etl.1, namespace: team-a, creationTimestamp: "2026-11-20T03:00:01Z"}
type: Warning
reason: SparkExecutorFailed
action: "Executor %s failed with ExitCode: %d, Reason: %s, Pod Message: %s"
eventTime: "2026-11-20T03:00:01.000000Z"
series: {count: 3, lastObservedTime: "2026-11-20T03:09:01.000000Z"}
reportingInstance: spark-application-controller-0
`
	note := `"etl%!(EXTRA string=etl-1-exec-1, int32=137, string=OOMKilled, string=)"`
	core := "apiVersion: v1" + rest + "involvedObject: " + about + "\nmessage: " + note +
		"\nreportingComponent: spark-application-controller\n" +
		"source: {}\nfirstTimestamp: null\nlastTimestamp: null\n"
	other := "apiVersion: events.k8s.io/v1" + rest + "regarding: " + about + "\nnote: " + note +
		"\nreportingController: spark-application-controller\n"
	asked := snapshot.Ref{Kind: "SparkApplication", Namespace: "team-a", Name: "etl"}
	for _, form := range [][]string{{core}, {other}, {core, other}} {
		var objects []unstructured.Unstructured
		for _, text := range form {
			objects = append(objects, *objectOf(t, text))
		}
		got := FromObjects(objects, nil, asked, time.Time{}).Events
		require.Equal(t, []Event{{Type: "Warning", Reason: "SparkExecutorFailed", Source: "spark-application-controller", Count: 3,
			Message:  "Executor etl-1-exec-1 failed with ExitCode: 137, Reason: OOMKilled, Pod Message:",
			Involved: snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "team-a", Name: "etl"},
			First:    time.Date(2026, 11, 20, 3, 0, 1, 0, time.UTC), Last: time.Date(2026, 11, 20, 3, 9, 1, 0, time.UTC)}}, got)
	}
}
