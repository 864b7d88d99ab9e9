package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	frozenList    = "testdata/frozen.txt"    // a line an output: hash, command, key; in order of keys
	frozenArchive = "testdata/frozen.tar.gz" // in order of commands, so that what is alike stands together
)

// sorted returns the outputs in order of commands, then keys.
func sorted[T any](outputs map[output]T) []output {
	list := make([]output, 0, len(outputs))
	for o := range outputs {
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b output) int { return cmp.Or(cmp.Compare(a.command, b.command), cmp.Compare(a.key, b.key)) })
	return list
}

func readHashes(t *testing.T) map[output]string {
	t.Helper()
	text, err := os.ReadFile(frozenList)
	if errors.Is(err, os.ErrNotExist) && os.Getenv("UPDATE_FROZEN") != "" {
		return nil
	}
	require.NoError(t, err)
	hashes := map[output]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		require.Len(t, fields, 3, line)
		hashes[output{fields[1], fields[2]}] = fields[0]
	}
	return hashes
}

func readArchive(t *testing.T) map[output]string {
	t.Helper()
	file, err := os.Open(frozenArchive)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	outputs := map[output]string{}
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return outputs
		}
		require.NoError(t, err)
		text, err := io.ReadAll(files)
		require.NoError(t, err)
		command, key, _ := strings.Cut(header.Name, "/")
		outputs[output{command, key}] = string(text)
	}
}

// writeFrozen writes the list and the archive, the same bytes for the same outputs.
func writeFrozen(t *testing.T, outputs map[output]string) {
	t.Helper()
	var zipped bytes.Buffer
	zip, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	require.NoError(t, err)
	files := tar.NewWriter(zip)
	list := sorted(outputs)
	for _, o := range list {
		require.NoError(t, files.WriteHeader(&tar.Header{Name: o.path(), Mode: 0o644, Size: int64(len(outputs[o])), Format: tar.FormatPAX}))
		_, err := io.WriteString(files, outputs[o])
		require.NoError(t, err)
	}
	require.NoError(t, files.Close())
	require.NoError(t, zip.Close())
	require.NoError(t, os.WriteFile(frozenArchive, zipped.Bytes(), 0o600))
	var lines strings.Builder
	slices.SortStableFunc(list, func(a, b output) int { return cmp.Compare(a.key, b.key) })
	for _, o := range list {
		fmt.Fprintf(&lines, "%s %s %s\n", hash(outputs[o]), o.command, o.key)
	}
	require.NoError(t, os.WriteFile(frozenList, []byte(lines.String()), 0o600))
}
