package mutator

import (
	"fmt"
	"math/rand/v2"
)

type object = map[string]any

// maker makes applications at random. What it asks for is what the webhook carries to pods, what looks like it and is nothing, and
// what pods have without the webhook as well.
type maker struct{ *rand.Rand }

// some returns true once in n times.
func (m maker) some(n int) bool { return m.IntN(n) == 0 }

func pick[T any](m maker, list ...T) T { return list[m.IntN(len(list))] }

func (m maker) application(name string) object {
	spec := object{
		"type": "Scala", "mode": "cluster", "mainApplicationFile": "local:///app.jar", "sparkVersion": "3.5.5",
		"driver": m.role("driver"), "executor": m.role("executor"),
	}
	var volumes []any
	for _, volume := range []string{"data", "cache", "unused", "spark-local-dir-1"} {
		if m.some(2) {
			volumes = append(volumes, object{"name": volume, "emptyDir": object{}})
		}
	}
	m.maybe(spec, 2, "volumes", volumes)
	m.maybe(spec, 4, "batchScheduler", pick(m, "volcano", "yunikorn", "default-scheduler", ""))
	m.maybe(spec, 4, "batchSchedulerOptions", object{"queue": "q", "priorityClassName": "urgent"})
	m.maybe(spec, 5, "sparkConfigMap", "spark-conf")
	m.maybe(spec, 5, "hadoopConfigMap", "hadoop-conf")
	m.maybe(spec, 4, "nodeSelector", object{"disk": pick(m, "ssd", "hdd")})
	m.maybe(spec, 4, "monitoring", m.monitoring())
	m.maybe(spec, 3, "sparkConf", m.sparkConf())
	return object{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
		"metadata": object{"name": name, "namespace": "jobs", "uid": "11111111-0000-4000-8000-000000000001",
			"creationTimestamp": "2026-11-20T03:00:00Z"},
		"spec": spec,
		"status": object{"submissionID": "s-1", "applicationState": object{"state": "RUNNING"},
			"driverInfo": object{"podName": name + "-driver"}},
	}
}

func (m maker) maybe(in object, n int, key string, value any) {
	if m.some(n) {
		in[key] = value
	}
}

func (m maker) monitoring() object {
	prometheus := object{"jmxExporterJar": "/prometheus.jar"}
	m.maybe(prometheus, 3, "configFile", "/etc/prometheus.yaml")
	out := object{"exposeDriverMetrics": m.some(2), "exposeExecutorMetrics": m.some(2)}
	m.maybe(out, 3, "metricsPropertiesFile", "/etc/metrics.properties")
	if !m.some(4) {
		out["prometheus"] = prometheus
	}
	return out
}

// sparkConf are settings by which Spark itself puts something on pods.
func (m maker) sparkConf() object {
	out := object{"spark.ui.port": "4045"}
	m.maybe(out, 3, "spark.kubernetes.driverEnv.A", "1")
	m.maybe(out, 3, "spark.executorEnv.A", "1")
	m.maybe(out, 3, "spark.kubernetes.scheduler.name", "volcano")
	m.maybe(out, 4, "spark.kubernetes.executor.node.selector.zone", "a")
	return out
}

