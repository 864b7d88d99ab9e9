// Package phrase writes what parts of sentences have in common: numbers with their nouns, amounts, lists that are cut short, and what
// other programs said. It knows nothing of what the sentences are about.
package phrase

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Amount writes CPU in cores, memory and disks in GiB, and all else as it is. The name may be that of a quota.
func Amount(q resource.Quantity, name corev1.ResourceName) string {
	of := strings.TrimPrefix(strings.TrimPrefix(string(name), "requests."), "limits.")
	switch corev1.ResourceName(of) {
	case corev1.ResourceCPU:
		return strconv.FormatFloat(float64(q.MilliValue())/1000, 'f', -1, 64)
	case corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourceStorage:
		return strings.TrimSuffix(strconv.FormatFloat(float64(q.Value())/(1<<30), 'f', 1, 64), ".0") + " GiB"
	default:
		return q.String()
	}
}
