package archive_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

var update = flag.Bool("update", false, "write testdata anew; only for a new format, for an old one must be read as it is")

func ref(kind, apiVersion, namespace, name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: apiVersion, Kind: kind, Namespace: namespace, Name: name, UID: "uid-" + name}
}

// small is a snapshot of two objects, of which one was fetched again and another is gone.
func small() (*snapshot.Snapshot, []archive.Answer) {
	b := snapshot.NewBuilder(time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC))
	b.FromServer()
	owner := snapshot.OwnerReference{APIVersion: "argoproj.io/v1alpha1", Kind: "Workflow", Name: "nightly", UID: "uid-nightly"}
	app := &snapshot.SparkApplication{Object: snapshot.Object{Ref: ref("SparkApplication", "sparkoperator.k8s.io/v1beta2", "team-a", "etl"),
		Owners: []snapshot.OwnerReference{owner}}, State: "RUNNING"}
	b.Add(snapshot.SparkApplications, app)
	pod := &snapshot.Pod{Object: snapshot.Object{Ref: ref("Pod", "v1", "team-a", "etl-driver"),
		Labels: snapshot.LabelsOf(map[string]string{snapshot.AppNameLabel: "etl", snapshot.RoleLabel: "driver"})}, Phase: "Running"}
	b.Add(snapshot.SparkPods, pod)
	b.Add(snapshot.Owners, &snapshot.Object{Ref: ref("Workflow", "argoproj.io/v1alpha1", "argo", "nightly")})
	for _, v := range []snapshot.View{snapshot.SparkApplications, snapshot.SparkPods, snapshot.Owners} {
		b.Cover(v, snapshot.Coverage{State: snapshot.Complete})
	}
	b.Cover(snapshot.Deployments, snapshot.Coverage{State: snapshot.Unseeable,
		Unseen: []snapshot.Unseen{{Verb: "list", Resource: "deployments.apps", Reason: "forbidden"}}})
	b.CoverOwnerKind(owner.GroupKind(), snapshot.OwnerKind{Served: true, Namespaced: true,
		Coverage: snapshot.Coverage{State: snapshot.Complete}})
	return b.Seal(), []archive.Answer{
		{View: snapshot.SparkApplications, Ref: app.Ref, Record: app},
		{View: snapshot.Owners, Ref: ref("Workflow", "argoproj.io/v1alpha1", "team-a", "nightly")},
		{View: snapshot.SparkPods, Ref: ref("Pod", "v1", "team-a", "other"), Failed: "timed out"},
	}
}

func manifest() archive.Manifest {
	return archive.Manifest{
		Tool: archive.Tool{Version: "0.1.0", Commit: "0123abc"}, Source: archive.Source{Name: "prod", Context: "prod",
			Server: "https://10.0.0.1:6443"},
		Reading: archive.Reading{ConfirmAfter: "1m0s"}, Checks: []string{"SD2001", "SD4001"},
	}
}

func write(t *testing.T) []byte {
	t.Helper()
	s, answers := small()
	var b bytes.Buffer
	_, err := archive.Write(t.Context(), &b, manifest(), s, answers)
	require.NoError(t, err)
	return b.Bytes()
}

// read reads an archive as collect does.
func read(ctx context.Context, packed []byte) (*archive.Archive, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	from := &archive.Limited{R: z}
	in := tar.NewReader(from)
	first, err := in.Next()
	if err != nil {
		return nil, err
	}
	return archive.Read(ctx, new(input.Budget), from, in, first)
}

// file is an entry of an archive.
type file struct {
	tar.Header
	text string
}

// unpack returns the entries of an archive.
func unpack(t *testing.T, packed []byte) []file {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	in := tar.NewReader(z)
	var files []file
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		text, err := io.ReadAll(in)
		require.NoError(t, err)
		files = append(files, file{*h, string(text)})
	}
}

