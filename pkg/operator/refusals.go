package operator

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// NameFault is what a release makes of the name of an application that is no DNS-1035 label: letters, digits and dashes,
// a letter first, at most 63 of them. The API server itself takes names with dots, with a digit first, and far longer.
type NameFault int

const (
	GoodName NameFault = iota
	// NoDriver: the name is in a label of the driver pod, and values of labels have at most 63 characters
	// (internal/controller/sparkapplication/submission.go@v2.5.2; pkg/controller/sparkapplication/submission.go@
	// v1beta2-1.6.2-3.5.0).
	NoDriver
	// RefusedName: since 2.4.0 the webhook refuses it at every creation and every update, whatever is updated
	// (internal/webhook/sparkapplication_validator.go@v2.4.0, #2711).
	RefusedName
	// NoSubmission: from 2.0.0 to 2.2.0 a submission fails if its UI Service cannot be made
	// (internal/controller/sparkapplication/controller.go@v2.2.0, submitSparkApplication; #2260).
	NoSubmission
	// StaysSubmitted: since 2.2.1 the UI Service is made after the submission, and without it the state is never written
	// (internal/controller/sparkapplication/controller.go@v2.2.1, reconcileSubmittedSparkApplication; #2698).
	StaysSubmitted
	// NoService: the Service of a SparkConnect cannot be made, and without it the status is never written
	// (internal/controller/sparkconnect/reconciler.go@v2.3.0 to @v2.5.2, Reconcile).
	NoService
)

// AcceptsName reports whether the webhook of a release lets an application or a schedule of that name be created and updated,
// by whomever and in whatever: since 2.4.0 it must be a DNS-1035 label (internal/webhook/sparkapplication_validator.go and
// scheduledsparkapplication_validator.go@v2.4.0, #2711). One that was there before keeps running, since its status is no
// affair of the webhook, and can be deleted; its labels, its spec and its finalizers cannot be changed, and with a finalizer it stays
// after it was deleted (seen with 2.4.0, TestUpgradeFacts in test/e2e).
func AcceptsName(v Version, name string) bool { return !releases.Of(v).RefusesNames || isLabel(name) }

// AcceptsConnectName is AcceptsName for SparkConnect servers, which have a webhook since 2.5.0 (internal/webhook/
// sparkconnect_validator.go@v2.5.0): their Service is called "<name>-server".
func AcceptsConnectName(v Version, name string) bool {
	return !releases.Of(v).RefusesConnectNames || isLabel(name) && len(name)+len("-server") <= validation.DNS1035LabelMaxLength
}

// ConnectNameFault is NameFault for a SparkConnect.
func (in *Installation) ConnectNameFault(name string) NameFault {
	switch {
	case isLabel(name) && len(name)+len("-server") <= validation.DNS1035LabelMaxLength:
		return GoodName
	case in.Webhook != nil && !AcceptsConnectName(in.Judged(), name):
		return RefusedName
	default:
		return NoService
	}
}

// uiSuffix is what the name of the UI Service has behind that of its application (pkg/util/sparkapplication.go@v2.0.0).
const uiSuffix = "-ui-svc"

// LongestName is how long the name of an object of a kind may be so that each release can run it: that of an application leaves room for
// its UI Service, that of a SparkConnect for its Service, and that of a schedule for the dash and the time in the names of its runs, which
// a label of their driver pods has. The installation decides how many digits the time has; without one, as many as every release writes.
func LongestName(kind string, in *Installation) int {
	switch kind {
	case "ScheduledSparkApplication":
		digits := mostDigits
		if in != nil {
			digits = in.runDigits()
		}
		return validation.LabelValueMaxLength - len("-") - digits
	case "SparkConnect":
		return validation.DNS1035LabelMaxLength - len("-server")
	default:
		return validation.DNS1035LabelMaxLength - len(uiSuffix)
	}
}

// NameFault judges the name of an application. proven is false where the API server decides: some take Services whose
// name begins with a digit.
func (in *Installation) NameFault(name string) (fault NameFault, proven bool) {
	v, label := in.Judged(), isLabel(name)
	// From 2.1.0 on the name of the UI Service is cut.
	tooLongForUI := !in.Facts().CutsUIName && len(name)+len(uiSuffix) > validation.DNS1035LabelMaxLength
	switch {
	case len(name) > validation.LabelValueMaxLength:
		return NoDriver, true
	case label && !tooLongForUI:
		return GoodName, true
	case in.Legacy():
		return GoodName, true // it logs that the UI Service cannot be made, and goes on
	case !AcceptsName(v, name) && in.Webhook != nil:
		return RefusedName, true
	case unquoted(in.flag("enable-ui-service")) == "false":
		return GoodName, true
	case !in.Facts().UIServiceLate:
		return NoSubmission, label || hasDot(name)
	default:
		return StaysSubmitted, label || hasDot(name)
	}
}

func isLabel(name string) bool { return len(validation.IsDNS1035Label(name)) == 0 }

func hasDot(name string) bool { return strings.Contains(name, ".") }

// SparkConfSince is the first release whose webhook refuses settings of spec.sparkConf.
func SparkConfSince() Version { return Since(func(f *Facts) bool { return len(f.DeniedSettings) > 0 }) }

// DeniedSettings lists those that the newest release refuses. One more, spark.kubernetes.namespace, is refused where it names
// another namespace.
func DeniedSettings() []DeniedSetting { return slices.Clone(releases.Of(Newest()).DeniedSettings) }

// NamespaceSetting may only name the namespace of the object that has it.
const NamespaceSetting = "spark.kubernetes.namespace"

// DeniedSparkConf reports whether the webhook of a release refuses a setting of an object in a namespace, and why.
func DeniedSparkConf(v Version, key, value, namespace string) (reason string, denied bool) {
	settings := releases.Of(v).DeniedSettings
	if len(settings) == 0 {
		return "", false
	}
	if key == NamespaceSetting && value != namespace {
		return fmt.Sprintf("it must be the object's own namespace, %q, and is %q", namespace, value), true
	}
	for _, d := range settings {
		if d.Key == key {
			return d.Reason, true
		}
	}
	return "", false
}
