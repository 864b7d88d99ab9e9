package report

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Metrics are numbers about what was seen, for dashboards and charts; findings say what is wrong with them.
type Metrics struct {
	// MaxObjectBytes is etcd's limit for one request, of which an application has a share.
	MaxObjectBytes int `json:"maxObjectBytes"`
	// Applications are the largest, largest first, at most maxMeasured. Absent if none was seen.
	Applications []ApplicationSize `json:"applications,omitempty"`
	// Growing are applications whose list of executors grows until they reach the limit, the soonest first, at most maxMeasured.
	Growing []ApplicationGrowth `json:"growing,omitempty"`
	// Certificates are those of the Secrets that installations of the operator read. Absent if none was seen.
	Certificates []CertificateExpiry `json:"certificates,omitempty"`
	// DurationMilliseconds is how long reading a cluster and judging it took.
	DurationMilliseconds int `json:"durationMilliseconds,omitempty"`
}

// ApplicationSize is what one SparkApplication takes in etcd, in bytes without managedFields.
type ApplicationSize struct {
	Source    string `json:"source,omitempty"` // of several
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Bytes     int    `json:"bytes"`
}

// ApplicationGrowth is how fast an application that runs fills up, by its mean rate since it was submitted.
type ApplicationGrowth struct {
	Source         string    `json:"source,omitempty"` // of several
	Namespace      string    `json:"namespace"`
	Name           string    `json:"name"`
	Bytes          int       `json:"bytes"`          // now
	BytesPerHour   int       `json:"bytesPerHour"`   // what status.executorState gains
	EntriesPerHour int       `json:"entriesPerHour"` // of status.executorState
	Full           time.Time `json:"full"`           // when it reaches the limit at that rate
}

// CertificateExpiry is when a certificate of the webhook ends: of several CAs, the last one.
type CertificateExpiry struct {
	Source    string    `json:"source,omitempty"` // of several
	Namespace string    `json:"namespace"`
	Secret    string    `json:"secret"`
	Role      string    `json:"role"` // ca or server
	NotAfter  time.Time `json:"notAfter"`
}

// maxMeasured bounds the applications: each is a line of a chart and a series of Prometheus.
const maxMeasured = 20

// Measure takes the numbers from a snapshot. Applications are those of the asked namespaces.
func Measure(s *snapshot.Snapshot, p check.Params) *Metrics {
	list := s.SparkApplications()
	m := &Metrics{MaxObjectBytes: p.MaxObjectSize, Applications: make([]ApplicationSize, 0, len(list))}
	for _, a := range list {
		if a.Sizes.Object > 0 && (s.Namespaces == nil || slices.Contains(s.Namespaces, a.Namespace)) {
			m.Applications = append(m.Applications, ApplicationSize{Namespace: a.Namespace, Name: a.Name, Bytes: a.Sizes.Object})
		}
	}
	slices.SortFunc(m.Applications, func(a, b ApplicationSize) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	m.Applications = slices.Clone(m.Applications[:min(len(m.Applications), maxMeasured)])
	installations := operator.Find(s.Deployments())
	m.Growing = growing(s, installations, p)
	seen := map[snapshot.Key]bool{}
	for _, in := range installations {
		if in.CertificateUse() == operator.OnePerReplica {
			continue // nobody reads the Secret
		}
		if key := in.WebhookSecret(); key.Name != "" && !seen[key] {
			seen[key] = true
			m.Certificates = append(m.Certificates, expiries(s, &in, key)...)
		}
	}
	return m
}

// A rate says something of an application that has gone through many executors: one that has just started holds those that it
// asked for at once. 1000 is the operator's default limit since 2.1.0 (#2181). Who fills up in a year will be submitted again before.
const (
	manyEntries = 1000
	farAhead    = 90 * 24 * time.Hour
)

func growing(s *snapshot.Snapshot, installations []operator.Installation, p check.Params) []ApplicationGrowth {
	var out []ApplicationGrowth
	for _, a := range s.SparkApplications() {
		entries := a.Executors.Total()
		if entries <= manyEntries || s.Namespaces != nil && !slices.Contains(s.Namespaces, a.Namespace) {
			continue
		}
		rate, full := facts.Growth(a, s.TakenAt, p.NewAfter, p.MaxObjectSize)
		each := float64(a.Sizes.ExecutorState) / float64(entries)
		if full.IsZero() || full.Sub(s.TakenAt) > farAhead || stopsBefore(a, operator.For(installations, a.Namespace), each, p.MaxObjectSize) {
			continue
		}
		out = append(out, ApplicationGrowth{Namespace: a.Namespace, Name: a.Name, Bytes: a.Sizes.Object, BytesPerHour: int(rate * each),
			EntriesPerHour: int(math.Round(rate)), Full: full.UTC()})
	}
	soonestFirst(out)
	return slices.Clone(out[:min(len(out), maxMeasured)])
}

// stopsBefore reports whether the operator stops recording executors before the object is full: it leaves out those above its limit
// (internal/controller/sparkapplication/controller.go@v2.5.2, updateExecutorState; #2181).
func stopsBefore(a *snapshot.SparkApplication, in *operator.Installation, each float64, limit int) bool {
	if in == nil {
		return false
	}
	most, limited := in.TrackedExecutors()
	return limited && float64(a.Sizes.Object-a.Sizes.ExecutorState)+each*float64(most) < float64(limit)
}

func soonestFirst(list []ApplicationGrowth) {
	slices.SortStableFunc(list, func(a, b ApplicationGrowth) int {
		return cmp.Or(a.Full.Compare(b.Full), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

func expiries(s *snapshot.Snapshot, in *operator.Installation, key snapshot.Key) []CertificateExpiry {
	var out []CertificateExpiry
	secrets := s.WebhookSecrets()
	for i := range secrets {
		if secrets[i].Key() != key {
			continue
		}
		pair := in.CertificateUse().Pair(&secrets[i])
		if last := lastEnd(pair.CA); !last.IsZero() {
			out = append(out, CertificateExpiry{Namespace: key.Namespace, Secret: key.Name, Role: "ca", NotAfter: last})
		}
		if chain := pair.Server.Certificates(); len(chain) > 0 {
			out = append(out, CertificateExpiry{Namespace: key.Namespace, Secret: key.Name, Role: "server", NotAfter: chain[0].NotAfter.UTC()})
		}
	}
	return out
}

func lastEnd(b snapshot.Bundle) time.Time {
	var last time.Time
	for _, c := range b.Certificates() {
		if c.NotAfter.After(last) {
			last = c.NotAfter.UTC()
		}
	}
	return last
}

// Share is what an application takes of the limit, 1 is full.
func (m *Metrics) Share(a ApplicationSize) float64 {
	return float64(a.Bytes) / float64(m.MaxObjectBytes)
}

// Cost is what a scan took.
type Cost struct {
	Milliseconds    int `json:"milliseconds"`
	PeakMemoryBytes int `json:"peakMemoryBytes,omitempty"` // largest resident set; absent where the system does not say
	Requests        int `json:"requests"`
	Bytes           int `json:"bytes"` // of the answers' bodies, after decompression
	// Listings says the same of each view that was listed, and of what is no listing. Empty for files.
	Listings []ListingCost `json:"listings,omitempty"`
}

// ListingCost is what one view took. Views are read at the same time, so that their times do not add up.
type ListingCost struct {
	Of           string `json:"of"`
	Requests     int    `json:"requests"`
	Bytes        int    `json:"bytes"`
	Milliseconds int    `json:"milliseconds"`
}
