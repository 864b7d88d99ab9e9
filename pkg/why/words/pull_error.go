package words

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// pullWrapper is what kubelet, CRI and runtime put before an error of a registry, outermost first: it says which call failed, and names the
// image again (pullImage in pkg/kubelet/images/image_manager.go of kubernetes@v1.36.3; PullImage in
// internal/cri/server/images/image_pull.go and open in core/remotes/docker/fetcher.go of containerd/containerd@v2.0.0).
var pullWrapper = lazyregexp.New(`^(?:Failed to pull image "[^"]*"|rpc error: code = \w+ desc =|Error response from daemon|` +
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
