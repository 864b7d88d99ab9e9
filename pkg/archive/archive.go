// Package archive writes a snapshot into a file and reads it again, so that a scan of the file says what a scan of the
// cluster said. An archive is a tar.gz: a manifest first, then the records of each view as lines of JSON in parts of a
// few megabytes, then the answers about objects that were fetched again. Readers hold one line at a time.
package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Format is the version of the layout. A reader takes what older ones wrote, and refuses what is newer.
const Format = 1

// ManifestName is the first entry, by which an archive is told from a tar of manifests.
const ManifestName = "sparkdoctor-snapshot.json"

// kind is what a manifest says that it is.
const kind = "SnapshotArchive"

const (
	recordsDir  = "records/"
	answersName = "fetched-again.jsonl"
)

// Manifest is the first entry of an archive.
type Manifest struct {
	Kind   string `json:"kind"`
	Format int    `json:"format"`

	Tool    Tool     `json:"tool"`
	Source  Source   `json:"source"`
	Reading Reading  `json:"reading"`
	Checks  []string `json:"checks"` // that the build knew

	Snapshot snapshot.Saved `json:"snapshot"`
	Answers  int            `json:"answers"` // about objects that were fetched again

	Removed  []string   `json:"removed"`  // what is never in an archive
	Redacted []Redacted `json:"redacted"` // secrets that were taken out of texts
}

// Tool is the build that wrote the archive.
type Tool struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

// Source is where the snapshot was taken.
type Source struct {
	Name    string `json:"name"`
	Context string `json:"context"`
	Server  string `json:"server"`
}

// Reading is what was asked for.
type Reading struct {
	Checks       []string `json:"checks"` // the only ones whose views were read; none: all
	Probe        bool     `json:"probe"`
	Logs         bool     `json:"logs"`
	ConfirmAfter string   `json:"confirmAfter"` // how long controllers were given before objects were fetched again
}

// Waited is how long controllers were given.
func (r Reading) Waited() time.Duration {
	d, _ := time.ParseDuration(r.ConfirmAfter)
	return d
}

// Redacted counts the places in the records of a view where a secret was.
type Redacted struct {
	View  snapshot.View `json:"view"`
	Count int           `json:"count"`
	Lines int           `json:"lines,omitempty"` // of logs, that are blank
}

// Answer is what was said of an object that was fetched again.
type Answer struct {
	View   snapshot.View
	Ref    snapshot.Ref
	Record snapshot.Record // nil: it is gone
	Failed string          // why there was no answer
}

// Archive is what was read.
type Archive struct {
	Manifest Manifest
	Snapshot *snapshot.Snapshot
	Answers  []Answer
	Notes    []string // what is of another build, and so was passed over or is missing
}

// removed says what the archive does not hold. With applications in full it holds more of these, and of their logs.
func removed(views []snapshot.SavedView) []string {
	inFull := slices.ContainsFunc(views, func(v snapshot.SavedView) bool { return v.View == snapshot.WholePods })
	if inFull {
		return []string{
			"private keys and all other data of Secrets but certificates, and data of ConfigMaps",
			"values of environment variables; values of settings and arguments whose name or form says that they are secret",
			"the annotation of kubectl apply, and annotations of more than 2 KiB",
			"managedFields, except who wrote which part of an object, and when",
			"logs, except those that tell of the webhook's trouble, and of applications in full the beginnings and ends of logs of drivers and " +
				"of executors that failed",
		}
	}
	return []string{
		"private keys and all other data of Secrets but certificates",
		"values of environment variables, arguments and settings of applications and their pods, " +
			"but for settings that say where and as whom pods run",
		"annotations, except " + snapshot.IgnoreAnnotation + " and those by which cert-manager and Argo CD mark what is theirs, " +
			"and OpenShift's ranges of users and groups of namespaces",
		"managedFields, except who wrote certificates and the specification, and when",
		"log lines, except those that tell of the webhook's trouble",
	}
}

// check reports why a manifest is none, or one that this build cannot read.
func (m *Manifest) check() error {
	switch {
	case m.Kind != kind:
		return fmt.Errorf("%s is of kind %.40q, not %s", ManifestName, m.Kind, kind)
	case m.Format > Format:
		by := ""
		if m.Tool.Version != "" {
			by = fmt.Sprintf(" by sparkdoctor %.40s", m.Tool.Version)
		}
		return fmt.Errorf("it was written%s in format %d, and this build reads up to format %d", by, m.Format, Format)
	case m.Format < 1:
		return fmt.Errorf("%s names no format", ManifestName)
	case m.Snapshot.TakenAt.IsZero():
		return fmt.Errorf("%s does not say when it was taken", ManifestName)
	default:
		return nil
	}
}

// head is what is read of a manifest before anything else: a later format may have changed the rest.
func head(text []byte) (Manifest, error) {
	var h struct {
		Kind   string `json:"kind"`
		Format int    `json:"format"`
		Tool   Tool   `json:"tool"`
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return Manifest{}, errors.New(ManifestName + " is not the JSON that it should be")
	}
	m := Manifest{Kind: h.Kind, Format: h.Format, Tool: h.Tool}
	m.Snapshot.TakenAt = time.Unix(0, 0)
	return m, m.check()
}

// partName is the name of a part of the records of a view.
func partName(v snapshot.View, part int) string {
	return fmt.Sprintf("%s%s-%04d.jsonl", recordsDir, fileName(v), part)
}

// fileName is a view as a name of a file.
func fileName(v snapshot.View) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.':
			return r
		default:
			return '-'
		}
	}, strings.ToLower(string(v)))
}

// viewOf returns the view of the records in an entry.
func viewOf(entry string, views []snapshot.SavedView) (snapshot.View, bool) {
	name, isRecords := strings.CutPrefix(entry, recordsDir)
	name, isLines := strings.CutSuffix(name, ".jsonl")
	at := strings.LastIndexByte(name, '-')
	if !isRecords || !isLines || at < 0 {
		return "", false
	}
	for _, v := range views {
		if fileName(v.View) == name[:at] {
			return v.View, true
		}
	}
	return "", false
}
