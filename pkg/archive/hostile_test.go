package archive_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
)

func TestHostile(t *testing.T) {
	good := write(t)
	records := slices.IndexFunc(unpack(t, good), func(f file) bool { return strings.HasPrefix(f.Name, "records/sparkapplications") })
	changed := func(change func([]file) []file) []byte { return pack(t, change(unpack(t, good))) }
	more := func(h tar.Header) []byte {
		return changed(func(f []file) []file { return append(f, file{h, "x"}) })
	}
	in := func(at int, from, to string) []byte {
		return changed(func(f []file) []file {
			require.Contains(t, f[at].text, from)
			f[at].text = strings.Replace(f[at].text, from, to, 1)
			return f
		})
	}
	for name, c := range map[string]struct {
		packed []byte
		want   string
	}{
		"a name that climbs":         {more(tar.Header{Name: "records/../../../etc/passwd"}), "has a name that leads elsewhere"},
		"a name that climbs at once": {more(tar.Header{Name: "../x"}), "has a name that leads elsewhere"},
		"an absolute name":           {more(tar.Header{Name: "/etc/passwd"}), "has a name that leads elsewhere"},
		"a name of Windows":          {more(tar.Header{Name: `C:\x`}), "has a name that leads elsewhere"},
		"a symbolic link": {more(tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}),
			`entry "l" is not a regular file`},
		"a hard link":       {more(tar.Header{Name: "l", Typeflag: tar.TypeLink, Linkname: "x"}), `entry "l" is not a regular file`},
		"a device":          {more(tar.Header{Name: "d", Typeflag: tar.TypeBlock}), `entry "d" is not a regular file`},
		"a pipe":            {more(tar.Header{Name: "p", Typeflag: tar.TypeFifo}), `entry "p" is not a regular file`},
		"a directory":       {more(tar.Header{Name: "d/", Typeflag: tar.TypeDir}), `entry "d/" is not a regular file`},
		"a view twice":      {in(0, `"views":[`, `"views":[{"view":"dreams"},{"view":"dreams"},`), `view "dreams" is there twice`},
		"an entry twice":    {changed(func(f []file) []file { return append(f, f[records]) }), "is there twice"},
		"a second manifest": {changed(func(f []file) []file { return append(f, f[0]) }), "is there twice"},
		"records that are missing": {changed(func(f []file) []file { return slices.Delete(f, records, records+1) }),
			"0 records of sparkapplications.sparkoperator.k8s.io instead of 1"},
		"answers that are missing": {changed(func(f []file) []file { return f[:len(f)-1] }), "0 answers instead of 3"},
		"records that are no JSON": {in(records, "{", "<"), "line 1: byte 0: "},
		"a record of another kind": {in(records, `"kind":"SparkApplication"`, `"kind":"Pod"`),
			`line 1: a record is a "Pod.sparkoperator.k8s.io"`},
		"a record of another shape": {in(records, `"State":"RUNNING"`, `"State":{"a":1}`),
			"line 1: State is an object, which does not belong there"},
		"a record without a name":    {in(records, `"name":"etl",`, ``), "line 1: a record has no name"},
		"a manifest that is no JSON": {in(0, "{", "<"), "sparkdoctor-snapshot.json is not the JSON that it should be"},
		"a manifest of something else": {in(0, `"kind":"SnapshotArchive"`, `"kind":"Backup"`),
			`sparkdoctor-snapshot.json is of kind "Backup", not SnapshotArchive`},
		"a manifest without a format": {in(0, `"format":1,`, ``), "sparkdoctor-snapshot.json names no format"},
		"a manifest without a time":   {in(0, `"takenAt":"2026-11-21T03:00:00Z",`, ``), "does not say when it was taken"},
		"a state that there is not":   {in(0, `"state":"complete"`, `"state":"perfect"`), "is not the JSON that it should be: "},
		"a view that is not declared": {in(0, `"view":"owners"`, `"view":"dreams"`), ""},
		"gzip that is cut short":      {good[:len(good)-9], "unexpected EOF"},
		"a wrong checksum":            {append(slices.Clone(good[:len(good)-8]), 1, 2, 3, 4, 5, 6, 7, 8), "invalid checksum"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := read(t.Context(), c.packed)
			if c.want == "" {
				require.NoError(t, err)
				require.NotEmpty(t, a.Notes)
				return
			}
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// endless is a tar that declares or holds more than it may.
type endless struct{ fill func(w *tar.Writer) error }

func (e endless) read(t *testing.T) error {
	t.Helper()
	r, w := io.Pipe()
	go func() {
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		out := tar.NewWriter(z)
		first := unpack(t, write(t))[0]
		_ = out.WriteHeader(&tar.Header{Name: first.Name, Size: int64(len(first.text)), Typeflag: tar.TypeReg})
		_, _ = out.Write([]byte(first.text))
		err := e.fill(out)
		_ = z.Close()
		_ = w.CloseWithError(err)
	}()
	defer r.Close() //nolint:errcheck // a pipe
	z, err := gzip.NewReader(r)
	require.NoError(t, err)
	from := &archive.Limited{R: z}
	in := tar.NewReader(from)
	h, err := in.Next()
	require.NoError(t, err)
	_, err = archive.ReadSmall(t.Context(), from, in, h)
	return err
}

func TestBombs(t *testing.T) {
	require.ErrorContains(t, endless{func(w *tar.Writer) error {
		return w.WriteHeader(&tar.Header{Name: "records/x-0001.jsonl", Size: 1 << 40, Typeflag: tar.TypeReg})
	}}.read(t), "declares 1099511627776 bytes")

	line := bytes.Repeat([]byte(`{"kind":"SparkApplication","apiVersion":"sparkoperator.k8s.io/v1beta2","name":"a","Owners":[`+
		strings.Repeat("{},", 1000)+"{}]}\n"), 50)
	require.ErrorContains(t, endless{func(w *tar.Writer) error {
		for i := range 100 {
			if err := w.WriteHeader(&tar.Header{Name: fmt.Sprintf("records/sparkapplications.sparkoperator.k8s.io-%04d.jsonl", i),
				Size: int64(len(line)), Typeflag: tar.TypeReg}); err != nil {
				return err
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return w.Close()
	}}.read(t), "it holds more than 32 MiB")
	zeros := make([]byte, 1<<20)
	require.ErrorContains(t, endless{func(w *tar.Writer) error {
		for i := range 1000 {
			if err := w.WriteHeader(&tar.Header{Name: fmt.Sprintf("unknown-%d", i), Size: int64(len(zeros)), Typeflag: tar.TypeReg}); err != nil {
				return err
			}
			if _, err := w.Write(zeros); err != nil {
				return err
			}
		}
		return w.Close()
	}}.read(t), "it holds more than 32 MiB")
}
