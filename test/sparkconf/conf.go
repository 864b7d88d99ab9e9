// Package sparkconf does with Spark's settings what Spark's Kubernetes client does with them, for drivers and executors alike: the
// stand-ins of spark-submit and of a driver share it. The facts are those of apache/spark, resource-managers/kubernetes/core,
// org/apache/spark/deploy/k8s, of Spark 3.5.
package sparkconf

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Conf is Spark's settings, such as spark.kubernetes.namespace, by their keys.
type Conf map[string]string

// Role is which of its pods Spark makes. Keys contain it: spark.kubernetes.ROLE.label.NAME.
type Role string

// The roles.
const (
	Driver   Role = "driver"
	Executor Role = "executor"
)

// Dir is where containers find their settings (Constants.scala: SPARK_CONF_DIR_INTERNAL).
const Dir = "/opt/spark/conf"

// File is the settings' file in Dir, and the key of the ConfigMap.
const File = "spark.properties"

// First returns the value of the first key that is set.
func (c Conf) First(keys ...string) string {
	for _, key := range keys {
		if value := c[key]; value != "" {
			return value
		}
	}
	return ""
}

// Under returns the values of keys with a prefix, by the rest of the key.
func (c Conf) Under(prefix string) map[string]string {
	values := map[string]string{}
	for key, value := range c {
		if rest, ok := strings.CutPrefix(key, prefix); ok && rest != "" {
			values[rest] = value
		}
	}
	return values
}

// Properties returns the settings as a properties file, sorted by key.
func (c Conf) Properties() string {
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&text, "%s=%s\n", key, c[key])
	}
	return text.String()
}

// Parse reads what Properties wrote.
func Parse(text string) (Conf, error) {
	c := Conf{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("setting %q has no value", line)
		}
		c[key] = value
	}
	return c, lines.Err()
}

// Prefix returns the start of the names of what belongs to an application: its own name, fit for a DNS label, and something unique
// (KubernetesConf.getResourceNamePrefix, KubernetesUtils.uniqueID).
func Prefix(app string) (string, error) {
	id, err := HexID(8)
	if err != nil {
		return "", err
	}
	name := strings.ToLower(strings.TrimSpace(app + "-" + id))
	name = regexp.MustCompile(`[^a-z0-9-]`).ReplaceAllString(name, "-")
	name = regexp.MustCompile(`-+`).ReplaceAllString(name, "-")
	if !regexp.MustCompile(`^[a-z]`).MatchString(name) {
		name = "x" + name
	}
	return name, nil
}

// HexID returns that many random bytes in hexadecimal.
func HexID(bytes int) (string, error) {
	id := make([]byte, bytes)
	if _, err := rand.Read(id); err != nil {
		return "", fmt.Errorf("making an identifier: %w", err)
	}
	return hex.EncodeToString(id), nil
}

// Overlay returns one map of all, the later winning, or nil for no entry.
func Overlay(layers ...map[string]string) map[string]string {
	var all map[string]string
	for _, layer := range layers {
		if len(layer) > 0 && all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, layer)
	}
	return all
}
