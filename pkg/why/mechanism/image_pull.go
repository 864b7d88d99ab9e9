package mechanism

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ImagePull is a container whose image the kubelet cannot pull: the registry refuses, does not have it or cannot be reached, or the spec
// does not let the kubelet pull it. What is refused and what cannot be reached look alike by the reason alone, and differ in what was
// said: the words are in pull_fault.go. The reasons are in pkg/kubelet/images/types.go@v1.36.3.
type ImagePull struct {
	Waiting

	Container    string
	Image        string
	Reason       string // of the kubelet: it alternates between a pull and the pause after it
	Said         string // by the kubelet or, in an event, by the runtime
	Fault        PullFault
	ImageField   string // of the spec: the image; empty: the container is not that of Spark
	SecretsField string // of the spec: the pull secrets
	// SecretsGone are the pull secrets of the pod, where the kubelet finds none of them and the registry refuses who has no account.
	SecretsGone []string
	SecretsOf   string   // the service account that names them, and not the spec; empty: it is not that
	Known       []string // pull secrets that the namespace has; nil: none was seen
	Node        string   // that pulls
	Runtime     string   // of the node: "containerd://2.1.4"; empty: not known
}

// Mechanism returns its ID.
func (ImagePull) Mechanism() cause.ID { return "image-pull" }

func (d ImagePull) alike(string) waitingDetail { return ImagePull{Image: d.Image} }

func imagePull(w *waiter, s waitingContainer) cause.Cause {
	said := s.State.Waiting.Message
	if s.State.Waiting.Reason == "ImagePullBackOff" {
		said = cmp.Or(s.pulling, said)
	}
	d := ImagePull{Waiting: w.Waiting, Container: s.Name, Image: s.Image, Reason: s.State.Waiting.Reason, Said: said,
		SecretsField: secretsField(w.View, w.pod)}
	if s.Name == app.MainName(w.pod) {
		d.ImageField = w.imageField(w.pod)
	}
	for _, one := range append(slices.Clone(w.pod.Spec.Containers), w.pod.Spec.InitContainers...) {
		if one.Name == s.Name {
			d.Image = one.Image
		}
	}
	d.Fault, d.Node = pullFault(d.Reason, said), w.pod.Spec.NodeName
	if node := w.View.Node(d.Node); node != nil {
		d.Runtime = node.Status.NodeInfo.ContainerRuntimeVersion
	}
	if d.Fault == PullDenied || d.Fault == PullLimited {
		if gone, shown := w.pullSecretsGone(); len(gone) > 0 {
			d.SecretsGone, d.SecretsOf, d.Known = gone, w.accountNames(gone), PullSecrets(w.Secrets)
			s.evidence = append(s.evidence, shown)
		}
	}
	return w.cause(cause.Image, cause.ByContainer, d, s.evidence...)
}
