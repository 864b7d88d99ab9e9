package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// tokenUnmounted is about a driver without a token of its service account.
func tokenUnmounted(c *cause.Cause, d *mechanism.TokenUnmounted) Phrase {
	const field = "automountServiceAccountToken"
	policy := ""
	if d.Policy != "" {
		policy = ", which Kyverno policy " + d.Policy + " set"
	}
	lacks := "the driver's pod has no service account token and no CA certificate of the API server"
	if d.Unread {
		lacks = "the driver most likely could not log in to the API server, since its pod has no service account token"
	}
	again := command.Do("set %s: true on ServiceAccount %s, then run the application again", field, d.Account).
		With(`kubectl -n %s patch serviceaccount %s -p '{"automountServiceAccountToken": true}'`, c.Subject.Namespace, d.Account)
	switch {
	case d.By == mechanism.OffByAccount && d.Policy != "":
		return Phrase{fmt.Sprintf("%s: ServiceAccount %s has %s: false%s", lacks, d.Account, field, policy),
			[]command.Command{command.Do("exclude ServiceAccount %s from Kyverno policy %s, set %s: true on it, and run the application again; "+
				"until the policy changes, it sets the field back", d.Account, d.Policy, field)}}
	case d.By == mechanism.OffByAccount:
		return Phrase{fmt.Sprintf("%s: ServiceAccount %s has %s: false", lacks, d.Account, field), []command.Command{again}}
	case d.By == mechanism.OffByTemplate:
		return Phrase{fmt.Sprintf("%s: the spec's pod template has %s: false", lacks, field),
			[]command.Command{command.Do("set %s: true in the template", field)}}
	case d.By == mechanism.OffByPod && d.Policy != "":
		return Phrase{fmt.Sprintf("%s: the pod has %s: false%s", lacks, field, policy),
			[]command.Command{command.Do("exclude pods with the label spark-role=driver from Kyverno policy %s", d.Policy)}}
	case d.By == mechanism.OffByPod:
		return Phrase{fmt.Sprintf("%s: the pod has %s: false, and the spec does not say so", lacks, field), []command.Command{command.Do(
			"find the admission webhook, or the template in spark.kubernetes.driver.podTemplateFile, that sets it, and leave drivers out there")}}
	default:
		return Phrase{fmt.Sprintf("%s: nothing is mounted at /var/run/secrets/kubernetes.io/serviceaccount", lacks), []command.Command{command.Do(
			"see whether ServiceAccount %s, or a policy, had %s: false when the pod was created, and run the application again", d.Account,
			field)}}
	}
}

// debuggerAwaited is about a JVM that runs no code.
func debuggerAwaited(c *cause.Cause, d *mechanism.DebuggerAwaited) Phrase {
	whose := "the driver's JVM"
	if d.Role == cause.ExecutorRole {
		whose = "the JVM of executors"
	}
	on := ""
	if d.Port != "" {
		on = " on port " + d.Port
	}
	waits := "waits"
	if d.Unread {
		waits = "most likely waits"
	}
	says := fmt.Sprintf("%s %s for a debugger%s, and runs no code until one connects", whose, waits, on)
	do := command.Do("set suspend=n in the option -agentlib:jdwp of the image or of the pod, or remove it")
	if d.Option != "" {
		suspend := "suspend=y"
		if !strings.Contains(d.Option, suspend) {
			suspend = "jdwp without suspend=n"
		}
		says += fmt.Sprintf(" (%s in %s)", suspend, d.Given)
		do = command.Do("set suspend=n in %s, or remove the jdwp option; or connect a debugger", d.Given)
	}
	if d.Port != "" {
		do = do.With("kubectl -n %s port-forward %s %s", c.Subject.Namespace, c.Subject.Name, d.Port)
	}
	return Phrase{says, []command.Command{do}}
}

// localeUnfit is about a JVM whose locale lacks characters.
func localeUnfit(d *mechanism.LocaleUnfit) Phrase {
	encoding := "an encoding without the characters of the name"
	switch strings.ToUpper(d.Encoding) {
	case "":
	case "ANSI_X3.4-1968", "US-ASCII", "ASCII", "646":
		encoding = fmt.Sprintf("ASCII (sun.jnu.encoding %s)", d.Encoding)
	default:
		encoding = fmt.Sprintf("sun.jnu.encoding %s", d.Encoding)
	}
	set := fmt.Sprintf("%s=%s", d.Variable, d.Value)
	says := ""
	switch {
	case d.Variable == "":
		says = fmt.Sprintf("the %s's pod sets neither LC_ALL nor LANG, and its JVM reads and writes file names in %s", d.Role, encoding)
	case d.Lacks:
		says = fmt.Sprintf("the image has no locale %s (%s), so the %s's JVM reads and writes file names in %s", d.Value, set, d.Role, encoding)
	case d.Value == "":
		says = fmt.Sprintf("by the locale in %s, the %s's JVM reads and writes file names in %s", d.Variable, d.Role, encoding)
	default:
		says = fmt.Sprintf("%s is no UTF-8 locale, so the %s's JVM reads and writes file names in %s", set, d.Role, encoding)
	}
	vain := "-Dfile.encoding does not help"
	if d.Option != "" {
		vain = d.Option + " does not help"
	}
	return Phrase{says, []command.Command{command.Do("set LC_ALL to C.UTF-8 in spec.%s.env, or in the image (%s: the JVM takes "+
		"sun.jnu.encoding from the locale alone)", d.Role, vain)}}
}
