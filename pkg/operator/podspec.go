package operator

import (
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
