package app

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// Issued is a Certificate of cert-manager.
type Issued struct {
	snapshot.Ref

	Until time.Time // status.notAfter, of the one that was issued last
	// Issuer is who is to issue the next one, by its kind and name.
	Issuer Issuer
	// Request is what asks that issuer for one, where it has none yet; zero: nothing does.
	Request snapshot.Ref
	Pending Condition // its condition Ready
}

// certManager is the group of its API.
const certManager = "cert-manager.io"

// Issuer signs certificates. Missing says that cert-manager did not find it.
type Issuer struct {
	Kind, Name string
	Missing    bool
}

// issuedFrom reads the Certificates among objects, each with its request that is not answered.
func issuedFrom(objects []unstructured.Unstructured) []Issued {
	var out []Issued
	for i := range objects {
		o := &objects[i]
		if o.GetKind() != "Certificate" || o.GroupVersionKind().Group != certManager {
			continue
		}
		f := whole.Fields(o.Object)
		one := Issued{Ref: refOf(o), Until: f.When("status", "notAfter"),
			Issuer: Issuer{Kind: cmp.Or(f.Text("spec", "issuerRef", "kind"), "Issuer"), Name: f.Text("spec", "issuerRef", "name")}}
		one.asks(objects)
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b Issued) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// asks finds the request of a Certificate that its issuer has not answered. cert-manager lets one wait whose issuer it does not find, and
// says so in its condition Ready (pkg/controller/certificaterequests/sync.go, cert-manager/cert-manager@0361a83).
func (c *Issued) asks(objects []unstructured.Unstructured) {
	for i := range objects {
		o := &objects[i]
		asks := o.GetKind() == "CertificateRequest" && o.GetNamespace() == c.Namespace && o.GroupVersionKind().Group == certManager
		if owners := o.GetOwnerReferences(); !asks || len(owners) == 0 || owners[0].Kind != c.Kind || owners[0].Name != c.Name {
			continue
		}
		for _, one := range whole.Fields(o.Object).Objects("status", "conditions") {
			ready := conditionOf(one)
			if ready.Type != "Ready" || ready.Status != "False" {
				continue
			}
			c.Request, c.Pending = refOf(o), ready
			text := strings.ToLower(ready.Message)
			c.Issuer.Missing = strings.HasPrefix(text, "referenced ") && strings.Contains(text, " not found")
		}
	}
}
