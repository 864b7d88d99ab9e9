// Package report turns results into the report, which is a contract (sparkdoctor.io/v1alpha1), joins and compares reports, and
// holds the words that all formats use. Formats are in the packages below; none decides anything.
package report

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// APIVersion of the report.
const APIVersion = "sparkdoctor.io/v1alpha1"

// Report is the result of a scan.
type Report struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"` // ScanReport
	Metadata   Metadata `json:"metadata"`
	Tool       Tool     `json:"tool"`
	Sources    []Source `json:"sources"`
	Scope      Scope    `json:"scope"`
	Gate       *Gate    `json:"gate,omitempty"` // set where an upgrade was asked about
	// Verdict is what matters first; nil for an upgrade, of which Gate holds the verdict.
	Verdict *Verdict `json:"verdict,omitempty"`
	Summary Summary  `json:"summary"`
	// Namespaces that hold applications, each with the verdict on admission.
	Namespaces []Namespace `json:"namespaces"`
	Items      []Item      `json:"items"`
	Checks     []Check     `json:"checks"`
	// ClusterRead are checks that are told in one line: the user may not read what they need beyond the namespaces.
	ClusterRead []ClusterRead `json:"clusterRead,omitempty"`
	// NamespaceRead are those that may not read all they need within the namespaces that were asked for.
	NamespaceRead []NamespaceRead `json:"namespaceRead,omitempty"`
	Metrics       *Metrics        `json:"metrics,omitempty"`

	// Suppressed are the fingerprints of what somebody accepts.
	Suppressed []string `json:"suppressed,omitempty"`
	// Baseline is set where the report was compared with an older one.
	Baseline *Baseline `json:"baseline,omitempty"`

	// Cost is set where it was asked for.
	Cost *Cost `json:"cost,omitempty"`

	suppressed []Item        // not among Items
	hidden     int           // findings that From left out
	asked      command.Asked // what commands say again
	answered   snapshot.Key  // application whose case file stands beside the report; zero: none does
}

// Metadata carries the time of the snapshot.
type Metadata struct {
	CreationTimestamp time.Time `json:"creationTimestamp"`
}

// Tool says which build made the report.
type Tool struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
}

// Source says what was read.
type Source struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // cluster, files or archive
	Context string   `json:"context,omitempty"`
	Server  string   `json:"server,omitempty"`
	Files   []string `json:"files,omitempty"`
	Objects int      `json:"objects,omitempty"` // objects in files
	Unread  int      `json:"unread,omitempty"`  // of these, objects of kinds that no check reads
	// Duplicates are those of the objects that were dropped, because the files hold an equal or a newer copy.
	Duplicates int `json:"duplicates,omitempty"`
	// NotJudged are copies of objects that differ from those that were judged, each with its place; nothing tells which one is newer.
	NotJudged []string `json:"notJudged,omitempty"`
	// Unreadable are files that could not be read to their end, each with the place and the reason; the others were judged.
	Unreadable []string `json:"unreadable,omitempty"`
	// HelmTemplates are files that Helm has to render before anything can be judged, and HelmCharts the directories of their charts.
	HelmTemplates []string `json:"helmTemplates,omitempty"`
	HelmCharts    []string `json:"helmCharts,omitempty"`
	// Kustomizations are files that tell kustomize what to build. What they name was judged as it stands.
	Kustomizations []string `json:"kustomizations,omitempty"`
	// Patches are files that these take as patches. They were not judged.
	Patches []string `json:"patches,omitempty"`
	// WithoutObjects are files that hold no Kubernetes object.
	WithoutObjects []string `json:"withoutObjects,omitempty"`
	Excluded       int      `json:"excluded,omitempty"` // files that --exclude left out
	// Resumed are the views whose listing expired and went on at a newer moment, so that its parts were not seen at
	// the same time.
	Resumed []string `json:"resumed,omitempty"`
	// Error says why nothing of it could be judged, where others could.
	Error string `json:"error,omitempty"`
	// Empty is set where the selection matches nothing in this one of several clusters.
	Empty bool `json:"emptySelection,omitempty"`
	// NoOperator is set where several clusters were looked at and this one has nothing to do with the operator.
	NoOperator bool `json:"noOperator,omitempty"`
}

// Scope says what the findings are about.
type Scope struct {
	Namespaces    []string       `json:"namespaces"`      // empty: all
	Level         string         `json:"level,omitempty"` // namespace: what may not be read beyond them leaves no gap
	Selector      string         `json:"selector,omitempty"`
	Objects       []string       `json:"objects,omitempty"`
	Installations []Installation `json:"installations"`
}

// Installation is one operator that was found.
type Installation struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Version   string `json:"version,omitempty"`
	Source    string `json:"source,omitempty"`   // of several
	JudgedAs  string `json:"judgedAs,omitempty"` // the release whose behaviour is assumed for a build that is none
	// Unreleased is what JudgedAs is, where it is no release.
	Unreleased string `json:"unreleased,omitempty"`
	// Leading is since when the controller's present leader leads; absent without leader election, or where nothing tells.
	Leading *time.Time `json:"leading,omitempty"`
}

