package manifests

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// most is what reading an input of at most 1 MiB may take, and readInput names the file to read in a process of its own.
const (
	most      = 256 << 20
	readInput = "SPARKDOCTOR_TEST_INPUT"
)

// shapes write a value of about so many bytes in JSON that takes much more memory than its text, or much work.
func shapes() map[string]func(size int) string {
	many := func(open, unit, end string) func(int) string {
		return func(size int) string { return open + strings.Repeat(unit, size/len(unit)) + end }
	}
	return map[string]func(int) string{
		"small maps": many("[", `{"a":1},`, "1]"), "empty maps": many("[", "{},", "{}]"), "lists": many("[", "[],", "[]]"),
		"line breaks": many("[", "\n", "1]"), "a long string": many(`"`, "x", `"`), "equal keys": many("{", `"a":{},`, `"a":1}`),
		"a long number": many("", "1", "1"), "secrets": many(`"`, "secret: ", `"`), "texts": many("[", `"",`, `""]`),
		"nested maps":  func(size int) string { return nested(`{"a":`, "}", min(size/6, 5000)) },
		"nested lists": func(size int) string { return nested("[", "]", min(size/2, 5000)) },
	}
}

func nested(open, end string, depth int) string {
	return strings.Repeat(open, depth) + "1" + strings.Repeat(end, depth)
}

// hosts put a value where readers keep it, or look at it.
func hosts() map[string]string {
	return map[string]string{
		"arguments": `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"etl","namespace":"a"},` +
			`"spec":{"arguments":VALUE}}`,
		"ownerReferences": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"etl-driver","namespace":"a","ownerReferences":VALUE,` +
			`"labels":{"sparkoperator.k8s.io/launched-by-spark-operator":"true"}}}`,
		"containers": `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"o","namespace":"a"},` +
			`"spec":{"template":{"spec":{"containers":VALUE}}}}`,
		"items": `{"apiVersion":"v1","kind":"List","items":VALUE}`,
	}
}

// hostile are inputs of at most 1 MiB, by what they are.
func hostile(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	add := func(name string, text []byte) {
		if len(text) <= 1<<20 {
			out[name] = text
		}
	}
	for shape, value := range shapes() {
		for host, object := range hosts() {
			of := func(size int) []byte { return []byte(strings.Replace(object, "VALUE", value(size), 1)) }
			add(shape+" in "+host+".json.gz", zipped(t, of(16<<20)))
			add(shape+" in "+host+".yaml.gz", zipped(t, append([]byte("# YAML\n"), of(3<<20)...)))
			if host == "arguments" {
				add(shape+".json", of(900<<10))
				add(shape+".yaml", append([]byte("# YAML\n"), of(900<<10)...))
			}
		}
	}
	head := "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n"
	for name, text := range map[string]string{
		"a list in block style": head + strings.Repeat("- a: b\n", 1<<20), "dashes": head + "  " + strings.Repeat("- ", 4<<20) + "a\n",
		"blank lines": head + strings.Repeat("\n", 24<<20), "documents": strings.Repeat("---\n"+head, 200_000),
		"aliases": head + "  x: &x [" + strings.Repeat("{},", 1000) + "1]\n  y: [" + strings.Repeat("*x,", 390) + "1]\n",
		"zeros":   strings.Repeat("\x00", 200<<20),
	} {
		add(name+".yaml.gz", zipped(t, []byte(text)))
	}
	owned := snapshot.Pod{Object: snapshot.Object{Owners: make([]snapshot.OwnerReference, 1000)}}
	add("an archive of pods.tgz", archived(t, snapshot.Pod{}, 120_000))
	add("an archive of pods with owners.tgz", archived(t, owned, 4000))
	logs := map[string]int{"small files": 40_000, "large files": 20}
	for name, count := range logs {
		for _, pod := range []string{"etl-driver", "other"} {
			add(name+" of "+pod+".tgz", logFiles(t, pod, count, (24<<20)/count))
		}
	}
	return out
}

func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	require.NoError(t, err)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// archived packs an archive with copies of a pod.
func archived(t *testing.T, pod snapshot.Pod, count int) []byte {
	t.Helper()
	b := snapshot.NewBuilder(later)
	b.FromServer()
	for i := range count {
		one := pod
		one.Ref = snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: strconv.FormatUint(uint64(i)*2654435761%(1<<32), 36)}
		b.Add(snapshot.SparkPods, &one)
	}
	b.Cover(snapshot.SparkPods, snapshot.Coverage{State: snapshot.Complete})
	var out bytes.Buffer
	_, err := archive.Write(t.Context(), &out, archive.Manifest{Tool: archive.Tool{Version: "1"}, Checks: []string{"SD2001"}}, b.Seal(), nil)
	require.NoError(t, err)
	return out.Bytes()
}

// logFiles packs logs of containers of a pod, beside the pod of an application.
func logFiles(t *testing.T, pod string, count, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	write := func(name, text string) {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Typeflag: tar.TypeReg}))
		_, err := w.Write([]byte(text))
		require.NoError(t, err)
	}
	write("pod.json", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"etl-driver","namespace":"a"}}`)
	line := "INFO secret: a token: b\n"
	for i := range count {
		write("a_"+pod+"_c"+strings.Repeat("x", i%50)+".log", strings.Repeat(line, max(1, size/len(line))))
	}
	require.NoError(t, w.Close())
	return zipped(t, b.Bytes())
}

// TestSmallInputTakesLittleMemory reads each of them in a process of its own and holds its peak against the bound.
func TestSmallInputTakesLittleMemory(t *testing.T) {
	if path := os.Getenv(readInput); path != "" {
		_, _, _ = Read(t.Context(), Options{Paths: []string{path}, Now: later, SkipUnreadable: true,
			InFull: func(*snapshot.Whole) bool { return true }})
		status, err := os.ReadFile("/proc/self/status") // getrusage(2) would tell of the process that started this one, too
		require.NoError(t, err)
		_, _ = os.Stdout.Write(status)
		return
	}
	if !sampling.Nightly() || sampling.Raced() { // the race detector takes several times the memory
		t.Skip("make test-slow runs it: each input is read in a process of its own")
	}
	dir, peak := t.TempDir(), regexp.MustCompile(`VmHWM:\s+(\d+) kB`) // proc_pid_status(5)
	inputs := hostile(t)
	require.Greater(t, len(inputs), 100)
	for name, text := range inputs {
		path := dir + "/" + strings.ReplaceAll(name, " ", "-")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$") // #nosec G204 -- this test
		child.Env = append(os.Environ(), readInput+"="+path)
		out, err := child.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		found := peak.FindSubmatch(out)
		require.NotNil(t, found, "%s", out)
		used, err := strconv.Atoi(string(found[1]))
		require.NoError(t, err)
		assert.LessOrEqual(t, used<<10, most, "%s, %d bytes", name, len(text))
		t.Logf("%s: %d KiB, %d MiB, %s", name, len(text)>>10, used>>10, child.ProcessState.UserTime()+child.ProcessState.SystemTime())
		require.NoError(t, os.Remove(path))
	}
}
