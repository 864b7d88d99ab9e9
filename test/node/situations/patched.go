package situations

import "k8s.io/apimachinery/pkg/runtime/schema"

// patch is an application that fails, and completes once it is changed as why says.
type patch struct {
	Situation

	Slow bool // it takes a minute or more
}

func (p patch) namespace() string { return "patched-" + p.Name }

// patched are such applications, each with another field to change.
func patched() []patch {
	const ends = `arguments: [sleep, "2"]`
	core := func(resource string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Version: "v1", Resource: resource}
	}
	return []patch{
		{Situation{"overhead", []Step{etl(`
arguments: [within, "10", direct, "500"]
driver: {javaOptions: -XX:MaxDirectMemorySize=4g}`), state("FAILED")}}, false},
		{Situation{"size-limit", []Step{etl(`
arguments: [within, "60", fill, "30"]
volumes: [{name: spark-local-dir-1, emptyDir: {sizeLimit: 20Mi}}]
driver: {terminationGracePeriodSeconds: 1, volumeMounts: [{name: spark-local-dir-1, mountPath: /var/data}]}`), failed(driver, "Evicted"),
			state("FAILED")}}, true},
		{Situation{"tmpfs", []Step{etl(`
arguments: [within, "10", fill, "700"]
sparkConf: {spark.kubernetes.local.dirs.tmpfs: "true"}`), state("FAILED")}}, false},
		{Situation{"core-request", []Step{etl(ends + `
driver: {coreRequest: "64"}`), unschedulable(driver), state("SUBMITTED")}}, false},
		{Situation{"heap", []Step{etl(`arguments: [heap, "130"]`), state("FAILED")}}, false},
		{Situation{"config-map", []Step{
			object(core("configmaps"), `{apiVersion: v1, kind: ConfigMap, metadata: {name: settings-v2}, data: {a: b}}`),
			etl(ends + `
driver: {configMaps: [{name: settings, path: /etc/settings}]}`), event("FailedMount"), state("SUBMITTED")}}, false},
		{Situation{"limit-range", []Step{
			object(core("limitranges"), `
{apiVersion: v1, kind: LimitRange, metadata: {name: team}, spec: {limits: [{type: Container, max: {memory: 1Gi}}]}}`),
			etl(ends + `
driver: {memory: 900m}`), state("FAILED")}}, false},
		{Situation{"core-limit", []Step{etl(ends + `
driver: {coreRequest: 200m, coreLimit: 100m}`), state("FAILED")}}, false},
		{Situation{"quota-counts", []Step{
			object(core("resourcequotas"), `
{apiVersion: v1, kind: ResourceQuota, metadata: {name: team}, spec: {hard: {limits.cpu: "8"}}}`),
			etl(ends), state("FAILED")}}, false},
		{Situation{"suspended", []Step{etl(ends + `
suspend: true`), state("SUSPENDED")}}, false},
		{Situation{"account", []Step{etl(ends + `
driver: {serviceAccount: spark-operator-sprk}`), state("FAILED")}}, false},
	}
}
