package situations

import "k8s.io/apimachinery/pkg/runtime/schema"

// starting are pods whose containers a kubelet cannot start.
func starting() []Situation {
	return []Situation{
		{"image-missing", []Step{etl(`{image: "127.0.0.1:5999/team/spark:3.5.5-typo"}`), waits(driver, "ErrImagePull", "ImagePullBackOff"),
			state("SUBMITTED")}},
		{"image-name-invalid", []Step{etl(`{image: "Team/Spark:3.5.5"}`), waits(driver, "InvalidImageName"), state("SUBMITTED")}},
		{"image-never-pulled", []Step{etl(`{image: "spark:none", imagePullPolicy: Never}`), waits(driver, "ErrImageNeverPull"),
			state("SUBMITTED")}},
		{"executor-image-missing", []Step{etl(`{arguments: [context, hang], executor: {image: "127.0.0.1:5999/team/spark:3.5.5-typo"}}`),
			state("RUNNING"), waits(executor, "ErrImagePull", "ImagePullBackOff")}},
		{"command-missing", []Step{etl(`
driver: {template: {spec: {containers: [{name: spark-kubernetes-driver, command: [/opt/no-such-entrypoint.sh]}]}}}`),
			ended(driver, spark(driver), "StartError", 128), state("FAILED")}},
	}
}

// configuration are pods that name what is not there, or what the kubelet refuses.
func configuration() []Situation {
	return []Situation{
		{"secret-missing", []Step{etl(`{driver: {envSecretKeyRefs: {KEY: {name: storage, key: access-key}}}}`),
			waits(driver, "CreateContainerConfigError"), state("SUBMITTED")}},
		{"secret-key-missing", []Step{
			object(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, `{apiVersion: v1, kind: Secret, metadata: {name: storage}}`),
			etl(`{driver: {envSecretKeyRefs: {KEY: {name: storage, key: access-key}}}}`), waits(driver, "CreateContainerConfigError"),
			state("SUBMITTED")}},
		{"config-map-env-missing", []Step{etl(`{driver: {envFrom: [{configMapRef: {name: settings}}]}}`),
			waits(driver, "CreateContainerConfigError"), state("SUBMITTED")}},
		{"config-map-volume-missing", []Step{etl(`{driver: {configMaps: [{name: settings, path: /etc/settings}]}}`), event("FailedMount"),
			state("SUBMITTED")}},
		{"secret-volume-missing", []Step{etl(`{driver: {secrets: [{name: tls, path: /etc/tls, secretType: Generic}]}}`), event("FailedMount"),
			state("SUBMITTED")}},
		{"runs-as-root", []Step{etl(`{driver: {podSecurityContext: {runAsNonRoot: true, runAsUser: 0}}}`),
			waits(driver, "CreateContainerConfigError"), state("SUBMITTED")}},
		{"sub-path-unknown", []Step{etl(`
driver: {template: {spec: {volumes: [{name: data, emptyDir: {}}], containers: [{name: spark-kubernetes-driver,
  volumeMounts: [{name: data, mountPath: /data, subPathExpr: $(NOT_SET)}]}]}}}`), waits(driver, "CreateContainerConfigError"),
			state("SUBMITTED")}},
		{"account-missing", []Step{etl(`{driver: {serviceAccount: spark}}`), state("FAILED")}},
	}
}

// storage are pods that write more than they may.
func storage() []Situation {
	return []Situation{
		{"local-dir-full", []Step{etl(`
arguments: [context, fill, "60"]
volumes: [{name: spark-local-dir-1, emptyDir: {sizeLimit: 20Mi}}]
driver: {terminationGracePeriodSeconds: 1, volumeMounts: [{name: spark-local-dir-1, mountPath: /var/data}]}`), failed(driver, "Evicted"),
			state("FAILED")}},
		{"executors-local-dir-full", []Step{etl(`
arguments: [context, hang]
volumes: [{name: spark-local-dir-1, emptyDir: {sizeLimit: 20Mi}}]
executor: {terminationGracePeriodSeconds: 1, volumeMounts: [{name: spark-local-dir-1, mountPath: /var/data}]}
sparkConf: {spark.executorEnv.EXECUTOR_DOES: fill 60, spark.kubernetes.executor.deleteOnTermination: "false"}`), state("RUNNING"),
			failed(executor, "Evicted")}},
		{"ephemeral-storage-limit", []Step{etl(`
arguments: [context, write, /tmp/shuffle, "60"]
driver: {terminationGracePeriodSeconds: 1, template: {spec: {containers: [{name: spark-kubernetes-driver,
  resources: {limits: {ephemeral-storage: 20Mi}}}]}}}`), failed(driver, "Evicted"), state("FAILED")}},
		{"local-dir-in-memory", []Step{etl(`
arguments: [context, fill, "700"]
sparkConf: {spark.kubernetes.local.dirs.tmpfs: "true"}`), ended(driver, spark(driver), "OOMKilled", 137), state("FAILED")}},
	}
}

// scheduling are pods without a node.
func scheduling() []Situation {
	return []Situation{
		{"no-node-large-enough", []Step{etl(`{driver: {coreRequest: "64"}}`), unschedulable(driver), state("SUBMITTED")}},
		{"no-node-for-executors", []Step{etl(`{arguments: [context, hang], executor: {coreRequest: "64"}}`), state("RUNNING"),
			unschedulable(executor)}},
		{"no-node-with-label", []Step{etl(`{driver: {nodeSelector: {pool: gpu}}}`), unschedulable(driver), state("SUBMITTED")}},
		{"no-node-tolerated", []Step{etl(`{driver: {nodeSelector: {pool: tainted}}}`), unschedulable(driver), state("SUBMITTED")}},
		{"claim-missing", []Step{etl(`
volumes: [{name: data, persistentVolumeClaim: {claimName: warehouse}}]
driver: {volumeMounts: [{name: data, mountPath: /data}]}`), unschedulable(driver), state("SUBMITTED")}},
		{"claim-pending", []Step{
			object(schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}, `
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: warehouse},
 spec: {storageClassName: none, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`),
			etl(`
volumes: [{name: data, persistentVolumeClaim: {claimName: warehouse}}]
driver: {volumeMounts: [{name: data, mountPath: /data}]}`), unschedulable(driver), state("SUBMITTED")}},
		{"quota-used-up", []Step{
			object(schema.GroupVersionResource{Version: "v1", Resource: "resourcequotas"}, `
{apiVersion: v1, kind: ResourceQuota, metadata: {name: team}, spec: {hard: {pods: "1"}}}`),
			etl(`{arguments: [context, hang], executor: {instances: 2}}`), state("FAILED")}},
	}
}
