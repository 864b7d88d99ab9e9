package objects

import (
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// pullWrapper is what kubelet, CRI and runtime put before an error of a registry, outermost first: it says which call failed, and names the
// image again (pullImage in pkg/kubelet/images/image_manager.go of kubernetes@v1.36.3; PullImage in
// internal/cri/server/images/image_pull.go and open in core/remotes/docker/fetcher.go of containerd/containerd@v2.0.0).
var pullWrapper = regexp.MustCompile(`^(?:Failed to pull image "[^"]*"|rpc error: code = \w+ desc =|Error response from daemon|` +
	`failed to pull and unpack image "[^"]*"|failed to resolve (?:reference|image) "[^"]*"|failed to copy|httpReadSeeker|failed open|` +
	`unexpected status (?:code|from HEAD request to|from GET request to) \S+):? +`)

// pullError is what the registry, the network or the runtime said, without what wraps it.
func pullError(message string) string {
	out := strings.TrimSpace(message)
	for {
		inner := strings.TrimSpace(pullWrapper.ReplaceAllString(out, ""))
		if inner == out || inner == "" {
			return out
		}
		out = inner
	}
}

func imageNext(v *View, p *corev1.Pod, image, reason, message string) command.Command {
	lower := strings.ToLower(message)
	switch {
	case reason == "ErrImageNeverPull":
		return command.Do("set imagePullPolicy to IfNotPresent, or load image %s onto the node", image)
	case reason == "InvalidImageName":
		return command.Do("correct the image name %q in %s", image, v.imageField(p))
	case strings.Contains(lower, "unauthorized"), strings.Contains(lower, "authorization"), strings.Contains(lower, "denied"),
		strings.Contains(lower, "403"), strings.Contains(lower, "401"), strings.Contains(lower, "credential"):
		return command.Do("name a pull secret in %s that may read %s", v.secretsField(p), image)
	case strings.Contains(lower, "toomanyrequests"), strings.Contains(lower, "too many requests"):
		return command.Do("name a pull secret in %s, so that the registry's rate limit of an account counts, or copy %s "+
			"to a registry of your own", v.secretsField(p), image)
	case strings.Contains(lower, "no match for platform"), strings.Contains(lower, "no matching manifest"):
		return command.Do("build image %s for the architecture of the node, or set nodeSelector kubernetes.io/arch to one that it has", image)
	case strings.Contains(lower, "not found"), strings.Contains(lower, "manifest unknown"):
		return command.Do("push image %s, or correct its name and tag", image)
	default:
		return command.Do("find out why the node cannot reach the registry of %s", image).
			With("kubectl -n %s get events --field-selector reason=Failed", v.Subject.Namespace)
	}
}