// pack makes an archive of entries, however wrong they are.
func pack(t testing.TB, files []file) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range files {
		h := f.Header
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		h.Size, h.Format, h.PAXRecords = int64(len(f.text)), tar.FormatUnknown, nil
		if h.Typeflag != tar.TypeReg {
			h.Size = 0
		}
		require.NoError(t, w.WriteHeader(&h))
		if h.Size > 0 {
			_, err := w.Write([]byte(f.text))
			require.NoError(t, err)
		}
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	want, answers := small()
	packed := write(t)
	require.True(t, bytes.Equal(packed, write(t)), "the same snapshot gives the same bytes")
	a, err := read(t.Context(), packed)
	require.NoError(t, err)
	require.Empty(t, a.Notes)
	require.Equal(t, want.SparkApplications(), a.Snapshot.SparkApplications())
	require.Equal(t, want.SparkPods(), a.Snapshot.SparkPods())
	require.Equal(t, answers, a.Answers)
	app := a.Snapshot.SparkApplications()[0]
	require.Equal(t, snapshot.CrossNamespace, a.Snapshot.Ownership().Resolve(&app.Object, app.Owners[0]).Verdict)
	require.Equal(t, "forbidden", a.Snapshot.Coverage(snapshot.Deployments).Unseen[0].Reason)
	require.Equal(t, time.Minute, a.Manifest.Reading.Waited())
	for _, f := range unpack(t, packed) {
		require.Equal(t, int64(0o600), f.Mode)
	}
}

// TestFormat1 reads what the first release wrote. The text in testdata never changes.
func TestFormat1(t *testing.T) {
	const path = "testdata/format1.txtar"
	if *update {
		a := &txtar.Archive{Comment: []byte("An archive of format 1, as text.\n")}
		for _, f := range unpack(t, write(t)) {
			a.Files = append(a.Files, txtar.File{Name: f.Name, Data: []byte(f.text)})
		}
		require.NoError(t, os.WriteFile(path, txtar.Format(a), 0o600))
	}
	text, err := txtar.ParseFile(path)
	require.NoError(t, err)
	var files []file
	for _, f := range text.Files {
		files = append(files, file{tar.Header{Name: f.Name}, string(f.Data)})
	}
	a, err := read(t.Context(), pack(t, files))
	require.NoError(t, err)
	require.Equal(t, "etl", a.Snapshot.SparkApplications()[0].Name)
	require.Equal(t, "RUNNING", a.Snapshot.SparkApplications()[0].State)
	require.Equal(t, "etl", a.Snapshot.SparkPods()[0].Labels.Get(snapshot.AppNameLabel))
	require.Len(t, a.Answers, 3)
	require.Equal(t, snapshot.NotSaved, a.Snapshot.Coverage(snapshot.Namespaces).Unseen[0].Reason)
}

// TestOfOtherBuilds holds what happens to what this build does not know.
func TestOfOtherBuilds(t *testing.T) {
	files := unpack(t, write(t))
	files = append(files, file{tar.Header{Name: "dreams/0001.jsonl"}, "{}\n"})
	files[0].text = strings.Replace(files[0].text, `{`, `{"mood":"good",`, 1)
	files[1].text = strings.Replace(files[1].text, `{`, `{"Mood":"good",`, 1)
	a, err := read(t.Context(), pack(t, files))
	require.NoError(t, err)
	require.Equal(t, []string{
		`1 entries are not known to this build, the first is "dreams/0001.jsonl"`, "owners: saved with fields that this build does not know",
	}, slices.Sorted(slices.Values(a.Notes)))

	files[0].text = strings.Replace(files[0].text, `"format":1`, `"format":2`, 1)
	_, err = read(t.Context(), pack(t, files))
	require.EqualError(t, err, "it was written by sparkdoctor 0.1.0 in format 2, and this build reads up to format 1")
	files[0].text = `{"kind":"SnapshotArchive","format":2,"tool":{"version":"9.9.9"},"snapshot":"of another shape"}`
	_, err = read(t.Context(), pack(t, files))
	require.EqualError(t, err, "it was written by sparkdoctor 9.9.9 in format 2, and this build reads up to format 1")
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, answers := small()
	_, err := archive.Write(ctx, io.Discard, manifest(), s, answers)
	require.ErrorIs(t, err, context.Canceled)
	_, err = read(ctx, write(t))
	require.ErrorIs(t, err, context.Canceled)
}

// FuzzRead holds that no archive makes the reader panic, and that an error is one line.
func FuzzRead(f *testing.F) {
	text, err := txtar.ParseFile("testdata/format1.txtar")
	require.NoError(f, err)
	for i := range text.Files {
		f.Add(text.Files[i].Name, text.Files[i].Data, i)
	}
	f.Fuzz(func(t *testing.T, name string, content []byte, at int) {
		defer allocated.Bound(t, len(content))()
		var files []file
		for i, one := range text.Files {
			if i == at {
				one.Name, one.Data = name, content
			}
			files = append(files, file{tar.Header{Name: one.Name}, string(one.Data)})
		}
		if strings.ContainsRune(name, 0) || name == "" || strings.HasSuffix(name, "/") {
			return // the writer of the test takes none
		}
		a, err := read(t.Context(), pack(t, files))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotNil(t, a.Snapshot)
	})
}
