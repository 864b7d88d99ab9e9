package helm

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// What Helm keeps a revision of a release in: a Secret of this type, with these labels and this key of its data, the base64 of JSON
// that is compressed with gzip (pkg/storage/driver/{secrets,util}.go of helm.sh/helm/v3@v3.22.0, the same in helm.sh/helm/v4@v4.0.0).
const (
	ReleaseType   = "helm.sh/release.v1"
	ReleaseKey    = "release"
	ReleaseOwner  = "owner=helm"
	NameLabel     = "name"
	StatusLabel   = "status"
	RevisionLabel = "version"
)

// The bounds of a revision that is read. A Secret holds at most 1 MiB (k8s.io/api/core/v1, MaxSecretSize); templates and manifests
// become a tenth, hostile data a thousandth.
const (
	maxStored    = 1 << 20
	maxReleased  = 32 << 20
	maxManifest  = 16 << 20
	maxDocuments = 10_000
)

// The statuses of a revision that matter (pkg/release/status.go of helm.sh/helm/v3@v3.22.0, pkg/release/common/status.go of
// helm.sh/helm/v4@v4.0.0).
const (
	Deployed   = "deployed"
	Failed     = "failed"
	Superseded = "superseded"
	pending    = "pending-" // -install, -upgrade, -rollback
)

// Release is the newest revision of a release of Helm, as far as a gate asks. Values are never printed.
type Release struct {
	Name, Namespace     string
	Revision            int
	Status              string
	Chart, ChartVersion string // of the chart that was installed: that of an umbrella chart, where it is one
	Values              Values // of the user, for that chart
	Objects             []Rendered
	Operator            []string // names of charts, from Chart to the operator's; see Locate
	History             []Revision
}

// Revision is one of a release's history.
type Revision struct {
	Number int
	Status string
}

// Rendered is an object of a release, and the charts within each other of which the last one has its template.
type Rendered struct {
	snapshot.Ref
	Charts []string
}

// stored is what of the JSON is read (pkg/release/release.go of helm.sh/helm/v3@v3.22.0, pkg/release/v1/release.go of
// helm.sh/helm/v4@v4.0.0).
type stored struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Version   int    `json:"version"`
	Info      struct {
		Status string `json:"status"`
	} `json:"info"`
	Chart struct {
		Metadata struct {
			Name         string `json:"name"`
			Version      string `json:"version"`
			Dependencies []struct {
				Name  string `json:"name"`
				Alias string `json:"alias"`
			} `json:"dependencies"`
		} `json:"metadata"`
	} `json:"chart"`
	Config   json.RawMessage `json:"config"`
	Manifest string          `json:"manifest"`
}

// DecodeRelease reads what a Secret holds. An error says nothing of what is in it.
func DecodeRelease(data []byte) (*Release, error) {
	raw, err := unpack(data)
	if err != nil {
		return nil, err
	}
	var s stored
	if json.Unmarshal(raw, &s) != nil {
		return nil, errors.New("not the JSON of a release") // the parser's own text may hold a value
	}
	switch {
	case s.Name == "" || s.Chart.Metadata.Name == "" || s.Info.Status == "" || s.Version < 1:
		return nil, errors.New("no release: it lacks its name, revision, status or chart")
	case len(s.Config) > MaxValues:
		return nil, fmt.Errorf("its values are larger than %d KiB", MaxValues>>10)
	}
	r := &Release{Name: s.Name, Namespace: s.Namespace, Revision: s.Version, Status: s.Info.Status, Chart: s.Chart.Metadata.Name,
		ChartVersion: s.Chart.Metadata.Version, Values: Values{}}
	if len(s.Config) > 0 && json.Unmarshal(s.Config, &r.Values) != nil {
		return nil, errors.New("its values are no map")
	}
	if r.Values == nil { // which were null
		r.Values = Values{}
	}
	if r.Objects, err = rendered(s.Manifest); err != nil {
		return nil, err
	}
	for _, d := range s.Chart.Metadata.Dependencies {
		if d.Name == operatorChart && r.Operator == nil && s.Chart.Metadata.Name != operatorChart {
			r.Operator = []string{s.Chart.Metadata.Name, d.Name}
			if d.Alias != "" { // under which its values are, and its name in templates (pkg/chartutil/dependencies.go)
				r.Operator[1] = d.Alias
			}
		}
	}
	if s.Chart.Metadata.Name == operatorChart {
		r.Operator = []string{operatorChart}
	}
	return r, nil
}

