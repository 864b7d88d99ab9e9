package whole

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// fieldsOf reads an object as it is kept: JSON values are what an archive holds, what secrets are taken out of, and what package app
// decodes. Whoever only follows what an object names reads it by the functions below.
func fieldsOf(w *snapshot.Whole) Fields { return Fields(w.Fields) }

// Label is a label of an object; empty: it has none of the name.
func Label(w *snapshot.Whole, name string) string {
	return fieldsOf(w).Text("metadata", "labels", name)
}

// Owners are the owners of an object, by version, kind and name.
func Owners(w *snapshot.Whole) []snapshot.Ref {
	var out []snapshot.Ref
	for _, one := range fieldsOf(w).Objects("metadata", "ownerReferences") {
		out = append(out, snapshot.Ref{APIVersion: one.Text("apiVersion"), Kind: one.Text("kind"), Name: one.Text("name")})
	}
	return out
}

// About is what an event of either API group is about, by version, kind and name.
func About(event *snapshot.Whole) []snapshot.Ref {
	var out []snapshot.Ref
	for _, field := range []string{"involvedObject", "regarding"} {
		if of := fieldsOf(event).Object(field); of != nil {
			out = append(out, snapshot.Ref{APIVersion: of.Text("apiVersion"), Kind: of.Text("kind"), Name: of.Text("name")})
		}
	}
	return out
}

// DriverPod is the name of the pod that an application says is its driver's.
func DriverPod(application *snapshot.Whole) string {
	return fieldsOf(application).Text("status", "driverInfo", "podName")
}

// ConnectState is the state that the operator recorded of a SparkConnect; empty: none.
func ConnectState(connect *snapshot.Whole) string { return fieldsOf(connect).Text("status", "state") }

// Runs are the runs of a schedule that its status names: the last one, those that failed, then others, each list as it stands.
func Runs(schedule *snapshot.Whole) []string {
	f := fieldsOf(schedule)
	var out []string
	for _, name := range slices.Concat([]string{f.Text("status", "lastRunName")}, f.Texts("status", "pastFailedRunNames"),
		f.Texts("status", "pastSuccessfulRunNames")) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Pod is what decides what else is read for a pod.
type Pod struct {
	Phase, NodeName    string
	ServiceAccount     string
	NodeSelector       map[string]string
	Claims, ConfigMaps []string // of volumes
}

// PodOf reads a pod.
func PodOf(w *snapshot.Whole) Pod {
	f := fieldsOf(w)
	p := Pod{Phase: f.Text("status", "phase"), NodeName: f.Text("spec", "nodeName"), ServiceAccount: f.Text("spec", "serviceAccountName"),
		NodeSelector: f.TextsByName("spec", "nodeSelector")}
	for _, volume := range f.Objects("spec", "volumes") {
		if name := volume.Text("persistentVolumeClaim", "claimName"); name != "" {
			p.Claims = append(p.Claims, name)
		}
		if name := volume.Text("configMap", "name"); name != "" {
			p.ConfigMaps = append(p.ConfigMaps, name)
		}
	}
	return p
}

// Container is the image and the arguments of a container.
type Container struct {
	Image string
	Args  []string
}

// Containers are those of a pod, without init containers.
func Containers(pod *snapshot.Whole) []Container {
	var out []Container
	for _, c := range fieldsOf(pod).Objects("spec", "containers") {
		out = append(out, Container{Image: c.Text("image"), Args: c.Texts("args")})
	}
	return out
}

// ContainerStatus is how far a container came.
type ContainerStatus struct {
	Name      string
	Init      bool
	Started   bool // it runs, or ended
	Failed    bool // it ended otherwise than well, now or before its last restart
	Restarted bool // it ended before
}

// ContainerStatuses are those of a pod, init containers first.
func ContainerStatuses(pod *snapshot.Whole) []ContainerStatus {
	var out []ContainerStatus
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, s := range fieldsOf(pod).Objects("status", list) {
			ended, before := s.Object("state", "terminated"), s.Object("lastState", "terminated")
			out = append(out, ContainerStatus{Name: s.Text("name"), Init: list == "initContainerStatuses",
				Started: ended != nil || s.Object("state", "running") != nil, Failed: badly(ended) || badly(before), Restarted: before != nil})
		}
	}
	return out
}

// badly reports whether a container ended otherwise than well.
func badly(ended Fields) bool {
	code := ended.Number("exitCode")
	return ended != nil && (code == nil || *code != 0)
}

// Node is what decides whether the pods of a node are read.
type Node struct {
	Unschedulable bool
	Allocatable   map[string]string
}

// NodeOf reads a node.
func NodeOf(w *snapshot.Whole) Node {
	f := fieldsOf(w)
	return Node{Unschedulable: f.Flag("spec", "unschedulable"), Allocatable: f.TextsByName("status", "allocatable")}
}

// QuotaOf is what a ResourceQuota allows, and what of it is used.
func QuotaOf(w *snapshot.Whole) (hard, used map[string]string) {
	return fieldsOf(w).TextsByName("status", "hard"), fieldsOf(w).TextsByName("status", "used")
}
