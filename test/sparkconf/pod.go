package sparkconf

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// Template returns the pod of a template file, or an empty pod without a path.
func Template(path string) (*corev1.Pod, error) {
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

// Begin lays over a template what drivers and executors have in common (BasicDriverFeatureStep, BasicExecutorFeatureStep), and
// returns Spark's own container: the template's of the name that the settings give, else its first, else a new one. labels are
// those that Spark itself gives the pod; no setting overrides them.
func (c Conf) Begin(pod *corev1.Pod, role Role, labels map[string]string) *corev1.Container {
	own := "spark.kubernetes." + string(role) + "."
	pod.Namespace = c.First("spark.kubernetes.namespace")
	if pod.Namespace == "" {
		pod.Namespace = "default"
	}
	pod.Labels = Overlay(pod.Labels, c.Under(own+"label."), labels)
	pod.Annotations = Overlay(pod.Annotations, c.Under(own+"annotation."))
	pod.Spec.NodeSelector = Overlay(pod.Spec.NodeSelector, c.Under("spark.kubernetes.node.selector."), c.Under(own+"node.selector."))
	pod.Spec.RestartPolicy = corev1.RestartPolicyNever
	if account := c.First("spark.kubernetes.authenticate."+string(role)+".serviceAccountName",
		"spark.kubernetes.authenticate.serviceAccountName"); account != "" {
		pod.Spec.ServiceAccountName = account
	}
	if scheduler := c.First(own+"scheduler.name", "spark.kubernetes.scheduler.name"); scheduler != "" {
		pod.Spec.SchedulerName = scheduler
	}
	for _, secret := range strings.FieldsFunc(c["spark.kubernetes.container.image.pullSecrets"], func(r rune) bool { return r == ',' }) {
		pod.Spec.ImagePullSecrets = append(pod.Spec.ImagePullSecrets, corev1.LocalObjectReference{Name: strings.TrimSpace(secret)})
	}
	container := mainContainer(pod, c[own+"podTemplateContainerName"])
	container.Name = "spark-kubernetes-" + string(role)
	container.Image = c.First(own+"container.image", "spark.kubernetes.container.image")
	if policy := c["spark.kubernetes.container.image.pullPolicy"]; policy != "" {
		container.ImagePullPolicy = corev1.PullPolicy(policy)
	}
	return container
}

// mainContainer returns the template's container of that name, else its first, else a new one.
func mainContainer(pod *corev1.Pod, name string) *corev1.Container {
	if len(pod.Spec.Containers) == 0 {
		pod.Spec.Containers = []corev1.Container{{}}
	}
	i := slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == name })
	return &pod.Spec.Containers[max(0, i)]
}

// AddEnv adds the variables that settings with a prefix give, and those of ROLE.secretKeyRef (EnvSecretsFeatureStep).
func (c Conf) AddEnv(container *corev1.Container, role Role, prefix string) {
	env := c.Under(prefix)
	for _, name := range slices.Sorted(maps.Keys(env)) {
		container.Env = append(container.Env, corev1.EnvVar{Name: name, Value: env[name]})
	}
	refs := c.Under("spark.kubernetes." + string(role) + ".secretKeyRef.")
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		secret, key, _ := strings.Cut(refs[name], ":")
		container.Env = append(container.Env, corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{
			SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: secret}, Key: key},
		}})
	}
}

// PodIP is the variable by which a container learns its own address.
func PodIP(name string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{
		FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "status.podIP"},
	}}
}

// MountConf gives a container the settings that a ConfigMap holds.
func MountConf(pod *corev1.Pod, container *corev1.Container, role Role, configMap string) {
	volume := map[Role]string{Driver: "spark-conf-volume-driver", Executor: "spark-conf-volume-exec"}[role]
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: volume, VolumeSource: corev1.VolumeSource{
		ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: configMap},
			Items: []corev1.KeyToPath{{Key: File, Path: File}}},
	}})
	container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{Name: volume, MountPath: Dir})
}
