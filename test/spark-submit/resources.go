package main

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

const mebibyte = 1 << 20

// setResources sets requests and limits as Spark's BasicDriverFeatureStep does: memory plus an
// overhead of a tenth, at least 384 MiB; a CPU limit only if asked for.
func setResources(c *corev1.Container, j job) error {
	memory, err := mebibytes(j.first("spark.driver.memory"), 1024)
	if err != nil {
		return err
	}
	factor, err := strconv.ParseFloat(orElse(j.first("spark.driver.memoryOverheadFactor", "spark.kubernetes.memoryOverheadFactor"), "0.1"), 64)
	if err != nil {
		return fmt.Errorf("parsing the memory overhead factor: %w", err)
	}
	overhead, err := mebibytes(j.first("spark.driver.memoryOverhead"), max(384, int64(factor*float64(memory))))
	if err != nil {
		return err
	}
	cores, err := resource.ParseQuantity(orElse(j.first("spark.kubernetes.driver.request.cores", "spark.driver.cores"), "1"))
	if err != nil {
		return fmt.Errorf("parsing the driver's cores: %w", err)
	}
	total := *resource.NewQuantity((memory+overhead)*mebibyte, resource.BinarySI)
	c.Resources = corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: cores, corev1.ResourceMemory: total},
		Limits:   corev1.ResourceList{corev1.ResourceMemory: total},
	}
	limit := j.conf["spark.kubernetes.driver.limit.cores"]
	if limit == "" {
		return nil
	}
	cpu, err := resource.ParseQuantity(limit)
	if err != nil {
		return fmt.Errorf("parsing the driver's core limit: %w", err)
	}
	c.Resources.Limits[corev1.ResourceCPU] = cpu
	return nil
}

// mebibytes parses a size as the JVM writes it, such as 512m or 2g; a bare number is mebibytes.
func mebibytes(text string, fallback int64) (int64, error) {
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
