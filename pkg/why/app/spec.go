package app

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Role is what the spec gives to the driver, executors or server; empty for what is none of these.
func (s *Spec) Role(name string) *Role {
	switch name {
	case "driver":
		return &s.Driver
	case "executor":
		return &s.Executor
	case "server":
		return &s.Server
	default:
		return &Role{}
	}
}

// JavaOptions are those of the JVM of a role.
func (s *Spec) JavaOptions(role string) string {
	return cmp.Or(s.Role(role).JavaOptions, s.Conf["spark."+role+".extraJavaOptions"])
}

// Allocates reports whether the number of executors follows the work.
func (s *Spec) Allocates() bool {
	return s.DynamicAllocation.Enabled || s.Conf["spark.dynamicAllocation.enabled"] == "true"
}

// Asked is how many executors the spec asks for at the start; 0: it does not say, or lets Spark choose.
func (s *Spec) Asked() int {
	switch {
	case s.Allocates():
		return 0
	case s.Executor.Instances > 0:
		return s.Executor.Instances
	default:
		n, _ := strconv.Atoi(s.Conf["spark.executor.instances"]) // 0: it is not set
		return n
	}
}

// Retries is how often the operator may start the application again after a failure, where that is limited.
func (s *Spec) Retries() (int, bool) {
	switch n := s.RestartPolicy.OnFailureRetries; {
	case s.RestartPolicy.Type == "Never":
		return 0, true
	case s.RestartPolicy.Type == "OnFailure" && n != nil:
		return *n, *n > 0
	default:
		return 0, false
	}
}

// Settings are those of spec.sparkConf, without those whose name tells a secret.
func (s *Spec) Settings() map[string]string {
	out := map[string]string{}
	for key, value := range s.Conf {
		lower := strings.ToLower(key)
		secret := slices.ContainsFunc([]string{"secret", "password", "token", ".key", "credential", "account.key", "sas"},
			func(word string) bool { return strings.Contains(lower, word) })
		if !secret {
			out[key] = value
		}
	}
	return out
}

// HasVolume reports whether spec.volumes has one of that name.
func (s *Spec) HasVolume(name string) bool {
	return slices.ContainsFunc(s.Volumes, func(v corev1.Volume) bool { return v.Name == name })
}