// role is spec.driver or spec.executor.
func (m maker) role(name string) object {
	out := object{"cores": 1, "memory": "1g"}
	if name == "executor" {
		out["instances"] = 2
	}
	often := pick(m, 3, 6, 20) // few applications ask for everything, most for little
	for _, key := range []string{"A", "B", "SPARK_USER"} {
		if m.some(often) {
			out["env"] = append(listOf(out["env"]), object{"name": key, "value": "1"})
		}
	}
	m.maybe(out, often, "envVars", object{"A": "1"})
	m.maybe(out, often, "envFrom", []any{pick(m, object{"configMapRef": object{"name": "c"}}, object{"secretRef": object{"name": "s"}})})
	m.maybe(out, often, "volumeMounts", []any{m.mount(), m.mount()})
	m.maybe(out, often, "configMaps", []any{object{"name": "settings", "path": "/settings"}})
	m.maybe(out, often, "tolerations", []any{m.toleration()})
	m.maybe(out, often, "nodeSelector", pick(m, object{}, object{"disk": "ssd"}, object{"zone": "a"}))
	m.placement(out, often)
	m.security(out, often)
	m.containers(out, often)
	m.maybe(out, often*2, "template", m.template(name))
	return out
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

func (m maker) mount() object {
	name := pick(m, "data", "cache", "absent", "spark-local-dir-1")
	return object{"name": name, "mountPath": fmt.Sprintf("/%s-%d", name, m.IntN(1000))}
}

func (m maker) toleration() object {
	return pick(m,
		object{"operator": "Exists"}, object{"key": "spot", "operator": "Equal", "value": "yes", "effect": "NoSchedule"},
		object{"key": "spot", "value": "yes"},
		object{"key": "spot", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60},
		object{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"})
}

func (m maker) placement(out object, often int) {
	m.maybe(out, often, "schedulerName", pick(m, "binpack", "volcano", "default-scheduler", ""))
	m.maybe(out, often, "priorityClassName", pick(m, "urgent", ""))
	m.maybe(out, often, "affinity", pick(m, object{}, object{"nodeAffinity": object{}},
		object{"podAntiAffinity": object{"preferredDuringSchedulingIgnoredDuringExecution": []any{}}}))
	m.maybe(out, often, "hostNetwork", m.some(2))
	m.maybe(out, often, "dnsConfig", pick(m, object{}, object{"nameservers": []any{"10.0.0.10"}}))
	m.maybe(out, often, "hostAliases", []any{object{"ip": "10.1.2.3", "hostnames": []any{"db"}}})
	m.maybe(out, often, "shareProcessNamespace", m.some(2))
	m.maybe(out, often, "terminationGracePeriodSeconds", pick(m, 0, 30, 90))
}

func (m maker) security(out object, often int) {
	m.maybe(out, often, "podSecurityContext", pick(m, object{}, object{"fsGroup": 185}))
	m.maybe(out, often, "securityContext", pick(m, object{}, object{"runAsUser": 185}, object{"privileged": false}))
}

func (m maker) containers(out object, often int) {
	m.maybe(out, often, "sidecars", []any{object{"name": "logs", "image": "fluent"}})
	m.maybe(out, often, "initContainers", []any{object{"name": "fetch", "image": "curl"}})
	m.maybe(out, often, "lifecycle", pick(m, object{}, object{"preStop": object{"exec": object{"command": []any{"true"}}}}))
	m.maybe(out, often, "ports", []any{object{"name": "jmx", "containerPort": 8091, "protocol": "TCP"}})
	m.maybe(out, often, "gpu", object{"name": "nvidia.com/gpu", "quantity": pick(m, 0, 1, 2)})
	m.maybe(out, often, "memoryLimit", pick(m, "2g", "1408m", "3072Mi"))
}

// template is a pod template, which spark-submit makes the pod of before the webhook sees it.
func (m maker) template(role string) object {
	spec := object{"containers": []any{object{"name": "spark-kubernetes-" + role,
		"env": []any{object{"name": "FROM_TEMPLATE", "value": "1"}}}}}
	m.maybe(spec, 2, "tolerations", []any{m.toleration()})
	m.maybe(spec, 2, "initContainers", []any{object{"name": "fetch", "image": "curl"}})
	m.maybe(spec, 2, "hostAliases", []any{object{"ip": "10.1.2.3", "hostnames": []any{"db"}}})
	m.maybe(spec, 2, "volumes", []any{object{"name": "data", "emptyDir": object{"sizeLimit": "1Gi"}}})
	return object{"metadata": object{"labels": object{"from": "template"}}, "spec": spec}
}
