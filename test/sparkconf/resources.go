package sparkconf

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

const mebibyte = 1 << 20

// SetResources sets requests and limits as BasicDriverFeatureStep and BasicExecutorFeatureStep do: memory plus an overhead of a tenth,
// at least 384 MiB; a CPU limit only if asked for.
func (c Conf) SetResources(container *corev1.Container, role Role) error {
	own, kubernetes := "spark."+string(role)+".", "spark.kubernetes."+string(role)+"."
	memory, err := Mebibytes(c.First(own+"memory"), 1024)
	if err != nil {
		return err
	}
	factor, err := strconv.ParseFloat(orElse(c.First(own+"memoryOverheadFactor", "spark.kubernetes.memoryOverheadFactor"), "0.1"), 64)
	if err != nil {
		return fmt.Errorf("parsing the memory overhead factor: %w", err)
	}
	overhead, err := Mebibytes(c.First(own+"memoryOverhead"), max(384, int64(factor*float64(memory))))
	if err != nil {
		return err
	}
	cores, err := resource.ParseQuantity(orElse(c.First(kubernetes+"request.cores", own+"cores"), "1"))
	if err != nil {
		return fmt.Errorf("parsing the %s's cores: %w", role, err)
	}
	total := *resource.NewQuantity((memory+overhead)*mebibyte, resource.BinarySI)
	container.Resources = corev1.ResourceRequirements{
		Requests: Merged(container.Resources.Requests, corev1.ResourceList{corev1.ResourceCPU: cores, corev1.ResourceMemory: total}),
		Limits:   Merged(container.Resources.Limits, corev1.ResourceList{corev1.ResourceMemory: total}),
	}
	limit := c[kubernetes+"limit.cores"]
	if limit == "" {
		return nil
	}
	cpu, err := resource.ParseQuantity(limit)
	if err != nil {
		return fmt.Errorf("parsing the %s's core limit: %w", role, err)
	}
	container.Resources.Limits[corev1.ResourceCPU] = cpu
	return nil
}

// Merged returns what a template asks for with what Spark adds to it.
func Merged(template, added corev1.ResourceList) corev1.ResourceList {
	all := corev1.ResourceList{}
	for _, list := range []corev1.ResourceList{template, added} {
		for name, quantity := range list {
			all[name] = quantity
		}
	}
	return all
}

// Mebibytes parses a size as the JVM writes it, such as 512m or 2g; a bare number is mebibytes.
func Mebibytes(text string, fallback int64) (int64, error) {
	if text == "" {
		return fallback, nil
	}
	digits := strings.TrimRight(strings.ToLower(text), "kmgtib")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("parsing the size %q: %w", text, err)
	}
	switch unit := strings.ToLower(text[len(digits):]); {
	case strings.HasPrefix(unit, "k"):
		return n / 1024, nil
	case strings.HasPrefix(unit, "g"):
		return n * 1024, nil
	case strings.HasPrefix(unit, "t"):
		return n * 1024 * 1024, nil
	}
	return n, nil
}

func orElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
