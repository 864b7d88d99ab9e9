package operator

import (
	"slices"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// CertificateUse says what a release does with the Secret that holds its webhook's certificate.
type CertificateUse = release.CertificateUse

// What it may do.
const (
	NoCertificate   = release.NoCertificate
	MountedFiles    = release.MountedFiles
	OnePerReplica   = release.OnePerReplica
	ReadAtStart     = release.ReadAtStart
	CheckedAtStart  = release.CheckedAtStart
	FromCertManager = release.FromCertManager
)

// CertificateUse returns what the installation's webhook does with its certificate's Secret.
func (in *Installation) CertificateUse() CertificateUse {
	if in.Webhook == nil {
		return NoCertificate
	}
	flags := in.webhook.flags
	switch certManager, set := flags["enable-cert-manager"]; {
	case in.Legacy() && flags["webhook-secret-name"] != "": // the flag came with chart 1.4.0
		return OnePerReplica
	case set && certManager != "false" && in.Facts().CertManager:
		return FromCertManager
	default:
		return in.Facts().Certificate
	}
}

// ChecksCertificate reports whether the webhook of a 2.x release re-creates a certificate that is for another name than its
// Service's: before, it serves whatever parses (see ReadAtStart and CheckedAtStart).
func ChecksCertificate(v Version) bool { return releases.Of(v).Certificate == CheckedAtStart }

// ServerName is the name that the API server asks for when it calls a Service.
func ServerName(service snapshot.Key) string { return service.Name + "." + service.Namespace + ".svc" }

// WebhookPort is the port on which the webhook's pods listen: the container port of that name (in the chart since
// 1.2), else the flag, else the flag's default (main.go@chart-1.1.27, cmd/operator/webhook/start.go@v2.5.2).
func (in *Installation) WebhookPort() int32 {
	if c := in.webhookContainer(); c != nil {
		if i := slices.IndexFunc(c.Ports, func(p snapshot.ContainerPort) bool { return p.Name == "webhook" }); i >= 0 {
			return c.Ports[i].Port
		}
		if n, err := strconv.ParseUint(in.webhook.flags["webhook-port"], 10, 16); err == nil && n > 0 {
			return int32(n)
		}
	}
	if in.Legacy() {
		return 8080
	}
	return 9443
}

// WebhookRun returns the current run of the webhook's container in one of its pods.
func (in *Installation) WebhookRun(p *snapshot.OperatorPod) (snapshot.ContainerRun, bool) {
	c := in.webhookContainer()
	if c == nil {
		return snapshot.ContainerRun{}, false
	}
	i := slices.IndexFunc(p.Runs, func(r snapshot.ContainerRun) bool { return r.Name == c.Name })
	if i < 0 {
		return snapshot.ContainerRun{}, false
	}
	return p.Runs[i], true
}

// webhookContainer is the container of the webhook Deployment that runs the operator.
func (in *Installation) webhookContainer() *snapshot.Container {
	if in.Webhook == nil {
		return nil
	}
	return operatorContainer(in.Webhook)
}

// WebhookPods returns the installation's webhook pods that receive requests.
func (in *Installation) WebhookPods(pods []snapshot.OperatorPod) []*snapshot.OperatorPod {
	var out []*snapshot.OperatorPod
	if in.Webhook == nil || len(in.Webhook.Selector) == 0 {
		return nil
	}
	for i := range pods {
		if p := &pods[i]; p.Namespace == in.Webhook.Namespace && p.Ready && !p.Terminating() && p.Phase == "Running" &&
			selects(in.Webhook.Selector, p.Labels) {
			out = append(out, p)
		}
	}
	return out
}

func selects(selector map[string]string, labels snapshot.Labels) bool {
	for key, value := range selector {
		if got, set := labels.Lookup(key); !set || got != value {
			return false
		}
	}
	return true
}
