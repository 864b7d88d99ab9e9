package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// addVolumes adds secrets and volumes: spark.kubernetes.driver.secrets.NAME=PATH and
// spark.kubernetes.driver.volumes.TYPE.NAME.{mount.path,mount.readOnly,mount.subPath,options.X}.
func addVolumes(pod *corev1.Pod, c *corev1.Container, j job) error {
	secrets := j.under("spark.kubernetes.driver.secrets.")
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		volume := corev1.Volume{Name: name + "-volume", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: name}}}
		pod.Spec.Volumes = append(pod.Spec.Volumes, volume)
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: volume.Name, MountPath: secrets[name]})
	}
	conf := j.under("spark.kubernetes.driver.volumes.")
	for _, key := range slices.Sorted(maps.Keys(conf)) {
		id, isMount := strings.CutSuffix(key, ".mount.path")
		if !isMount {
			continue
		}
		kind, name, ok := strings.Cut(id, ".")
		if !ok {
			return fmt.Errorf("volume %q has no name", id)
		}
		source, err := volumeSource(kind, func(option string) string { return conf[id+".options."+option] })
		if err != nil {
			return fmt.Errorf("volume %q: %w", name, err)
		}
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: source})
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{
			Name: name, MountPath: conf[key], SubPath: conf[id+".mount.subPath"], ReadOnly: conf[id+".mount.readOnly"] == "true",
		})
	}
	return nil
}

func volumeSource(kind string, option func(string) string) (corev1.VolumeSource, error) {
	switch kind {
	case "emptyDir":
		source := &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMedium(option("medium"))}
		if limit := option("sizeLimit"); limit != "" {
			size, err := resource.ParseQuantity(limit)
			if err != nil {
				return corev1.VolumeSource{}, fmt.Errorf("parsing the size limit: %w", err)
			}
			source.SizeLimit = &size
		}
		return corev1.VolumeSource{EmptyDir: source}, nil
	case "hostPath":
		kind := corev1.HostPathType(option("type"))
		return corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: option("path"), Type: &kind}}, nil
	case "nfs":
		return corev1.VolumeSource{NFS: &corev1.NFSVolumeSource{Server: option("server"), Path: option("path")}}, nil
	case "persistentVolumeClaim":
		return corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: option("claimName")}}, nil
	}
	return corev1.VolumeSource{}, fmt.Errorf("unknown type %q", kind)
}
