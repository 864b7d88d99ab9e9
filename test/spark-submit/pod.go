package main

import (
	"errors"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/sparkconf"
)

// version is that of the Spark that this stands in for, as pods are labelled.
const version = "3.5.5"

// Names that Spark gives (resource-managers/kubernetes Constants.scala).
const (
	templateVolume = "pod-template-volume"
	templateKey    = "podspec-configmap-key"
	templateDir    = "/opt/spark/pod-template"
	templateFile   = "pod-spec-template.yml"
)

// names are those of what one submission creates.
type names struct {
	app      string // spark.app.id
	confMap  string
	service  string
	template string // the ConfigMap with the executors' pod template
}

func newNames(j job) (names, error) {
	prefix, err := sparkconf.Prefix(j.appName())
	if err != nil {
		return names{}, err
	}
	id, err := sparkconf.HexID(16)
	if err != nil {
		return names{}, err
	}
	n := names{app: "spark-" + id, confMap: "spark-drv-" + id[:16] + "-conf-map", service: prefix + "-driver-svc",
		template: prefix + "-driver-podspec-conf-map"}
	if len(n.service) > 63 { // DriverServiceFeatureStep falls back to a name of its own
		n.service = "spark-" + id[:16] + "-driver-svc"
	}
	return n, nil
}

// driverPod builds the driver pod: the template first, then what Spark lays over it.
func driverPod(j job, n names) (*corev1.Pod, error) {
	pod, err := sparkconf.Template(j.conf["spark.kubernetes.driver.podTemplateFile"])
	if err != nil {
		return nil, err
	}
	container := j.conf.Begin(pod, sparkconf.Driver, ownLabels(j, n))
	if container.Image == "" {
		return nil, errors.New("must specify the driver container image")
	}
	pod.Name = j.driverPodName(n.app)
	fillContainer(container, j, n)
	if err := j.conf.SetResources(container, sparkconf.Driver); err != nil {
		return nil, err
	}
	if err := j.conf.AddVolumes(pod, container, sparkconf.Driver); err != nil {
		return nil, err
	}
	sparkconf.MountConf(pod, container, sparkconf.Driver, n.confMap)
	if j.executorTemplate() != "" {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: templateVolume, VolumeSource: corev1.VolumeSource{
			ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: n.template},
				Items: []corev1.KeyToPath{{Key: templateKey, Path: templateFile}}},
		}})
		container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{Name: templateVolume, MountPath: templateDir})
	}
	return pod, nil
}

// ownLabels are those that Spark gives a driver, whatever the settings say (KubernetesDriverConf).
func ownLabels(j job, n names) map[string]string {
	return map[string]string{"spark-role": "driver", "spark-app-selector": n.app, "spark-app-name": j.appName(), "spark-version": version}
}

// fillContainer adds arguments (DriverCommandFeatureStep), ports and variables.
func fillContainer(c *corev1.Container, j job, n names) {
	c.Args = []string{"driver", "--properties-file", sparkconf.Dir + "/" + sparkconf.File}
	class := j.options["class"]
	if strings.HasSuffix(j.program[0], ".py") {
		class = "org.apache.spark.deploy.PythonRunner"
	}
	if class != "" {
		c.Args = append(c.Args, "--class", class)
	}
	c.Args = append(c.Args, j.program...)
	c.Ports = append(c.Ports, corev1.ContainerPort{Name: "driver-rpc-port", ContainerPort: 7078, Protocol: corev1.ProtocolTCP},
		corev1.ContainerPort{Name: "blockmanager", ContainerPort: 7079, Protocol: corev1.ProtocolTCP},
		corev1.ContainerPort{Name: "spark-ui", ContainerPort: 4040, Protocol: corev1.ProtocolTCP})
	c.Env = append(c.Env, corev1.EnvVar{Name: "SPARK_USER", Value: "spark"}, corev1.EnvVar{Name: "SPARK_APPLICATION_ID", Value: n.app})
	j.conf.AddEnv(c, sparkconf.Driver, "spark.kubernetes.driverEnv.")
	c.Env = append(c.Env, sparkconf.PodIP("SPARK_DRIVER_BIND_ADDRESS"), corev1.EnvVar{Name: "SPARK_CONF_DIR", Value: sparkconf.Dir})
}

func (j job) appName() string {
	if name := j.conf.First("spark.app.name"); name != "" {
		return name
	}
	return j.options["name"]
}

func (j job) driverPodName(appID string) string {
	if name := j.conf.First("spark.kubernetes.driver.pod.name"); name != "" {
		return name
	}
	return j.appName() + "-" + appID + "-driver"
}

func (j job) executorTemplate() string { return j.conf["spark.kubernetes.executor.podTemplateFile"] }

// properties are the settings as the driver finds them: those of the submission and what Spark adds (DriverServiceFeatureStep,
// BasicDriverFeatureStep, PodTemplateConfigMapStep).
func (j job) properties(pod *corev1.Pod, n names) string {
	all := sparkconf.Conf(sparkconf.Overlay(j.conf, map[string]string{
		"spark.app.id":                     n.app,
		"spark.app.name":                   j.appName(),
		"spark.driver.host":                n.service + "." + pod.Namespace + ".svc",
		"spark.driver.port":                "7078",
		"spark.driver.blockManager.port":   "7079",
		"spark.kubernetes.driver.pod.name": pod.Name,
	}))
	if j.executorTemplate() != "" {
		all["spark.kubernetes.executor.podTemplateFile"] = templateDir + "/" + templateFile
	}
	return all.Properties()
}
