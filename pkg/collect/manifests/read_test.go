package manifests

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const appA = "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: a, namespace: ns}\n"

// later is when the files are read, long after they were made.
var later = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// tree writes files into a new directory and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

func tarred(t *testing.T, files ...[2]string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: f[0], Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(f[1]))}))
		_, err := w.Write([]byte(f[1]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String()
}

// names returns the names of the applications that were read.
func names(s *snapshot.Snapshot) []string {
	out := []string{}
	for _, a := range s.SparkApplications() {
		out = append(out, a.Name)
	}
	return out
}

func app(name string) string { return strings.Replace(appA, "name: a", "name: "+name, 1) }

func TestFiles(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/app.yaml" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(appA))
	}))
	t.Cleanup(server.Close)
	withPassword := strings.Replace(server.URL, "http://", "http://me:secret@", 1)
	dir := tree(t, map[string]string{
		"app.yaml": appA, "apps/b.yml": app("b"), "apps/c.JSON": `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"c","namespace":"ns"}}`,
		"apps/deep/d.yaml": app("d"), "apps/notes.txt": "not: [read",
		"app.yaml.gz": gzipped(t, appA),
		"apps.tar.gz": gzipped(t, tarred(t, [2]string{"x/b.yaml", app("b")}, [2]string{"x/._b.yaml", "\x00"},
			[2]string{"x/c.yaml.gz", gzipped(t, app("c"))}, [2]string{"README", "{"})),
		"apps.tar":      tarred(t, [2]string{"b.yaml", app("b")}),
		"empty.tgz":     gzipped(t, tarred(t, [2]string{"README", "x"})),
		"empty.yaml":    "",
		"comment.yaml":  "# nothing\n---\n",
		"values.yaml":   appA + "---\nreplicas: 1\n",
		"text.yaml":     "hello\n",
		"quoted.yaml":   appA + "---\n" + strings.ReplaceAll(appA, "name: a", `name: "{{ .Release.Name }}-etl"`),
		"argo.yaml":     strings.ReplaceAll(appA, "name: a", `name: b, annotations: {for: "{{ .Values.later }} {{workflow.name}}"}`),
		"values/a.yaml": appA, "values/values.yaml": "replicas: 1\n", "values/empty.yaml": "",
		"none/values.yaml": "replicas: 1\n",
		"dir/sub/a.yaml":   appA,
		"bad/a.yaml":       appA + "---\nx: y: z\n",
		"cut.yaml.gz":      gzipped(t, strings.Repeat(appA+"---\n", 100))[:60],
		"cut.json.gz":      gzipped(t, `{"apiVersion":"v1","kind":"A","x":"`+strings.Repeat("yz", 500)+`"}`)[:60],
		"bomb.gz":          gzipped(t, gzipped(t, gzipped(t, gzipped(t, gzipped(t, appA))))),
		"binary.yaml":      "\x00\x01",
	})
	require.NoError(t, os.Symlink(filepath.Join(dir, "apps"), filepath.Join(dir, "link")))
	for name, c := range map[string]struct {
		paths     string
		recursive bool
		want      []string
		fails     string // the whole error, DIR for the directory
	}{
		"file":                   {paths: "DIR/app.yaml", want: []string{"a"}},
		"directory":              {paths: "DIR/apps", want: []string{"b", "c"}},
		"directory, recursive":   {paths: "DIR/apps", recursive: true, want: []string{"b", "c", "d"}},
		"link to a directory":    {paths: "DIR/link", recursive: true, want: []string{"b", "c", "d"}},
		"stdin":                  {paths: "-", want: []string{"stdin"}},
		"several":                {paths: "DIR/app.yaml DIR/apps -", want: []string{"a", "b", "c", "stdin"}},
		"URL":                    {paths: server.URL + "/app.yaml", want: []string{"a"}},
		"URL with a password":    {paths: withPassword + "/app.yaml", want: []string{"a"}},
		"gzip":                   {paths: "DIR/app.yaml.gz", want: []string{"a"}},
		"tar.gz":                 {paths: "DIR/apps.tar.gz", want: []string{"b", "c"}},
		"tar":                    {paths: "DIR/apps.tar", want: []string{"b"}},
		"not all of a directory": {paths: "DIR/values", want: []string{"a"}},
		"missing":                {paths: "DIR/no.yaml", fails: "DIR/no.yaml: no such file or directory"},
		"empty directory": {paths: "DIR/dir", fails: "DIR/dir: the directory holds no .yaml, .yml, .json, .gz or .tgz file (-R " +
			"looks into subdirectories)"},
		"directory without objects":    {paths: "DIR/none", fails: "DIR/none: no Kubernetes object found"},
		"empty file":                   {paths: "DIR/empty.yaml", fails: "DIR/empty.yaml: no Kubernetes object found"},
		"empty file beside a full one": {paths: "DIR/app.yaml DIR/comment.yaml", fails: "DIR/comment.yaml: no Kubernetes object found"},
		"archive without files":        {paths: "DIR/empty.tgz", fails: "DIR/empty.tgz: the archive holds no .yaml, .yml or .json file"},
		"no object in a named file": {paths: "DIR/values.yaml",
			fails: "DIR/values.yaml: document 2, line 5: not a Kubernetes object: it has no apiVersion or no kind"},
		"templates for others": {paths: "DIR/argo.yaml", want: []string{"b"}},
		"a template in quotes": {paths: "DIR/quoted.yaml", fails: "DIR/quoted.yaml: document 2, line 5: the object's name is a template " +
			"(this looks like a Helm template; render it first with helm template, and pass the output)"},
		"text": {paths: "DIR/text.yaml",
			fails: "DIR/text.yaml: document 1, line 1: not a Kubernetes object: it has no apiVersion or no kind"},
		"unparsable in a directory": {paths: "DIR/bad", fails: "DIR/bad/a.yaml: document 2, line 5: not valid YAML: mapping values are " +
			"not allowed in this context"},
		"binary":                 {paths: "DIR/binary.yaml", fails: "DIR/binary.yaml: is a binary file, neither YAML nor JSON"},
		"gzip cut short":         {paths: "DIR/cut.yaml.gz", fails: "DIR/cut.yaml.gz: reading: not valid gzip: unexpected EOF"},
		"gzip cut short in JSON": {paths: "DIR/cut.json.gz", fails: "DIR/cut.json.gz: reading: not valid gzip: unexpected EOF"},
		"gzip of gzip of gzip":   {paths: "DIR/bomb.gz", fails: "DIR/bomb.gz: archives are nested more than 4 deep"},
		"URL that is not there":  {paths: server.URL + "/no", fails: server.URL + "/no: the server answered 404 Not Found"},
		"URL with a password, not there": {paths: withPassword + "/no",
			fails: strings.Replace(withPassword, "me:secret", "[redacted]", 1) + "/no: the server answered 404 Not Found"},
		"URL that is none": {paths: "http://me:secret@host:x/", fails: "-f has an invalid URL"},
	} {
		t.Run(name, func(t *testing.T) {
			s, in, err := Read(t.Context(), Options{
				Paths: strings.Fields(strings.ReplaceAll(c.paths, "DIR", dir)), Recursive: c.recursive, Stdin: strings.NewReader(app("stdin")),
				Now: later,
			})
			if c.fails != "" {
				require.EqualError(t, err, strings.ReplaceAll(c.fails, "DIR", dir))
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, names(s))
			require.Equal(t, len(c.want), in.Objects)
			for _, f := range in.Files {
				require.NotContains(t, f, "secret")
			}
		})
	}
}

func TestFilesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	endless := readerFunc(func(p []byte) (int, error) {
		cancel()
		return copy(p, "---\n"+appA), nil
	})
	_, _, err := Read(ctx, Options{Paths: []string{"-"}, Stdin: endless, Now: later})
	require.ErrorIs(t, err, context.Canceled)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
