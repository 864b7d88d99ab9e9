package mechanism

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ImagePull is a container whose image the kubelet cannot pull: the registry refuses, does not have it or cannot be reached, or the spec
// does not let the kubelet pull it. What is refused and what cannot be reached look alike by the reason alone, and differ in what was
// said. The reasons are in pkg/kubelet/images/types.go@v1.36.3, the words are those of registries.
type ImagePull struct {
	Waiting

	Container    string
	Image        string
	Reason       string // of the kubelet: it alternates between a pull and the pause after it
	Said         string // by the kubelet or, in an event, by the runtime
	Fault        PullFault
	ImageField   string // of the spec: the image
	SecretsField string // of the spec: the pull secrets
}

// Mechanism returns its ID.
func (ImagePull) Mechanism() cause.ID { return "image-pull" }

func (d ImagePull) alike(string) waitingDetail { return ImagePull{Image: d.Image} }

// PullFault is why an image cannot be pulled.
type PullFault string

// The faults.
const (
	RegistryUnreachable PullFault = "" // or it says something that is not known
	PullNever           PullFault = "pull policy"
	ImageNameInvalid    PullFault = "name"
	PullDenied          PullFault = "denied"
	PullLimited         PullFault = "rate limit"
	NoPlatform          PullFault = "platform"
	ImageNotThere       PullFault = "not there"
)

func imagePull(w *waiter, s waitingContainer) cause.Cause {
	said := s.State.Waiting.Message
	if s.State.Waiting.Reason == "ImagePullBackOff" {
		said = cmp.Or(s.pulling, said)
	}
	d := ImagePull{Waiting: w.Waiting, Container: s.Name, Image: s.Image, Reason: s.State.Waiting.Reason, Said: said,
		ImageField: w.imageField(w.pod), SecretsField: secretsField(w.View, w.pod)}
	for _, one := range append(slices.Clone(w.pod.Spec.Containers), w.pod.Spec.InitContainers...) {
		if one.Name == s.Name {
			d.Image = one.Image
		}
	}
	d.Fault = pullFault(d.Reason, said)
	return w.cause(cause.Image, cause.ByContainer, d, s.evidence...)
}

func pullFault(reason, said string) PullFault {
	switch reason {
	case "ErrImageNeverPull":
		return PullNever
	case "InvalidImageName":
		return ImageNameInvalid
	}
	lower := strings.ToLower(said)
	for _, one := range []struct {
		fault PullFault
		said  []string
	}{
		{PullDenied, []string{"unauthorized", "authorization", "denied", "403", "401", "credential"}},
		{PullLimited, []string{"toomanyrequests", "too many requests"}},
		{NoPlatform, []string{"no match for platform", "no matching manifest"}},
		{ImageNotThere, []string{"not found", "manifest unknown"}},
	} {
		if slices.ContainsFunc(one.said, func(words string) bool { return strings.Contains(lower, words) }) {
			return one.fault
		}
	}
	return RegistryUnreachable
}
