package operator

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// firstUnprivileged is the first port on which Linux lets every process listen, unless net.ipv4.ip_unprivileged_port_start says
// otherwise. containerd sets that to 0 for pods from 2.0 on (containerd/containerd#9348), Docker from 20.10 on (moby/moby#41030),
// CRI-O does not (cri-o/cri-o#10050).
const firstUnprivileged = 1024

// LowPort returns a flag by which a Deployment of the operator listens on a port below 1024 although nothing in its spec allows it. From
// 2.1.0 on the image runs as user 185 and its program has no capability of its own (Dockerfile@v2.0.2, which has setcap, and @v2.1.0).
func (in *Installation) LowPort(d *snapshot.Deployment) (Use, bool) {
	c := operatorContainer(d)
	if c == nil || c.LowPorts != "" || !in.Facts().Unprivileged {
		return Use{}, false
	}
	flags := flagsOf(d)
	for _, name := range []string{"webhook-port", "metrics-bind-address", "health-probe-bind-address", "pprof-bind-address"} {
		value := unquoted(flags[name])
		port, err := strconv.Atoi(value[strings.LastIndexByte(value, ':')+1:])
		if err == nil && port > 0 && port < firstUnprivileged { // 0 switches off, or takes any
			return Use{Field: "--" + name, Value: value}, true
		}
	}
	return Use{}, false
}

// Unprivileged reports whether the image of a release runs as a user that may not listen on ports below 1024.
func Unprivileged(v Version) bool { return releases.Of(v).Unprivileged }

// ContainerOf returns the container of a Deployment in which the operator runs; nil if none does.
func ContainerOf(d *snapshot.Deployment) *snapshot.Container { return operatorContainer(d) }

// CertificateDirectory is where the webhook of 2.x writes its certificate, unless --webhook-cert-dir says otherwise
// (cmd/operator/webhook/start.go@v2.0.0 to @v2.5.2).
const CertificateDirectory = "/etc/k8s-webhook-server/serving-certs"

// CertificateDirectory is where the webhook of the installation writes its certificate.
func (in *Installation) CertificateDirectory() string {
	if dir := unquoted(in.webhook.flags["webhook-cert-dir"]); dir != "" {
		return dir
	}
	return CertificateDirectory
}

// podOfValues sets what the values of a part say of its container: a list of the user replaces that of the chart, and the chart mounts
// one volume where the root is read-only (charts/spark-operator-chart/values.yaml@v2.1.0 to @v2.5.2).
func podOfValues(c *snapshot.Container, v helm.Values, part string, readOnly bool, mounted string) {
	context := part + ".securityContext."
	c.ReadOnlyRoot = readOnly
	if v.Has(context + "readOnlyRootFilesystem") {
		c.ReadOnlyRoot = v.Text(context+"readOnlyRootFilesystem") == "true"
	}
	c.MountPaths = []string{mounted}
	if v.Has(part + ".volumeMounts") {
		c.MountPaths = nil
		list, _ := v.At(part + ".volumeMounts").([]any)
		for _, one := range list {
			m, _ := one.(map[string]any)
			if path := helm.Values(m).Text("mountPath"); path != "" && helm.Values(m).Text("readOnly") != "true" {
				c.MountPaths = append(c.MountPaths, path)
			}
		}
	}
	switch {
	case v.Text(context+"runAsUser") == "0", v.Text(context+"runAsUser") == "" && v.Text(part+".podSecurityContext.runAsUser") == "0":
		c.LowPorts = "runAsUser 0"
	case v.Text(context+"privileged") == "true":
		c.LowPorts = "privileged"
	case len(v.List(context+"capabilities.add")) > 0 || v.At(part+".podSecurityContext.sysctls") != nil:
		c.LowPorts = "capabilities or sysctls"
	}
}

// traitsOfValues are the security contexts that the chart writes with the values of a part: Helm merges maps, and null takes a default
// away.
func traitsOfValues(v helm.Values, part string, fsGroup int64) []snapshot.Trait {
	pod := map[string]any{}
	if fsGroup != 0 {
		pod["fsGroup"] = fsGroup
	}
	given, _ := v.At(part + ".podSecurityContext").(map[string]any)
	for key, value := range given {
		if pod[key] = value; value == nil {
			delete(pod, key)
		}
	}
	var out []snapshot.Trait
	add := func(path string, context map[string]any) {
		if text, err := json.Marshal(context); err == nil && len(context) > 0 {
			out = append(out, snapshot.Trait{Path: path, Value: string(text)})
		}
	}
	add(podContextTrait, pod)
	container, _ := v.At(part + ".securityContext").(map[string]any)
	add(contextTrait, container)
	return out
}

// The traits of a Deployment that hold its security contexts.
const (
	podContextTrait = "pod securityContext"
	contextTrait    = "securityContext"
)

// FixedIDs are the user and the group that a pod template asks for by number.
type FixedIDs struct {
	User, Group *int64
	OfPod       bool // User is that of the pod, not of a container
}

// FixedIDsOf returns those of a Deployment, and whether all that it says of them is known. A user of a container wins over the pod's.
func FixedIDsOf(d *snapshot.Deployment) (ids FixedIDs, known bool) {
	known = true
	var of [2]struct{ User, Group *int64 }
	for _, t := range d.Traits {
		var context struct {
			User  *int64 `json:"runAsUser"`
			Group *int64 `json:"fsGroup"`
		}
		at := slices.Index([]string{podContextTrait, contextTrait}, t.Path)
		if at < 0 {
			continue
		}
		known = known && json.Unmarshal([]byte(t.Value), &context) == nil
		of[at].User, of[at].Group = context.User, context.Group
	}
	ids = FixedIDs{User: of[0].User, Group: of[0].Group, OfPod: true}
	if of[1].User != nil {
		ids.User, ids.OfPod = of[1].User, false
	}
	return ids, known
}
