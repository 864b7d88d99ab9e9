package signatures_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/signatures"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

const text = "apiVersion: sparkdoctor.io/v1alpha1\nkind: Signatures\nsignatures:\n- {id: ID, class: image, message: wrong image, " +
	"says: it is ID, next: [x], examples: [wrong image]}\n"

// TestRead: files come in the order in which they are named, those of a directory by their names; what is no YAML there is left alone.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, id := range map[string]string{"b.yaml": "b", "a.yml": "a", "c.json": "c"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "ID", id)), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d.yaml"), 0o700))
	set, err := signatures.Read(t.Context(), filepath.Join(dir, "c.json"), dir)
	require.NoError(t, err)
	var ids []string
	for _, s := range set.Signatures() {
		ids = append(ids, s.ID)
	}
	require.Equal(t, []string{"c", "a", "b"}, ids)
	none, err := signatures.Read(t.Context())
	require.NoError(t, err)
	require.Empty(t, none.Signatures())
}

func TestReadFails(t *testing.T) {
	dir := t.TempDir()
	_, err := signatures.Read(t.Context(), filepath.Join(dir, "gone"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = signatures.Read(t.Context(), dir)
	require.ErrorContains(t, err, "has no *.yaml or *.yml")
	large := filepath.Join(dir, "large.yaml")
	require.NoError(t, os.WriteFile(large, make([]byte, 64*catalog.MaxFile), 0o600))
	_, err = signatures.Read(t.Context(), large)
	require.ErrorContains(t, err, "large.yaml is larger than 1 MiB")
}
