package logs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// ended is evidence of one driver whose container ended with an exit code and left a log.
func ended(code int32, log string) *app.Evidence {
	return &app.Evidence{
		Pods: []corev1.Pod{{
			ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "etl-driver", Labels: map[string]string{"spark-role": "driver"}},
			Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
				Name:  "spark-kubernetes-driver",
				State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}},
			}}},
		}},
		Logs: []app.Log{{Namespace: "team", Pod: "etl-driver", Container: "spark-kubernetes-driver", Role: "driver", Tail: log}},
	}
}

// said is what a cause says.
func said(c cause.Cause) string { return words.Terms{}.Of(&c).Says }

func realLog(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/real", name+".log"))
	require.NoError(t, err)
	return string(text)
}

// realFailures are logs of processes that failed, with their exit codes and what failed first.
func realFailures() []struct {
	name  string
	code  int32
	class cause.Class // empty: nothing failed, or nothing tells what
	says  string      // part of the message
	sure  check.Certainty
} {
	type row = struct {
		name  string
		code  int32
		class cause.Class
		says  string
		sure  check.Certainty
	}
	return []row{
		{"java-suppressed", 1, cause.CodeFailed, `NumberFormatException: For input string: "n/a" at Fail.java:8`, check.Proven},
		{"java-pool", 1, cause.CodeFailed, `NullPointerException: Cannot invoke "String.length()"`, check.Proven},
		{"java-retried", 1, cause.CodeFailed, "IllegalArgumentException: negative price in row 17", check.Proven},
		{"java-caught", 0, "", "", 0},
		{"java-daemon", 1, cause.Configuration, "heap", check.Proven},
		{"java-heap", 1, cause.Configuration, "heap", check.Proven},
		{"java-exit-on-oom", 3, cause.Configuration, "heap", check.Proven},
		{"java-interrupted", 1, cause.Unknown, "InterruptedException", check.Likely},
		{"java-stack-overflow", 1, cause.CodeFailed, "StackOverflowError", check.Proven},
		{"java-hook", 1, cause.CodeFailed, "ArrayIndexOutOfBoundsException: Index 4 out of bounds for length 4 at Fail.java:", check.Proven},
		{"py-direct", 1, cause.CodeFailed, "ZeroDivisionError: division by zero at job.py:6", check.Proven},
		{"py-handling", 1, cause.CodeFailed, "KeyError: 'price' at job.py:6", check.Proven},
		{"py-logged-then-fine", 0, "", "", 0},
		{"py-logged-then-exit", 1, cause.CodeFailed, "ZeroDivisionError: division by zero at job.py:6", check.Likely},
		{"py-nested", 1, cause.CodeFailed, "JSONDecodeError: Expecting value", check.Proven},
		{"py-printed-then-fine", 0, "", "", 0},
		{"py-multiline", 1, cause.CodeFailed, "RuntimeError: checks failed: - prices: 3 rows - units: 1 row", check.Proven},
		{"py-group", 1, cause.CodeFailed, "ExceptionGroup: two parts failed (2 sub-exceptions) at job.py:52", check.Proven},
		{"py-interrupted", 130, cause.Unknown, "KeyboardInterrupt", check.Likely},
		{"py-syntax", 1, cause.CodeFailed, "invalid syntax at broken.py:3", check.Proven},
		{"py-shadow", 1, cause.CodeFailed, "the script numbers_etl.py has the name of the package", check.Proven},
	}
}

func TestRealFailures(t *testing.T) {
	for _, row := range realFailures() {
		t.Run(row.name, func(t *testing.T) {
			found := logs.Causes(ended(row.code, realLog(t, row.name)))
			if row.class == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Contains(t, said(found[0]), row.says)
			require.Equal(t, row.class, found[0].Class, said(found[0]))
			require.Equal(t, row.sure, found[0].Certainty, said(found[0]))
			require.Equal(t, row.class == cause.Unknown, found[0].Effect)
			require.NotEmpty(t, found[0].Evidence)
			require.Equal(t, cause.ByDriverLog, found[0].Trust)
			require.Equal(t, "etl-driver", found[0].Subject.Name)
		})
	}
}

// TestRealFailuresWithoutExitCode: from files, a log may be all there is.
func TestRealFailuresWithoutExitCode(t *testing.T) {
	for _, row := range realFailures() {
		e := ended(row.code, realLog(t, row.name))
		e.Pods = nil
		found := logs.Causes(e)
		if row.class == "" {
			for _, c := range found {
				require.Equal(t, check.Likely, c.Certainty, "%s: %s", row.name, said(c))
			}
			continue
		}
		require.Len(t, found, 1, row.name)
		require.Equal(t, row.class, found[0].Class, row.name)
	}
}