const operatorChart = "spark-operator"

// unpack undoes base64 and gzip within the bounds. Releases from before Helm compressed them are plain JSON.
func unpack(data []byte) ([]byte, error) {
	if len(data) > maxStored {
		return nil, fmt.Errorf("larger than %d KiB", maxStored>>10)
	}
	raw, err := base64.StdEncoding.DecodeString(string(data))
	if err != nil {
		return nil, errors.New("not base64")
	}
	if !bytes.HasPrefix(raw, []byte{0x1f, 0x8b, 0x08}) {
		return raw, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, errors.New("not gzip")
	}
	if raw, err = io.ReadAll(io.LimitReader(z, maxReleased+1)); err != nil {
		return nil, errors.New("its gzip is broken")
	}
	if len(raw) > maxReleased {
		return nil, fmt.Errorf("larger than %d MiB when unpacked", maxReleased>>20)
	}
	return raw, nil
}

// Locate finds the operator's chart among those of an umbrella: the one that rendered its Deployment. Without it, for example since the
// newest revision never became objects, it is the one that the chart says it depends on. False: it is in neither.
func (r *Release) Locate(deployment string) bool {
	for _, o := range r.Objects {
		if o.Kind == "Deployment" && o.Name == deployment && len(o.Charts) > 0 {
			r.Operator = o.Charts
			return true
		}
	}
	return r.Operator != nil
}

// OfOperator returns the values that are for the operator's chart: those of a chart within another are below its name
// (helm.sh/docs/chart_template_guide/subcharts_and_globals).
func (r *Release) OfOperator() Values {
	at := r.Values
	for i, chart := range r.Operator {
		if i > 0 {
			sub, _ := at[chart].(map[string]any)
			at = sub
		}
	}
	if at == nil || r.Operator == nil {
		return Values{}
	}
	return at
}

// Umbrella reports whether another chart than the operator's was installed.
func (r *Release) Umbrella() bool { return len(r.Operator) > 1 }

// Others are the objects that charts other than the operator's rendered.
func (r *Release) Others() []snapshot.Ref {
	var out []snapshot.Ref
	for _, o := range r.Objects {
		if strings.Join(o.Charts, "/") != strings.Join(r.Operator, "/") {
			out = append(out, o.Ref)
		}
	}
	return out
}

// Pending reports whether an operation of Helm has not finished: the next one is refused.
func (r *Release) Pending() bool { return strings.HasPrefix(r.Status, pending) }

// Refuses reports whether helm upgrade stops before it changes anything, and with which words (pkg/action/upgrade.go, prepareUpgrade, and
// pkg/storage/storage.go, Deployed, of helm.sh/helm/v3@v3.22.0 and helm.sh/helm/v4@v4.0.0).
func (r *Release) Refuses() (text string, yes bool) {
	switch {
	case r.Pending():
		return "another operation (install/upgrade/rollback) is in progress", true
	case r.Status == Deployed || r.Status == Failed || r.Status == Superseded || r.LastDeployed() > 0:
		return "", false
	default:
		return fmt.Sprintf("%q has no deployed releases", r.Name), true
	}
}

// LastDeployed is the newest revision that is deployed; 0: none is.
func (r *Release) LastDeployed() int {
	last := 0
	for _, one := range r.History {
		if one.Status == Deployed {
			last = max(last, one.Number)
		}
	}
	return last
}
