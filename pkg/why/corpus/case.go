// Package corpus reads the corpus of failed Spark applications, pkg/why/testdata/corpus, for the tests that measure why with it. Only
// tests import it.
package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Case is what is left of an application, and the answer to why it failed. The README of the corpus explains the fields of case.yaml.
type Case struct {
	Name      string    `json:"name"`
	Namespace string    `json:"namespace"`
	AsOf      time.Time `json:"asOf"`
	Topic     string    `json:"topic"`

	Class        cause.Class   `json:"class"`
	AlsoRight    []cause.Class `json:"alsoRight"`
	Cause        string        `json:"cause"`
	MustMention  []string      `json:"mustMention"`
	MustNotClaim []string      `json:"mustNotClaim"`

	Proof               string   `json:"proof"`
	Certainty           string   `json:"certainty"`
	MisleadingLastError bool     `json:"misleadingLastError"`
	Sources             []Source `json:"sources"`

	CutLogs    string            `json:"cutLogs"`
	LogAlone   string            `json:"logAlone"`
	CutObjects map[string]string `json:"cutObjects"` // by kind/name
	Malformed  string            `json:"malformed"`  // type/name, as in Name
	Served     bool              `json:"served"`
	Today      Result            `json:"today"` // of a case in short: how good its answer is

	// Of a fixture of a mechanism, pkg/why/mechanism/testdata: the mechanism that its answers show, what proves it, kind/name of an object
	// or a log file, and what is another word in a case that looks alike and does not show it.
	Shows    cause.ID `json:"shows"`
	ProvedBy string   `json:"provedBy"`
	Alike    Alike    `json:"alike"`
	Complete bool     `json:"complete"` // nothing exists beside its objects
	Said     string   `json:"said"`     // by the operator's log

	ID          string            `json:"-"` // NNN-short-name
	Sealed      bool              `json:"-"`
	Folder      string            `json:"-"`
	ObjectsYAML string            `json:"-"`
	Logs        map[string]string `json:"-"` // by file name
}

// Source is a report that a case is made of.
type Source struct {
	Ref      string `json:"ref"`
	Taken    string `json:"taken"`
	Composed string `json:"composed"`
}

// Alike is one fact of a case, as its objects, logs or the operator have it, and what stands there in a case that looks alike.
type Alike struct {
	Fact    string `json:"fact"`
	Instead string `json:"instead"`
}

// Number is the number that an ID starts with.
func (c *Case) Number() string {
	number, _, _ := strings.Cut(c.ID, "-")
	return number
}

// Objects decodes objects.yaml. Each call returns new objects, which the caller may change.
func (c *Case) Objects() ([]unstructured.Unstructured, error) {
	var out []unstructured.Unstructured
	for _, document := range strings.Split(c.ObjectsYAML, "\n---\n") {
		asJSON, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
		var o unstructured.Unstructured
		if err := utiljson.Unmarshal(asJSON, &o.Object); err != nil { // whole numbers as int64, as a client has them
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
		out = append(out, o)
	}
	return out, nil
}

// Subject returns the application that the case is about.
func (c *Case) Subject() snapshot.Ref {
	kind, name, _ := strings.Cut(c.Name, "/")
	switch kind {
	case "sparkapplication.spark.apache.org":
		return snapshot.Ref{APIVersion: "spark.apache.org/v1", Kind: "SparkApplication", Namespace: c.Namespace, Name: name}
	case "sparkcluster":
		return snapshot.Ref{APIVersion: "spark.apache.org/v1", Kind: "SparkCluster", Namespace: c.Namespace, Name: name}
	case "sparkconnect":
		return snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1alpha1", Kind: "SparkConnect", Namespace: c.Namespace, Name: name}
	case "pod":
		return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: c.Namespace, Name: name}
	}
	if kind == "pod" {
		return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: c.Namespace, Name: name}
	}
	kinds := map[string]string{"sparkapplication": "SparkApplication", "scheduledsparkapplication": "ScheduledSparkApplication"}
	return snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: kinds[kind], Namespace: c.Namespace, Name: name}
}

// Evidence returns the evidence that the logs and the given objects, all of the case or a part of them, are for why.
func (c *Case) Evidence(objects []unstructured.Unstructured) *app.Evidence {
	logs := make([]app.Log, 0, len(c.Logs))
	for file, text := range c.Logs {
		name, previous := strings.CutSuffix(strings.TrimSuffix(file, ".log"), ".previous")
		parts := strings.Split(name, "_")
		logs = append(logs, app.Log{Namespace: parts[0], Pod: parts[1], Container: parts[2], Previous: previous, Tail: text})
	}
	e := app.FromObjects(objects, logs, c.Subject(), c.AsOf)
	e.Access, e.Trusts = accessOf(objects), trustOf(objects)
	if c.Complete {
		e.Partial = func(string) bool { return false }
	}
	if c.Said != "" {
		controller := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "spark-operator", Name: "spark-operator-controller"}
		e.OperatorSaid = []app.Said{{Pod: controller, Container: "controller", Text: c.Said, At: c.AsOf}}
	}
	return e
}

// Write writes what the command reads of the case with -f, its objects and logs, into a directory.
func (c *Case) Write(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "objects.yaml"), []byte(c.ObjectsYAML), 0o600); err != nil || len(c.Logs) == 0 {
		return err
	}
	logs := filepath.Join(dir, "logs")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return err
	}
	for file, text := range c.Logs {
		if err := os.WriteFile(filepath.Join(logs, file), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
