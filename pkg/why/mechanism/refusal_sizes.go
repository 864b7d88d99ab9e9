package mechanism

import (
	"regexp"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Exceeds is how much a pod that was refused asks for, and how much it may.
type Exceeds struct {
	Resource   corev1.ResourceName // cpu or memory
	Most, Asks resource.Quantity
	OwnLimit   bool // what it may is its own limit; else a LimitRange says it
}

// sizes match what admission and validation say of them (maxConstraint in plugin/pkg/admission/limitranger/admission.go and
// ValidateContainerResourceRequirements in pkg/apis/core/validation/validation.go of kubernetes@v1.36.3).
var sizes = sync.OnceValues(func() (bounds, own *regexp.Regexp) { //nolint:gochecknoglobals // compiled once, never changed
	return regexp.MustCompile(`^maximum (cpu|memory) usage per (?:Container|Pod) is ([\w.]{1,40}), but limit is ` +
			`(\d{1,30}(?:\.\d{1,9})?[A-Za-z]{0,2})\b`),
		regexp.MustCompile(`requests: Invalid value: "([\w.]{1,40})": must be less than or equal to (cpu|memory) limit of ([\w.]{1,40})`)
})

// Exceeds reads the sizes out of a refusal that is about them.
func (r *Refusal) Exceeds() (Exceeds, bool) {
	bounds, own := sizes()
	text := ""
	if len(r.Said) > 1 {
		text = r.Said[len(r.Said)-1]
	}
	var out Exceeds
	var most, asks string
	switch r.Kind {
	case LimitRangeRefuses:
		m := bounds.FindStringSubmatch(text)
		if m == nil {
			return Exceeds{}, false
		}
		out.Resource, most, asks = corev1.ResourceName(m[1]), m[2], m[3]
	case Invalid:
		m := own.FindStringSubmatch(text)
		if m == nil {
			return Exceeds{}, false
		}
		out.Resource, asks, most, out.OwnLimit = corev1.ResourceName(m[2]), m[1], m[3], true
	default:
		return Exceeds{}, false
	}
	var errs [2]error
	out.Most, errs[0] = resource.ParseQuantity(most)
	out.Asks, errs[1] = resource.ParseQuantity(asks)
	return out, errs == [2]error{}
}
