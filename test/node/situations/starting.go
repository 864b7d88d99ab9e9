package situations

import (
	"context"
	"fmt"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
)

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
		{"host-port-taken", []Step{holdPort(24040), etl(`
driver: {template: {spec: {containers: [{name: spark-kubernetes-driver, ports: [{name: metrics, containerPort: 8090, hostPort: 24040}]}]}}}`),
			unschedulable(driver), state("SUBMITTED")}},
		// One disk, and two executors that ask for one each.
		{"executor-claim-pending", []Step{disk("disks"), etl(`
arguments: [context, hang]
executor: {instances: 2}
sparkConf:
  spark.kubernetes.executor.volumes.persistentVolumeClaim.data.mount.path: /data
  spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName: OnDemand
  spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.storageClass: disks
  spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.sizeLimit: 1Gi`), state("RUNNING"), running(executor),
			unschedulable(executor)}},
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

// holdPort creates a pod that holds a port of the node.
func holdPort(port int32) Step {
	return Step{fmt.Sprintf("a pod with hostPort %d", port), func(ctx context.Context, p place) error {
		_, err := p.cp.Client.CoreV1().Pods(p.namespace).Create(ctx, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "exporter"},
			Spec: corev1.PodSpec{TerminationGracePeriodSeconds: new(int64(1)), Containers: []corev1.Container{{Name: "main", Image: images.SparkName,
				Command: []string{"/bin/sleep", "7200"}, Ports: []corev1.ContainerPort{{ContainerPort: port, HostPort: port}}}}},
		}, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("creating a pod: %w", err)
		}
		_, err = p.cp.WaitForPod(ctx, p.namespace, "exporter")
		return err
	}}
}

// disk offers one disk of the node in a class without a provisioner, as local disks are offered
// (kubernetes.io/docs/concepts/storage/storage-classes/#local).
func disk(class string) Step {
	return Step{"a disk of class " + class, func(ctx context.Context, p place) error {
		if _, err := p.cp.Client.StorageV1().StorageClasses().Create(ctx, &storagev1.StorageClass{
			ObjectMeta: metav1.ObjectMeta{Name: class}, Provisioner: "kubernetes.io/no-provisioner",
			VolumeBindingMode: new(storagev1.VolumeBindingWaitForFirstConsumer),
		}, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating a storage class: %w", err)
		}
		_, err := p.cp.Client.CoreV1().PersistentVolumes().Create(ctx, &corev1.PersistentVolume{
			ObjectMeta: metav1.ObjectMeta{Name: class + "-1"},
			Spec: corev1.PersistentVolumeSpec{
				Capacity:    corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")},
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: class,
				PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimRetain,
				PersistentVolumeSource: corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{
					Path: filepath.Join(p.node.Dir, class), Type: new(corev1.HostPathDirectoryOrCreate)}},
				NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
					MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn,
						Values: []string{p.node.Name}}}}}}},
			},
		}, metav1.CreateOptions{})
		return err
	}}
}
