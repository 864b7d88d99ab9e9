package collect

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

func driverLogs(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) *snapshot.Snapshot {
	t.Helper()
	s := newServer(t, application("etl", "team-a"), sparkPod("etl", "etl-driver", "driver", 1))
	s.fault = logs(answer)
	return readApplication(t, s, "", "etl")
}

func unseenLogs(s *snapshot.Snapshot) string {
	text := ""
	for _, u := range s.Coverage(snapshot.ApplicationLogs).Unseen {
		text += u.Name + ": " + u.Reason + "\n"
	}
	return text
}

// TestLongLogKeepsBeginningAndEnd: the server hands out the last lines, and the first ones by themselves.
func TestLongLogKeepsBeginningAndEnd(t *testing.T) {
	lines := make([]string, 0, 100_000)
	for i := range cap(lines) {
		lines = append(lines, fmt.Sprintf("line %06d password=hunter2 %s\n", i, strings.Repeat("x", 120)))
	}
	got := driverLogs(t, func(w http.ResponseWriter, r *http.Request) {
		from := 0
		if tail, err := strconv.Atoi(r.URL.Query().Get("tailLines")); err == nil {
			from = max(0, len(lines)-tail)
		}
		text := strings.Join(lines[from:], "")
		if most, err := strconv.Atoi(r.URL.Query().Get("limitBytes")); err == nil {
			text = text[:min(most, len(text))]
		}
		_, _ = w.Write([]byte(text))
	})
	list := got.ApplicationLogs()
	require.Len(t, list, 1)
	require.True(t, strings.HasPrefix(string(list[0].Head), "line 000000 "))
	require.True(t, strings.HasSuffix(string(list[0].Head), "x\n"), "only whole lines")
	require.True(t, strings.HasPrefix(string(list[0].Tail), "line "), "only whole lines")
	require.Contains(t, string(list[0].Tail), "line 099999")
	require.Equal(t, -1, list[0].Dropped)
	require.LessOrEqual(t, len(list[0].Tail), whole.TailBytes*17/16, "the marks of secrets are longer than these")
	require.NotContains(t, string(list[0].Head+list[0].Tail), "hunter2")
	require.Empty(t, unseenLogs(got))
}

// TestEndlessLogIsGivenUp: what a container transfers is bounded, and what came counts.
func TestEndlessLogIsGivenUp(t *testing.T) {
	var sent atomic.Int64
	chunk := []byte(strings.Repeat(strings.Repeat("y", 99)+"\n", 1000))
	got := driverLogs(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			n, err := w.Write(chunk)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	})
	require.Less(t, sent.Load(), int64(2*logTransfer), "with what is on its way when the reader hangs up")
	require.Contains(t, unseenLogs(got), "gave up after 64 MiB")
	require.Len(t, got.ApplicationLogs(), 1)
}

func TestDriversLogThatCannotBeRead(t *testing.T) {
	resource := schema.GroupResource{Resource: "pods"}
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		want   string
	}{
		"forbidden": {func(w http.ResponseWriter, _ *http.Request) {
			fail(w, apierrors.NewForbidden(resource, "etl-driver", nil))
		},
			"etl-driver: spark-kubernetes-driver: forbidden\n"},
		"a pod that is gone": {func(w http.ResponseWriter, _ *http.Request) { fail(w, apierrors.NewNotFound(resource, "etl-driver")) },
			"etl-driver: spark-kubernetes-driver: pods \"etl-driver\" not found\n"},
		"a container that is gone": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, "unable to retrieve container logs for containerd://8a6f")
		}, "etl-driver: spark-kubernetes-driver: the container's log is gone\n"},
		"gone for good": {func(w http.ResponseWriter, _ *http.Request) { fail(w, apierrors.NewResourceExpired("gone")) },
			"etl-driver: spark-kubernetes-driver: the log is gone (410 Gone)\n"},
		"one that has not started": {func(w http.ResponseWriter, _ *http.Request) {
			fail(w, apierrors.NewBadRequest(`container "spark-kubernetes-driver" in pod "etl-driver" is waiting to start: ContainerCreating`))
		}, ""},
		"a connection that breaks": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintln(w, "before it broke")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, "etl-driver: spark-kubernetes-driver: the answer was cut short\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := driverLogs(t, c.answer)
			require.Equal(t, c.want, unseenLogs(got))
			require.Len(t, got.InFull(snapshot.WholePods), 1)
		})
	}
}

// TestWhichLogsAreRead: of a driver the container of Spark, others that failed, and what ran before a restart.
func TestWhichLogsAreRead(t *testing.T) {
	driver := sparkPod("etl", "etl-driver", "driver", 1)
	ended := func(code int32) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}}
	}
	driver.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "fetch", State: ended(0)}, {Name: "verify", State: ended(3)}}
	driver.Status.ContainerStatuses = append(driver.Status.ContainerStatuses,
		corev1.ContainerStatus{Name: "proxy", State: ended(0), LastTerminationState: ended(255)},
		corev1.ContainerStatus{Name: "metrics", State: ended(0)},
		corev1.ContainerStatus{Name: "waits", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}})
	healthy := sparkPod("etl", "etl-exec-1", "executor", 0)
	s := newServer(t, application("etl", "team-a"), driver, healthy)
	s.fault = logs(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "text\n") })
	var read []string
	for _, l := range readApplication(t, s, "", "etl").ApplicationLogs() {
		read = append(read, fmt.Sprint(l.Name, " ", l.Container, " ", l.Previous))
	}
	require.Equal(t, []string{"etl-driver proxy false", "etl-driver proxy true", "etl-driver spark-kubernetes-driver false",
		"etl-driver verify false"}, read)
}
