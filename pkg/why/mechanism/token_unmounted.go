package mechanism

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TokenUnmounted is a driver whose client of Kubernetes cannot verify or log in to the API server, because its pod has no token of its
// service account: the folder of the token holds the certificate authority, too. The field of the pod counts before that of the service
// account (shouldAutomount in plugin/pkg/admission/serviceaccount/admission.go of kubernetes/kubernetes@v1.36.3). A certificate of another
// server that is not trusted looks alike, and so does a token that is mounted by hand, or a client that a setting gives another token.
type TokenUnmounted struct {
	Account string // service account of the pod
	By      TurnedOff
	Policy  string // of Kyverno, which wrote that; empty: none was seen to
	OnPods  bool   // the policy changed the pod itself, after the template
	Unread  bool   // the log of the driver was not read
}

// Mechanism names it.
func (TokenUnmounted) Mechanism() cause.ID { return "token-unmounted" }

const (
	// tokenFolder is where the token is mounted (DefaultAPITokenMountPath in the same file).
	tokenFolder = "/var/run/secrets/kubernetes.io/serviceaccount"
	automount   = "automountServiceAccountToken"
)

// tokenUnread is what the client of Kubernetes warns of (tryServiceAccount in kubernetes-client-api/src/main/java/io/fabric8/kubernetes/
// client/Config.java of fabric8io/kubernetes-client@v6.7.2).
var tokenUnread = lazyregexp.New(`Error reading service account token from: \[[^\]\n]{1,200}\][^\n]{0,20}`)

// WithoutToken explains a failure of the driver's client of Kubernetes by a pod without a token.
func WithoutToken(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	if !is || !ofClient(&failed) || about.Trust != cause.ByDriverLog || v.Driver == nil || about.Subject.Name != v.Driver.Name {
		return cause.Cause{}, false
	}
	container, lacks := v.lacksToken()
	if !lacks {
		return cause.Cause{}, false
	}
	d := TokenUnmounted{Account: accountOf(v, cause.DriverRole, v.Driver)}
	proofs := d.seen(v)
	if unread := tokenUnread.FindString(textOfDriver(v)); unread != "" && len(container.VolumeMounts) > 0 {
		proofs = append(proofs, cause.Proof{Object: Ref(v.Driver), Field: v.logField(), Value: unread})
	} else if d.By == OffUnsaid {
		return cause.Cause{}, false // a pod that was not read in full
	}
	return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: cause.DriverRole, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: proofs}, true
}

// tokenUnmounted is the same of a driver that failed as it started, and whose log was not read. One that failed later had a token, or
// another client.
func tokenUnmounted(v *View) []cause.Cause {
	if v.Driver == nil || v.Work.Seen || v.IsConnect() {
		return nil
	}
	end := app.Termination(v.Driver)
	_, lacks := v.lacksToken()
	if !lacks || end == nil || end.ExitCode != 1 || end.FinishedAt.Sub(end.StartedAt.Time) > startsFor {
		return nil
	}
	d := TokenUnmounted{Account: accountOf(v, cause.DriverRole, v.Driver), Unread: true}
	proofs := d.seen(v)
	if d.By == OffUnsaid {
		return nil
	}
	return []cause.Cause{{Class: cause.Configuration, Certainty: check.Likely, Role: cause.DriverRole, Subject: Ref(v.Driver),
		At: end.FinishedAt.UTC(), Trust: cause.BySpec, Detail: d, Evidence: proofs}}
}

// startsFor is how long a driver may take until it asks the API server for itself.
const startsFor = 3 * time.Minute

// lacksToken reports whether a driver has neither the token of its service account nor another one, and returns its container.
func (v *View) lacksToken() (*corev1.Container, bool) {
	c := mainContainer(v.Driver)
	return c, c != nil && !slices.ContainsFunc(c.VolumeMounts, givesToken) && !v.authenticatesOtherwise(c)
}

// ofClient reports whether a failure is of the client of Kubernetes, for want of a certificate authority or of a token. Without a token,
// the API server takes it for system:anonymous (k8s.io/apiserver pkg/authentication/user/user.go, Anonymous).
func ofClient(failed *logs.Failure) bool {
	known, is := failed.Meaning.(logs.Known)
	if !is {
		return false
	}
	switch known.Signature.ID {
	case "tls-trust":
		return slices.ContainsFunc(failed.Chain, func(t logs.Throwable) bool {
			return strings.HasPrefix(t.Class, "io.fabric8.kubernetes.client.")
		})
	case "token-rejected":
		return true
	case "rbac-denied":
		return known.Groups["user"] == "system:anonymous"
	default:
		return false
	}
}

// givesToken reports whether a mount is that of the token, or one in which it may lie.
func givesToken(m corev1.VolumeMount) bool {
	at := strings.TrimRight(m.MountPath, "/")
	return at == tokenFolder || at == strings.TrimPrefix(tokenFolder, "/var") ||
		strings.HasPrefix(tokenFolder, at+"/") || strings.HasPrefix(tokenFolder, "/var"+at+"/")
}

// authenticatesOtherwise reports whether the client of a driver has another token: by a setting, or by a configuration of its own.
func (v *View) authenticatesOtherwise(c *corev1.Container) bool {
	for key := range v.Spec.Conf {
		given := strings.HasPrefix(key, "spark.kubernetes.authenticate.") && !strings.HasSuffix(key, ".serviceAccountName")
		if given && !strings.HasPrefix(key, "spark.kubernetes.authenticate.executor.") &&
			!strings.HasPrefix(key, "spark.kubernetes.authenticate.submission.") {
			return true
		}
	}
	return slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool {
		return e.Name == "KUBECONFIG" || strings.HasPrefix(e.Name, "KUBERNETES_AUTH_")
	})
}

// textOfDriver is what was read of the log of the driver.
func textOfDriver(v *View) string {
	l := v.DriverLog()
	if l == nil {
		return ""
	}
	return l.Head + "\n" + l.Tail
}
