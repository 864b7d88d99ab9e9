// Package config reads .sparkdoctor.yaml: which checks run, how severe their findings are, and which are accepted.
// It reads text and no files.
package config

import (
	_ "embed" // the schema
	"fmt"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/document"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// MaxFile is how large the file may be: a suppression takes a few lines.
const MaxFile = 1 << 20

// FileName is the name under which the file is looked for.
const FileName = ".sparkdoctor.yaml"

// OtherName is one under which it is not.
const OtherName = ".sparkdoctor.yml"

//go:embed schema.json
var schema []byte

// Schema returns the JSON schema of the file.
func Schema() []byte { return slices.Clone(schema) }

// Config is what the file says. What it does not say is zero.
type Config struct {
	Checks, SkipChecks []string                  // ids or slugs
	FailOn             string                    // error, warning, info or none
	Severities         map[string]check.Severity // by id
	Thresholds         Thresholds
	Suppressions       []check.SuppressionRule
	Signatures         []string // files and directories, relative to that of the file
}

// Thresholds are those of check.Params; nil, or zero, where the file gives none.
type Thresholds struct {
	StuckAfter, NewAfter, ConfirmAfter, CertWarn *time.Duration
	FinishedAfter, FailedWithin                  *time.Duration
	SubmittedAfter, TransitionAfter              *time.Duration
	MaxObjectSize, PileUp                        int
	Restarts, Backlog                            int
	LostExecutors, OOMExecutors                  int
}

// file is the document as the schema describes it.
type file struct {
	Checks     []string          `json:"checks"`
	SkipChecks []string          `json:"skipChecks"`
	FailOn     string            `json:"failOn"`
	Severities map[string]string `json:"severities"`
	Thresholds struct {
		StuckAfter    string `json:"stuckAfter"`
		NewAfter      string `json:"newAfter"`
		ConfirmAfter  string `json:"confirmAfter"`
		CertWarn      string `json:"certWarn"`
		MaxObjectSize int    `json:"maxObjectSize"`
		FinishedAfter string `json:"finishedAfter"`
		FailedWithin  string `json:"failedWithin"`
		PileUp        int    `json:"pileUp"`
		Restarts      int    `json:"restarts"`
		Backlog       int    `json:"backlog"`
		LostExecutors int    `json:"lostExecutors"`
		OOMExecutors  int    `json:"oomExecutors"`

		SubmittedAfter  string `json:"submittedAfter"`
		TransitionAfter string `json:"transitionAfter"`
	} `json:"thresholds"`
	Signatures   []string      `json:"signatures"`
	Suppressions []suppression `json:"suppressions"`
	Waivers      []suppression `json:"waivers"` // the former name of the key
}

type suppression struct {
	Check     string  `json:"check"`
	Namespace *string `json:"namespace"`
	Name      *string `json:"name"`
	Reason    string  `json:"reason"`
	Owner     string  `json:"owner"`
	Until     string  `json:"until"`
}

// Parse reads the text of a file. Errors name the file and the line: what the schema forbids, a key that is given
// twice, a check that does not exist.
func Parse(name string, text []byte) (*Config, error) {
	d, err := document.Parse(name, text, schema)
	if err != nil {
		return nil, err
	}
	var f file
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	c := &Config{Checks: f.Checks, SkipChecks: f.SkipChecks, FailOn: f.FailOn, Severities: map[string]check.Severity{},
		Signatures: f.Signatures}
	for _, list := range []struct {
		key   string
		names []string
	}{{"checks", f.Checks}, {"skipChecks", f.SkipChecks}} {
		for i, name := range list.names {
			if _, err := check.Matching(checks.Catalogue(), name); err != nil {
				return nil, d.ErrorAt(err, list.key, fmt.Sprint(i))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Severities)) {
		found, err := check.Lookup(checks.Catalogue(), name)
		if err != nil {
			return nil, d.ErrorAt(err, "severities", name)
		}
		c.Severities[found.ID] = map[string]check.Severity{"error": check.Error, "warning": check.Warning, "info": check.Info}[f.Severities[name]]
	}
	if err := c.thresholds(d, &f); err != nil {
		return nil, err
	}
	if err := c.suppress(d, name, "suppressions", f.Suppressions); err != nil {
		return nil, err
	}
	return c, c.suppress(d, name, "waivers", f.Waivers)
}

func (c *Config) thresholds(d *document.Document, f *file) error {
	t := f.Thresholds
	c.Thresholds.MaxObjectSize, c.Thresholds.PileUp = t.MaxObjectSize, t.PileUp
	c.Thresholds.Restarts = t.Restarts
	c.Thresholds.Backlog = t.Backlog
	c.Thresholds.LostExecutors = t.LostExecutors
	c.Thresholds.OOMExecutors = t.OOMExecutors
	for _, one := range []struct {
		key, text string
		into      **time.Duration
	}{
		{"stuckAfter", t.StuckAfter, &c.Thresholds.StuckAfter}, {"newAfter", t.NewAfter, &c.Thresholds.NewAfter},
		{"confirmAfter", t.ConfirmAfter, &c.Thresholds.ConfirmAfter}, {"certWarn", t.CertWarn, &c.Thresholds.CertWarn},
		{"finishedAfter", t.FinishedAfter, &c.Thresholds.FinishedAfter}, {"failedWithin", t.FailedWithin, &c.Thresholds.FailedWithin},
		{"submittedAfter", t.SubmittedAfter, &c.Thresholds.SubmittedAfter}, {"transitionAfter", t.TransitionAfter, &c.Thresholds.TransitionAfter},
	} {
		if one.text == "" {
			continue
		}
		duration, err := time.ParseDuration(one.text)
		if err != nil {
			return d.ErrorAt(err, "thresholds", one.key)
		}
		*one.into = &duration
	}
	return nil
}

func (c *Config) suppress(d *document.Document, file, key string, list []suppression) error {
	for i, one := range list {
		rule, err := one.rule(file, d.Line(key, fmt.Sprint(i)))
		if err != nil {
			return d.ErrorAt(err, key, fmt.Sprint(i))
		}
		c.Suppressions = append(c.Suppressions, rule)
	}
	return nil
}

func (w suppression) rule(name string, line int) (check.SuppressionRule, error) {
	accepted, err := check.Lookup(checks.Suppressible(), w.Check)
	if err != nil {
		return check.SuppressionRule{}, err
	}
	out := check.SuppressionRule{
		Check: accepted.ID, Namespace: "*", Name: "*", Reason: w.Reason, Owner: w.Owner, By: check.ByConfig,
		Source: snapshot.Ref{Kind: "Config", Name: path.Base(name)}, Location: snapshot.Location{File: name, Document: 1, Line: line},
	}
	if w.Namespace != nil {
		out.Namespace = *w.Namespace
	}
	if w.Name != nil {
		out.Name = *w.Name
	}
	if w.Until != "" {
		if out.Until, err = check.ParseUntil(w.Until); err != nil {
			return out, err
		}
	}
	return out, check.ValidPatterns(out.Namespace, out.Name)
}
