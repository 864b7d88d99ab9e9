package collect

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// most is what answers of at most 1 MiB each may take, and readAnswers names what is answered in a process of its own.
const (
	most        = 256 << 20
	readAnswers = "SPARKDOCTOR_TEST_ANSWERS"
)

// hostileAnswers are answers to every question, by what they are: deep, wide, and many that are small.
func hostileAnswers() map[string]func(w http.ResponseWriter, r *http.Request) (before, unit, end string) {
	pods := func(before, unit, end string) func(http.ResponseWriter, *http.Request) (string, string, string) {
		head := `{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[`
		return func(http.ResponseWriter, *http.Request) (string, string, string) {
			return head + before, unit, end + "]}"
		}
	}
	pod := `{"metadata":{"name":"a","namespace":"a","labels":{"sparkoperator.k8s.io/launched-by-spark-operator":"true"}`
	of := func(member, unit, last string) func(http.ResponseWriter, *http.Request) (string, string, string) {
		return pods(pod+`,"`+member+`":[`, unit, last+"]}}")
	}
	anything := func(before, unit, end string) func(http.ResponseWriter, *http.Request) (string, string, string) {
		return func(w http.ResponseWriter, _ *http.Request) (string, string, string) {
			w.Header().Set("Content-Type", "application/json")
			return before, unit, end
		}
	}
	return map[string]func(http.ResponseWriter, *http.Request) (string, string, string){
		"small pods": pods("", pod+"}},", pod+"}}"), "empty items": pods("", "{},", "{}"), "nested items": pods("", `{"a":`, ""),
		"owners": of("ownerReferences", "{},", "{}"), "owners with fields": of("ownerReferences", `{"name":"a"},`, "{}"),
		"pods with owners":     pods("", pod+`,"ownerReferences":[`+strings.Repeat("{},", 5000)+"{}]}},", pod+"}}"),
		"a long text":          pods(pod+`},"status":{"message":"`, "secret: ", `"}}`),
		"what is no list":      anything(`{"a":[`, `{"a":1},`, "1]}"),
		"resources":            anything(`{"kind":"APIResourceList","groupVersion":"v1","resources":[`, `{},`, "{}]}"),
		"deep":                 anything("", `{"a":`, ""),
		"zeros":                anything("", "\x00", ""),
		"a log of small lines": anything("", "token: a\n", ""),
	}
}

// packedAnswer is at most 1 MiB packed.
func packedAnswer(before, unit, end string) []byte {
	for size := 512 << 20; ; size /= 2 {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		_, _ = z.Write([]byte(before))
		chunk := []byte(strings.Repeat(unit, 1+(64<<10)/len(unit)))
		for n := 0; n < size && b.Len() <= 1<<20; n += len(chunk) {
			_, _ = z.Write(chunk)
		}
		_, _ = z.Write([]byte(end))
		if _ = z.Close(); b.Len() <= 1<<20 {
			return b.Bytes()
		}
	}
}

// TestSmallAnswersTakeLittleMemory reads a server that gives each of them in a process of its own, and holds its peak against the bound.
func TestSmallAnswersTakeLittleMemory(t *testing.T) {
	if name := os.Getenv(readAnswers); name != "" {
		readHostile(t, name)
		return
	}
	if !sampling.Nightly() || sampling.Raced() { // the race detector takes several times the memory
		t.Skip("make test-slow runs it: each answer is read in a process of its own")
	}
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`) // proc_pid_status(5)
	for name, answer := range hostileAnswers() {
		path := t.TempDir() + "/answer"
		require.NoError(t, os.WriteFile(path, packedAnswer(answer(httptest.NewRecorder(), nil)), 0o600))
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$") // #nosec G204 -- this test
		child.Env = append(os.Environ(), readAnswers+"="+name, readAnswers+"_FILE="+path)
		out, err := child.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		found := peak.FindSubmatch(out)
		require.NotNil(t, found, "%s", out)
		used, err := strconv.Atoi(string(found[1]))
		require.NoError(t, err)
		assert.LessOrEqual(t, used<<10, most, name)
		t.Logf("%s: %d MiB, %s", name, used>>10, child.ProcessState.UserTime()+child.ProcessState.SystemTime())
	}
}

// readHostile scans a server that serves what scans need, and gives the same answer to all else.
func readHostile(t *testing.T, name string) {
	t.Helper()
	packed, err := os.ReadFile(os.Getenv(readAnswers + "_FILE"))
	require.NoError(t, err)
	server := newServer(t, fleet(1)...)
	answer := hostileAnswers()[name]
	server.fault = func(w http.ResponseWriter, r *http.Request) bool {
		time.Sleep(2 * farAway) // so that compressed answers are asked for
		if parts := strings.Count(r.URL.Path, "/"); parts <= 2 || parts == 3 && strings.HasPrefix(r.URL.Path, "/apis/") && name != "resources" {
			return false // discovery
		}
		w.Header().Set("Content-Type", "application/json")
		answer(w, r)
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed)
		return true
	}
	_, _, _ = Cluster(t.Context(), connected(t, server.config()), ClusterOptions{
		Needs: need(snapshot.SparkPods, snapshot.SparkApplications, snapshot.Owners), Now: time.Now,
	})
	status, err := os.ReadFile("/proc/self/status") // getrusage(2) would tell of the process that started this one, too
	require.NoError(t, err)
	_, _ = os.Stdout.Write(status)
}
