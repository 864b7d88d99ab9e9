package spark

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// javaMemory reads "512m" or "2g" as the webhook does (ConvertJavaMemoryStringToK8sMemoryString,
// pkg/util/util.go@v2.5.2), and what Kubernetes writes.
func javaMemory(text string) (string, bool) {
	number := strings.TrimRight(text, "bkmgtp")
	if unit := strings.TrimSuffix(text[len(number):], "b"); unit != "" {
		text = number + strings.ToUpper(unit[:1]) + "i"
	}
	q, err := resource.ParseQuantity(text)
	if err != nil || q.Value() <= 0 {
		return "", false
	}
	return strconv.FormatInt(q.Value(), 10), true
}
