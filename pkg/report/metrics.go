package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Metrics are numbers about what was seen, for dashboards and charts; findings say what is wrong with them.
type Metrics struct {
	// MaxObjectBytes is etcd's limit for one request, of which an application has a share.
	MaxObjectBytes int `json:"maxObjectBytes"`
	// Applications are the largest, largest first, at most maxMeasured. Absent if none was seen.
	Applications []ApplicationSize `json:"applications,omitempty"`
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
func Measure(s *snapshot.Snapshot, maxObjectBytes int) *Metrics {
	list := s.SparkApplications()
	m := &Metrics{MaxObjectBytes: maxObjectBytes, Applications: make([]ApplicationSize, 0, len(list))}
	for _, a := range list {
		if a.Sizes.Object > 0 && (s.Namespaces == nil || slices.Contains(s.Namespaces, a.Namespace)) {
			m.Applications = append(m.Applications, ApplicationSize{Namespace: a.Namespace, Name: a.Name, Bytes: a.Sizes.Object})
		}
	}
	slices.SortFunc(m.Applications, func(a, b ApplicationSize) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	m.Applications = slices.Clone(m.Applications[:min(len(m.Applications), maxMeasured)])
	seen := map[snapshot.Key]bool{}
	for _, in := range operator.Find(s.Deployments()) {
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
