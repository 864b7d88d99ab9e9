package operator

import (
	"cmp"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Process is one process of an installation and what it needs.
type Process struct {
	Deployment *snapshot.Deployment
	Namespaces []string // that its informers look into; nil: all
	Needs      []Permission
}

// Processes returns the processes of an installation that run, with the permissions that its release needs.
func (in *Installation) Processes() []Process {
	var out []Process
	add := func(d *snapshot.Deployment, namespaces []string, needs []Permission) {
		if d == nil || d.Replicas == 0 {
			return
		}
		p := Process{Deployment: d, Namespaces: namespaces}
		for _, need := range needs {
			if !in.has(d, need.When) {
				continue
			}
			need.Name = in.nameIn(d, need)
			p.Needs = append(p.Needs, need)
		}
		out = append(out, p)
	}
	needs := in.Facts().Needs
	add(in.Controller, in.Namespaces(), needs.Controller)
	if !in.Legacy() {
		add(in.Webhook, in.WebhookNamespaces(), needs.Webhook)
	}
	return out
}

// has reports whether a process may use a feature; which applications do is another question.
func (in *Installation) has(d *snapshot.Deployment, f Feature) bool {
	switch f {
	case LeaderElection:
		on, set := flagsOf(d)["leader-election"]
		return set && on != "false"
	case SelectNamespaces:
		return in.NamespaceSelector() != ""
	case OwnCertificates:
		return in.CertificateUse() != FromCertManager
	case DriverBudgets:
		on, set := flagsOf(d)["enable-driver-pdb"]
		return set && on != "false"
	default:
		return true
	}
}

// UIIngress reports whether the controller makes an ingress for every application (internal/controller/
// sparkapplication/controller.go@v2.5.2, submitSparkApplication).
func (in *Installation) UIIngress() bool {
	return in.IngressFormat() != ""
}

// IngressFormat is that of the Ingresses which the controller makes for UIs; empty: it makes none.
func (in *Installation) IngressFormat() string {
	if in.flag("enable-ui-service") == "false" {
		return ""
	}
	return unquoted(in.flag("ingress-url-format"))
}

// nameIn returns the name of the one object that a permission is about, as the flags of the process say.
func (in *Installation) nameIn(d *snapshot.Deployment, need Permission) string {
	switch need.Resource {
	case "leases":
		return cmp.Or(flagsOf(d)["leader-election-lock-name"], "spark-operator-lock")
	case "secrets":
		return in.WebhookSecret().Name
	case "mutatingwebhookconfigurations":
		return flagsOf(d)["mutating-webhook-name"]
	case "validatingwebhookconfigurations":
		return flagsOf(d)["validating-webhook-name"]
	default:
		return ""
	}
}

// NamespaceOf returns the namespace of the lease or the Secret of a process.
func (in *Installation) NamespaceOf(d *snapshot.Deployment, p Place) string {
	if p == InSecretNamespace {
		return in.WebhookSecret().Namespace
	}
	return cmp.Or(ownNamespace(flagsOf(d)["leader-election-lock-namespace"], d.Namespace), "spark-operator")
}

// ownNamespace resolves the variable that kustomize passes (config/controller/deployment.yaml@v2.5.2).
func ownNamespace(value, own string) string {
	if len(value) > 1 && value[:2] == "$(" {
		return own
	}
	return value
}
