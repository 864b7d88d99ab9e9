package apply

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable/durabletest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// severalApplications are alike but for their names.
func severalApplications(n int) (map[string]string, []fix.Intent) {
	objects, intents := map[string]string{}, []fix.Intent{}
	for i := range n {
		ref := etl()
		ref.Name, ref.UID = fmt.Sprintf("etl-%d", i), fmt.Sprintf("u-%d", i)
		text := strings.ReplaceAll(etlObject()[appPath], `"name":"etl","uid":"u"`, fmt.Sprintf(`"name":%q,"uid":%q`, ref.Name, ref.UID))
		objects[strings.TrimSuffix(appPath, "etl")+ref.Name] = text
		intents = append(intents, fix.PruneExecutorState{Application: ref, Submission: "s"})
	}
	return objects, intents
}

// TestRecordOnAFullDisk: however little fits on the disk, a record can be read, and its undo takes back exactly what was sent.
func TestRecordOnAFullDisk(t *testing.T) {
	objects, intents := severalApplications(3)
	_, c := newServer(t, objects)
	p := planned(t, c, intents...)
	record := func(sent *[]string) func(*Journal) {
		return func(j *Journal) {
			for _, f := range p.Fixes {
				number, err := j.Begin(f, f.Steps[0], at)
				if err != nil {
					continue
				}
				*sent = append(*sent, f.Steps[0].Target.Name)
				_ = j.End(number, f.ID, plan.Written, nil, at)
			}
		}
	}
	var all []string
	whole := recordedWith(t, p, &durabletest.Full{Room: 1 << 20}, record(&all))
	require.Equal(t, all, takenBack(t, whole))
	require.Len(t, all, 3)
	for _, late := range []bool{false, true} {
		for room := range int64(len(whole)) + 1 {
			var sent []string
			text := recordedWith(t, p, &durabletest.Full{Room: room, Late: late, Err: durabletest.Errors()[room%3]}, record(&sent))
			require.Equal(t, sent, takenBack(t, text), "room for %d", room)
		}
	}
}

// takenBack are the applications that the undo of a record writes, in the order of the record.
func takenBack(t *testing.T, text []byte) []string {
	t.Helper()
	if text == nil {
		return nil
	}
	record, err := plan.ReadRecord(bytes.NewReader(text))
	require.NoError(t, err, "%s", text)
	require.False(t, record.Torn)
	back, left := record.Undo("test")
	require.Empty(t, left)
	var named []string
	for _, b := range back {
		named = append(named, fix.TraitsOf(b.Intent).Target.Name)
	}
	slices.Reverse(named)
	return named
}

// TestNothingIsSentWithoutItsLine: what is not in the record was not written to the cluster.
func TestNothingIsSentWithoutItsLine(t *testing.T) {
	objects, intents := severalApplications(3)
	for _, room := range []int64{0, 100, 1000, 1500, 2000, 2500, 3000} {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			s, c := newServer(t, objects)
			p := planned(t, c, intents...)
			text := recordedWith(t, p, &durabletest.Full{Room: room, Err: syscall.ENOSPC}, func(j *Journal) {
				r := &Runner{Client: c, Journal: j, Now: func() time.Time { return at }}
				r.Run(t.Context(), p, all)
				for _, o := range r.Outcomes(p) {
					require.True(t, o.Status == Applied || strings.Contains(o.Reason, "record"), "%s: %s", o.Status, o.Reason)
				}
			})
			var written []string
			for _, line := range s.writes() {
				name, _, _ := strings.Cut(line[strings.LastIndex(line, "/etl-")+1:], "/")
				written = append(written, name)
			}
			named := takenBack(t, text)
			slices.Sort(written)
			slices.Sort(named)
			require.Equal(t, written, named)
		})
	}
}

// recordedWith writes the record of a plan and returns it; nil: there is none.
func recordedWith(t *testing.T, p plan.Plan, disk durable.Disk, write func(*Journal)) []byte {
	t.Helper()
	dir := t.TempDir()
	j, err := NewJournal(dir, plan.HeaderOf(p, at, "test"))
	require.NoError(t, err)
	j.files.Disk = disk
	write(j)
	require.NoError(t, j.Close())
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	if j.Path() == "" {
		require.Empty(t, files)
		return nil
	}
	require.Equal(t, []string{j.Path()}, files)
	text, err := os.ReadFile(j.Path())
	require.NoError(t, err)
	return text
}

// TestTornRecord: a record that ends anywhere behind its first line is read, and says that its last line is not whole; what a crash left
// of the last line may be zeros, too.
func TestTornRecord(t *testing.T) {
	objects, intents := severalApplications(2)
	_, c := newServer(t, objects)
	p := planned(t, c, intents...)
	text := recordedWith(t, p, nil, func(j *Journal) {
		r := &Runner{Client: c, Journal: j, Now: func() time.Time { return at }}
		r.Run(t.Context(), p, all)
	})
	head := bytes.IndexByte(text, '\n') + 1
	last := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
	for end := range len(text) + 1 {
		record, err := plan.ReadRecord(bytes.NewReader(text[:end]))
		if end < head {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, "%d bytes", end)
		require.Equal(t, text[end-1] != '\n', record.Torn, "%d bytes", end)
		require.Len(t, record.Entries, bytes.Count(text[head:end], []byte("\n")))
		if end <= last || end == len(text) {
			continue
		}
		for _, tail := range []string{"", "\n"} { // a block of the line was never written
			zeros := slices.Concat(text[:end], make([]byte, len(text)-end), []byte(tail))
			record, err = plan.ReadRecord(bytes.NewReader(zeros))
			require.NoError(t, err, "%d bytes", end)
			require.True(t, record.Torn)
			require.Len(t, record.Entries, bytes.Count(text[head:last], []byte("\n")))
		}
	}
	record, err := plan.ReadRecord(bytes.NewReader(text[:len(text)-3]))
	require.NoError(t, err)
	back, _ := record.Undo("test")
	require.Len(t, back, 2, "the request without an end may have been carried out")
}
