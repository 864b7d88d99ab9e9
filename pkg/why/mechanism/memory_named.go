package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// namesMemory reports whether what others say of resources, taints or limits is about memory, too.
func namesMemory(said string) bool {
	return strings.Contains(strings.ToLower(said), string(corev1.ResourceMemory))
}

func ofMemory(is bool) cause.Topics {
	if is {
		return cause.Memory
	}
	return 0
}
