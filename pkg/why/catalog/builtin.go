package catalog

import (
	"bytes"
	"embed"
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

// Builtin returns the signatures that are part of the program. They are decoded when they are first asked for.
func Builtin() *Set { return decoded() }

var decoded = sync.OnceValue(decode) //nolint:gochecknoglobals // made once, never changed

func decode() *Set {
	var all []Signature
	for _, subject := range subjects() {
		all = append(all, ofSubject(subject)...)
	}
	return newSet(all)
}

// ofSubject panics where a file cannot be read: a test reads all of them.
func ofSubject(subject string) []Signature {
	text, err := builtin.ReadFile("builtin/" + subject + ".yaml")
	if err != nil {
		panic(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	var f signatures
	if err := d.Decode(&f); err != nil {
		panic(subject + ": " + err.Error())
	}
	return f.Signatures
}

// signatures is a file of them.
type signatures struct {
	APIVersion string      `json:"apiVersion" yaml:"apiVersion"`
	Kind       string      `json:"kind" yaml:"kind"`
	Signatures []Signature `json:"signatures" yaml:"signatures"`
}