// Summary counts findings by severity and checks by status.
type Summary struct {
	Findings FindingCounts `json:"findings"`
	Checks   CheckCounts   `json:"checks"`
}

// FindingCounts counts findings.
type FindingCounts struct {
	Error      int `json:"error"`
	Warning    int `json:"warning"`
	Info       int `json:"info"`
	Suppressed int `json:"suppressed"`
}

// CheckCounts counts checks.
type CheckCounts struct {
	Passed        int `json:"passed"`
	Failed        int `json:"failed"`
	Skipped       int `json:"skipped"`
	NotApplicable int `json:"notApplicable"`
}

// Namespace is a job namespace.
type Namespace struct {
	Name      string    `json:"name"`
	Source    string    `json:"source,omitempty"` // of several
	Admission Admission `json:"admission"`
}

// Admission says whether the Spark pods of a namespace are mutated now.
type Admission struct {
	State      string `json:"state"`                // healthy, broken or unknown
	BrokenLink string `json:"brokenLink,omitempty"` // registration, selector, service, endpoints or certificate
	CausedBy   string `json:"causedBy,omitempty"`   // the finding that says so
	Reason     string `json:"reason,omitempty"`     // why it is unknown
}

// Item is one finding.
type Item struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"` // Finding
	Metadata   Name   `json:"metadata"`
	Source     string `json:"source"`
	Check      string `json:"check"`
	Slug       string `json:"slug"`
	Severity   string `json:"severity"`
	Certainty  string `json:"certainty"`
	// Consequence is what findings of the check mean to those who run jobs, such as stopsAll.
	Consequence string `json:"consequence,omitempty"`
	// Since is when it began, where something that was seen tells.
	Since     *time.Time         `json:"since,omitempty"`
	Object    snapshot.Ref       `json:"object"`
	Location  *snapshot.Location `json:"location,omitempty"`
	Field     string             `json:"field,omitempty"`
	FieldLine int                `json:"fieldLine,omitempty"` // of the file of Location, or of the next field around it that is there
	Hop       string             `json:"hop,omitempty"`       // of an upgrade
	Message   string             `json:"message"`
	Evidence  []Evidence         `json:"evidence"`
	Related   []snapshot.Ref     `json:"related,omitempty"`
	Affected  int                `json:"affected"`
	Objects   []Affected         `json:"objects,omitempty"`
	CausedBy  []string           `json:"causedBy,omitempty"`
	Fixes     []Fix              `json:"fixes,omitempty"`
	Next      []Next             `json:"next,omitempty"`
	// Suppression is set for what somebody accepts, which is shown on demand and in no count but its own.
	Suppression *Suppression `json:"suppression,omitempty"`
	// Baseline is set where the report was compared with an older one, except for what somebody accepts.
	Baseline *Class `json:"baseline,omitempty"`
	Docs     string `json:"docs"`

	cluster        string // the source, where there are several
	subject, brief string // for the verdict; empty: the object and Message
	follows        string // for the verdict; empty: nothing but what it causes
	confirming     bool   // it was not looked at again yet
	app            string // the Spark object that it belongs to; empty: none
}

// Affected is one of the objects that a finding joins, and where in it the finding is.
type Affected struct {
	snapshot.Ref
	Location  *snapshot.Location `json:"location,omitempty"`
	Field     string             `json:"field,omitempty"`
	FieldLine int                `json:"fieldLine,omitempty"`
}

// Suppression says who accepts a finding.
type Suppression struct {
	By     string `json:"by"` // annotation, flag or config
	Reason string `json:"reason,omitempty"`
	Owner  string `json:"owner,omitempty"`
	Until  string `json:"until,omitempty"` // last day
}

// Next is one thing to do about a finding.
type Next struct {
	Text    string `json:"text"`              // imperative
	Command string `json:"command,omitempty"` // to copy; none: there is none, or not for what was read from files

	inManifest string // what Text is made of, see command.Place; empty: it is as it is
}

// Fix is what "fix" would do about a finding.
type Fix struct {
	Title string `json:"title"`
	Risk  string `json:"risk"` // safe, disruptive or destructive
	Undo  string `json:"undo"` // exact or none
	// Blocked is why fix refuses it, as things are; empty: nothing is known against it.
	Blocked string `json:"blocked,omitempty"`
}

// Name is the fingerprint of a finding.
type Name struct {
	Name string `json:"name"`
}

// Evidence is one value that was seen.
type Evidence struct {
	Object snapshot.Ref `json:"object"`
	Field  string       `json:"field"`
	Value  string       `json:"value"`
}

// Check says how one selected check ended.
type Check struct {
	ID       string            `json:"id"`
	Source   string            `json:"source,omitempty"` // of several: then every check is there once for each
	Slug     string            `json:"slug"`
	Title    string            `json:"title"`
	Status   string            `json:"status"`
	Coverage string            `json:"coverage"` // complete or partial
	Unseen   []snapshot.Unseen `json:"unseen,omitempty"`
	Findings int               `json:"findings"`
	Reason   string            `json:"reason,omitempty"`
}
