package main

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/sparkconf"
)

// executorPod builds an executor: the template that came with the driver, then what Spark lays over it
// (BasicExecutorFeatureStep). The driver pod is its owner and its controller, besides those of the template.
func (b *backend) executorPod(id int) (*corev1.Pod, error) {
	pod, err := sparkconf.Template(b.conf["spark.kubernetes.executor.podTemplateFile"])
	if err != nil {
		return nil, err
	}
	number := strconv.Itoa(id)
	container := b.conf.Begin(pod, sparkconf.Executor, map[string]string{
		"spark-role": "executor", "spark-exec-id": number, "spark-exec-resourceprofile-id": "0", "spark-app-selector": b.conf["spark.app.id"],
		"spark-app-name": b.conf["spark.app.name"], "spark-version": b.driver.Labels["spark-version"],
	})
	pod.Name = fmt.Sprintf("%s-exec-%d", b.prefix, id)
	pod.OwnerReferences = append(pod.OwnerReferences, b.owners()...)
	pod.Spec.Hostname = pod.Name[max(0, len(pod.Name)-63):]
	container.Args = append(container.Args, "executor")
	container.Ports = []corev1.ContainerPort{{Name: "blockmanager", ContainerPort: 7079, Protocol: corev1.ProtocolTCP}}
	driver := fmt.Sprintf("spark://CoarseGrainedScheduler@%s:%s", b.conf["spark.driver.host"], b.conf["spark.driver.port"])
	memory, err := sparkconf.Mebibytes(b.conf["spark.executor.memory"], 1024)
	if err != nil {
		return nil, err
	}
	container.Env = append(container.Env,
		corev1.EnvVar{Name: "SPARK_USER", Value: "spark"},
		corev1.EnvVar{Name: "SPARK_DRIVER_URL", Value: driver},
		corev1.EnvVar{Name: "SPARK_EXECUTOR_CORES", Value: b.conf["spark.executor.cores"]},
		corev1.EnvVar{Name: "SPARK_EXECUTOR_MEMORY", Value: fmt.Sprintf("%dm", memory)},
		corev1.EnvVar{Name: "SPARK_APPLICATION_ID", Value: b.conf["spark.app.id"]},
		corev1.EnvVar{Name: "SPARK_CONF_DIR", Value: sparkconf.Dir},
		corev1.EnvVar{Name: "SPARK_EXECUTOR_ID", Value: number},
		corev1.EnvVar{Name: "SPARK_RESOURCE_PROFILE_ID", Value: "0"})
	b.conf.AddEnv(container, sparkconf.Executor, "spark.executorEnv.")
	container.Env = append(container.Env, sparkconf.PodIP("SPARK_EXECUTOR_POD_IP"), corev1.EnvVar{Name: "SPARK_EXECUTOR_POD_NAME",
		ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.name"}}})
	if err := b.conf.SetResources(container, sparkconf.Executor); err != nil {
		return nil, err
	}
	if err := b.conf.AddVolumes(pod, container, sparkconf.Executor); err != nil {
		return nil, err
	}
	sparkconf.MountConf(pod, container, sparkconf.Executor, b.confMap)
	return pod, nil
}
