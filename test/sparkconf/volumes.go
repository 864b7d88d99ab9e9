package sparkconf

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// AddVolumes adds secrets and volumes: spark.kubernetes.ROLE.secrets.NAME=PATH and
// spark.kubernetes.ROLE.volumes.TYPE.NAME.{mount.path,mount.readOnly,mount.subPath,options.X} (MountSecretsFeatureStep,
// MountVolumesFeatureStep), then the directories that Spark spills to.
func (c Conf) AddVolumes(pod *corev1.Pod, container *corev1.Container, role Role) error {
	secrets := c.Under("spark.kubernetes." + string(role) + ".secrets.")
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		volume := corev1.Volume{Name: name + "-volume", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: name}}}
		pod.Spec.Volumes = append(pod.Spec.Volumes, volume)
		container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{Name: volume.Name, MountPath: secrets[name]})
	}
	conf := c.Under("spark.kubernetes." + string(role) + ".volumes.")
	for i, id := range mounted(conf) {
		key := id + mountPath
		kind, name, ok := strings.Cut(id, ".")
		if !ok {
			return fmt.Errorf("volume %q has no name", id)
		}
		source, err := volumeSource(kind, func(option string) string { return conf[id+".options."+option] })
		if err != nil {
			return fmt.Errorf("volume %q: %w", name, err)
		}
		if claim := source.PersistentVolumeClaim; claim != nil && claim.ClaimName == onDemand {
			claim.ClaimName = claimName(pod.Name, i)
		}
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: source})
		container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{
			Name: name, MountPath: conf[key], SubPath: conf[id+".mount.subPath"], ReadOnly: conf[id+".mount.readOnly"] == "true",
		})
	}
	return c.addLocalDirs(pod, container)
}

// The ending of a setting that every volume has, and the name of a claim that Spark makes for each pod.
const (
	mountPath = ".mount.path"
	onDemand  = "OnDemand"
)

// mounted are the volumes of settings, as TYPE.NAME, in order.
func mounted(conf map[string]string) []string {
	var ids []string
	for _, key := range slices.Sorted(maps.Keys(conf)) {
		if id, is := strings.CutSuffix(key, mountPath); is {
			ids = append(ids, id)
		}
	}
	return ids
}

func claimName(pod string, volume int) string { return fmt.Sprintf("%s-pvc-%d", pod, volume) }

// Claims are those that Spark makes for a pod of a role: volumes of the claim OnDemand that say class and size
// (MountVolumesFeatureStep; ReadWriteOnce until 4.0, docs/core-migration-guide.md@v4.0.0).
func (c Conf) Claims(pod string, role Role, labels map[string]string) ([]corev1.PersistentVolumeClaim, error) {
	conf := c.Under("spark.kubernetes." + string(role) + ".volumes.")
	var claims []corev1.PersistentVolumeClaim
	for i, id := range mounted(conf) {
		class, size := conf[id+".options.storageClass"], conf[id+".options.sizeLimit"]
		if conf[id+".options.claimName"] != onDemand || class == "" || size == "" {
			continue
		}
		room, err := resource.ParseQuantity(size)
		if err != nil {
			return nil, fmt.Errorf("parsing the size of volume %q: %w", id, err)
		}
		claims = append(claims, corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Name: claimName(pod, i), Labels: labels},
			Spec: corev1.PersistentVolumeClaimSpec{StorageClassName: &class, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: room}}},
		})
	}
	return claims, nil
}

// addLocalDirs makes an emptyDir for what Spark spills, unless volumes whose names begin with spark-local-dir- are there for it
// (LocalDirsFeatureStep).
func (c Conf) addLocalDirs(pod *corev1.Pod, container *corev1.Container) error {
	var dirs []string
	for _, mount := range container.VolumeMounts {
		if strings.HasPrefix(mount.Name, "spark-local-dir-") {
			dirs = append(dirs, mount.MountPath)
		}
	}
	if len(dirs) == 0 {
		id, err := HexID(16)
		if err != nil {
			return err
		}
		dirs = []string{fmt.Sprintf("/var/data/spark-%s-%s-%s-%s-%s", id[:8], id[8:12], id[12:16], id[16:20], id[20:])}
		source := &corev1.EmptyDirVolumeSource{}
		if c["spark.kubernetes.local.dirs.tmpfs"] == "true" {
			source.Medium = corev1.StorageMediumMemory
		}
		volume := corev1.Volume{Name: "spark-local-dir-1", VolumeSource: corev1.VolumeSource{EmptyDir: source}}
		pod.Spec.Volumes = append(pod.Spec.Volumes, volume)
		container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{Name: volume.Name, MountPath: dirs[0]})
	}
	container.Env = append(container.Env, corev1.EnvVar{Name: "SPARK_LOCAL_DIRS", Value: strings.Join(dirs, ",")})
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
