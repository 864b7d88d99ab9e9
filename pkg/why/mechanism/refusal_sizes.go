package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// Exceeds is how much a pod that was refused asks for, and how much it may.
type Exceeds struct {
	Resource   corev1.ResourceName // cpu or memory
	Most, Asks resource.Quantity
	OwnLimit   bool // what it may is its own limit; else a LimitRange says it
}

// bounds and ownLimit match what admission and validation say of them (maxConstraint in plugin/pkg/admission/limitranger/admission.go and
// ValidateContainerResourceRequirements in pkg/apis/core/validation/validation.go of kubernetes@v1.36.3).
var (
	bounds = lazyregexp.New(`^maximum (cpu|memory) usage per (?:Container|Pod) is ([\w.]{1,40}), but limit is ` +
		`(\d{1,30}(?:\.\d{1,9})?[A-Za-z]{0,2})\b`)
	ownLimit = lazyregexp.New(`requests: Invalid value: "([\w.]{1,40})": must be less than or equal to (cpu|memory) limit of ([\w.]{1,40})`)
)

// exceedsIn reads the sizes out of the words of a refusal; nil: they are not about any.
func exceedsIn(kind RefusalKind, text string) *Exceeds {
	var out Exceeds
	var most, asks string
	if m := bounds.FindStringSubmatch(text); m != nil && kind == LimitRangeRefuses {
		out.Resource, most, asks = corev1.ResourceName(m[1]), m[2], m[3]
	} else if m := ownLimit.FindStringSubmatch(text); m != nil && kind == Invalid {
		out.Resource, asks, most, out.OwnLimit = corev1.ResourceName(m[2]), m[1], m[3], true
	} else {
		return nil
	}
	var errs [2]error
	out.Most, errs[0] = resource.ParseQuantity(most)
	out.Asks, errs[1] = resource.ParseQuantity(asks)
	if errs != [2]error{} {
		return nil
	}
	return &out
}

// Amount is what a quota has and what was asked of it, of one resource. Zero: several lack, or it is cut off.
type Amount struct {
	Resource            corev1.ResourceName
	Asks, Used, Limited resource.Quantity
}

// amounts match what a quota says of one resource (plugin/pkg/admission/resourcequota/controller.go of kubernetes@v1.36.3).
var amounts = lazyregexp.New(`requested: ([\w./-]+)=(\w+), used: ([\w./-]+)=(\w+), limited: ([\w./-]+)=(\w+)$`)

func amountIn(text string) Amount {
	m := amounts.FindStringSubmatch(text)
	if m == nil || m[1] != m[3] || m[3] != m[5] {
		return Amount{}
	}
	out := Amount{Resource: corev1.ResourceName(m[1])}
	for to, text := range map[*resource.Quantity]string{&out.Asks: m[2], &out.Used: m[4], &out.Limited: m[6]} {
		q, err := resource.ParseQuantity(text)
		if err != nil {
			return Amount{}
		}
		*to = q
	}
	return out
}

// unsetIn are the resources of "must specify limits.cpu,limits.memory".
func unsetIn(text string) []corev1.ResourceName {
	var out []corev1.ResourceName
	for name := range strings.SplitSeq(strings.TrimPrefix(text, "must specify "), ",") {
		out = append(out, corev1.ResourceName(name))
	}
	return out
}

// cutOff matches how a call ends of which the other side closed the connection before it answered (net/http@go1.24, net).
var cutOff = lazyregexp.New(`(?:EOF|connection reset by peer)\W*$`)
