package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/template"
)

// writeManifest fills in the template of krew's manifest for the archives in a directory that goreleaser wrote, into
// krew/ below it. It is what krew-release-bot does with those that were published (pkg/source/template.go@v0.0.51).
func writeManifest(file, dist string) error {
	tag, err := tagOf(filepath.Join(dist, "metadata.json"))
	if err != nil {
		return err
	}
	sums, err := checksums(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		return err
	}
	text, err := manifest(file, tag, sums)
	if err != nil {
		return err
	}
	into := filepath.Join(dist, "krew", filepath.Base(file))
	if err := os.MkdirAll(filepath.Dir(into), 0o755); err != nil { // #nosec G301 -- for all users to read
		return err
	}
	return os.WriteFile(into, text, 0o644) // #nosec G306 -- for all users to read
}

// manifest fills in the template for a tag. An archive without a checksum is an error.
func manifest(file, tag string, sums map[string]string) ([]byte, error) {
	values := struct{ TagName string }{tag}
	t, err := template.New(filepath.Base(file)).Funcs(template.FuncMap{
		"addURIAndSha": func(url, tag string) (string, error) {
			url = strings.ReplaceAll(url, "{{ .TagName }}", tag)
			sum, known := sums[path.Base(url)]
			if !known {
				return "", fmt.Errorf("no checksum of %s", path.Base(url))
			}
			return fmt.Sprintf("uri: %s\n    sha256: %s", url, sum), nil
		},
	}).ParseFiles(file)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, values)
	return b.Bytes(), err
}

// tagOf reads the version that goreleaser built.
func tagOf(metadata string) (string, error) {
	text, err := os.ReadFile(metadata)
	if err != nil {
		return "", err
	}
	var m struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return "", fmt.Errorf("%s: %w", metadata, err)
	}
	if m.Version == "" {
		return "", fmt.Errorf("%s names no version", metadata)
	}
	return "v" + m.Version, nil
}

// checksums reads "SHA256  NAME" lines.
func checksums(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if sum, name, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			sums[name] = sum
		}
	}
	return sums, nil
}
