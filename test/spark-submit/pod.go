package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// Names that Spark gives (resource-managers/kubernetes Constants.scala).
const (
	driverContainer = "spark-kubernetes-driver"
	confDir         = "/opt/spark/conf"
	confVolume      = "spark-conf-volume-driver"
)

// driverPod builds the driver pod: the template first, then what Spark lays over it.
func driverPod(j job, appID, confMap string) (*corev1.Pod, error) {
	pod, err := template(j.conf["spark.kubernetes.driver.podTemplateFile"])
	if err != nil {
		return nil, err
	}
	pod.Namespace = j.first("spark.kubernetes.namespace")
	if pod.Namespace == "" {
		pod.Namespace = "default"
	}
	pod.Name = j.first("spark.kubernetes.driver.pod.name")
	if pod.Name == "" {
		pod.Name = j.options["name"] + "-" + appID + "-driver"
	}
	pod.Labels = overlay(pod.Labels, j.under("spark.kubernetes.driver.label."), map[string]string{
		"spark-role": "driver", "spark-app-selector": appID, "spark-app-name": j.options["name"], "spark-version": "3.5.5",
	})
	pod.Annotations = overlay(pod.Annotations, j.under("spark.kubernetes.driver.annotation."))
	pod.Spec.NodeSelector = overlay(pod.Spec.NodeSelector, j.under("spark.kubernetes.node.selector."),
		j.under("spark.kubernetes.driver.node.selector."))
	pod.Spec.RestartPolicy = corev1.RestartPolicyNever
	if account := j.first("spark.kubernetes.authenticate.driver.serviceAccountName",
		"spark.kubernetes.authenticate.serviceAccountName"); account != "" {
		pod.Spec.ServiceAccountName = account
	}
	if scheduler := j.first("spark.kubernetes.driver.scheduler.name", "spark.kubernetes.scheduler.name"); scheduler != "" {
		pod.Spec.SchedulerName = scheduler
	}
	for _, secret := range strings.FieldsFunc(j.conf["spark.kubernetes.container.image.pullSecrets"], func(r rune) bool { return r == ',' }) {
		pod.Spec.ImagePullSecrets = append(pod.Spec.ImagePullSecrets, corev1.LocalObjectReference{Name: strings.TrimSpace(secret)})
	}
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: confVolume, VolumeSource: corev1.VolumeSource{
		ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: confMap}},
	}})
	container := mainContainer(pod, j.conf["spark.kubernetes.driver.podTemplateContainerName"])
	if err := fillContainer(container, j, appID); err != nil {
		return nil, err
	}
	return pod, addVolumes(pod, container, j)
}

func template(path string) (*corev1.Pod, error) {
	pod := &corev1.Pod{}
	if path == "" {
		return pod, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the pod template: %w", err)
	}
	if err := yaml.Unmarshal(text, pod); err != nil {
		return nil, fmt.Errorf("decoding the pod template: %w", err)
	}
	return pod, nil
}

// mainContainer returns the template's container of that name, else its first, else a new one.
func mainContainer(pod *corev1.Pod, name string) *corev1.Container {
	if len(pod.Spec.Containers) == 0 {
		pod.Spec.Containers = []corev1.Container{{}}
	}
	i := slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == name })
	return &pod.Spec.Containers[max(0, i)]
}

func fillContainer(c *corev1.Container, j job, appID string) error {
	c.Name = driverContainer
	image := j.first("spark.kubernetes.driver.container.image", "spark.kubernetes.container.image")
	if image == "" {
		return errors.New("must specify the driver container image")
	}
	c.Image = image
	if policy := j.conf["spark.kubernetes.container.image.pullPolicy"]; policy != "" {
		c.ImagePullPolicy = corev1.PullPolicy(policy)
	}
	c.Args = []string{"driver", "--properties-file", confDir + "/spark.properties"}
	if class := j.options["class"]; class != "" {
		c.Args = append(c.Args, "--class", class)
	}
	c.Args = append(c.Args, j.program...)
	c.Ports = append(c.Ports, corev1.ContainerPort{Name: "driver-rpc-port", ContainerPort: 7078},
		corev1.ContainerPort{Name: "blockmanager", ContainerPort: 7079}, corev1.ContainerPort{Name: "spark-ui", ContainerPort: 4040})
	c.Env = append(c.Env, corev1.EnvVar{Name: "SPARK_USER", Value: "spark"}, corev1.EnvVar{Name: "SPARK_APPLICATION_ID", Value: appID},
		corev1.EnvVar{Name: "SPARK_CONF_DIR", Value: confDir})
	env := j.under("spark.kubernetes.driverEnv.")
	for _, name := range slices.Sorted(maps.Keys(env)) {
		c.Env = append(c.Env, corev1.EnvVar{Name: name, Value: env[name]})
	}
	refs := j.under("spark.kubernetes.driver.secretKeyRef.")
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		secret, key, _ := strings.Cut(refs[name], ":")
		c.Env = append(c.Env, corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{
			SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: secret}, Key: key},
		}})
	}
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: confVolume, MountPath: confDir})
	return setResources(c, j)
}

// overlay returns one map of all, the later winning, or nil for no entry.
func overlay(layers ...map[string]string) map[string]string {
	var all map[string]string
	for _, layer := range layers {
		if len(layer) > 0 && all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, layer)
	}
	return all
}
