package catalog

import (
	"bytes"
	"embed"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// subjects are the files of the built-in set in the order of its signatures, the most specific first: of two that fit the same message,
// the first is meant.
func subjects() []string {
	return []string{
		"catalogs", "s3a", "abfs", "gcs", "hdfs", "ivy", "python", "connectors", "jdbc", "classes", "disk", "memory", "gpu", "executors",
		"kubernetes", "network", "kerberos", "metastore", "tables", "kafka", "streaming", "formats", "sql", "context", "entrypoints", "process",
	}
}

// Builtin returns the signatures that are part of the program, as far as matching needs them. They are decoded when they are first asked
// for.
func Builtin() *Set { return decoded() }

var decoded = sync.OnceValue(func() *Set { return newSet(read(undocumented)) }) //nolint:gochecknoglobals // made once, never changed

// Documented returns them with their sources, examples and look-alikes, which are two thirds of the text: tests compare them.
func Documented() []Signature { return read(asWritten) }

func asWritten(text []byte) []byte { return text }

func read(form func(text []byte) []byte) []Signature {
	var all []Signature
	for _, subject := range subjects() {
		all = append(all, ofSubject(subject, form)...)
	}
	return all
}

// ofSubject panics where a file cannot be read: a test reads all of them.
func ofSubject(subject string, form func(text []byte) []byte) []Signature {
	text, err := builtin.ReadFile("builtin/" + subject + ".yaml")
	if err != nil {
		panic(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(form(text)))
	d.KnownFields(true)
	var f signatures
	if err := d.Decode(&f); err != nil {
		panic(subject + ": " + err.Error())
	}
	return f.Signatures
}

// undocumented leaves out what a signature is documented with: YAML takes long to decode. The files are ours, with a key of an entry two
// columns in; a test compares what is left.
func undocumented(text []byte) []byte {
	out := make([]byte, 0, len(text)/2)
	left := false
	for line := range bytes.Lines(text) {
		entry := bytes.HasPrefix(line, []byte("- "))
		key := len(line) > 2 && line[0] == ' ' && line[1] == ' ' && line[2] >= 'a' && line[2] <= 'z'
		if entry || key {
			name, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(":"))
			left = key && slices.Contains([]string{"source", "examples", "lookAlikes"}, string(name))
		}
		if !left {
			out = append(out, line...)
		}
	}
	return out
}

// signatures is a file of them.
type signatures struct {
	APIVersion string      `json:"apiVersion" yaml:"apiVersion"`
	Kind       string      `json:"kind" yaml:"kind"`
	Signatures []Signature `json:"signatures" yaml:"signatures"`
}
