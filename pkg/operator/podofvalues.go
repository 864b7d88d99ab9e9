package operator

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// CertificateDirectory is where the webhook of 2.x writes its certificate, unless --webhook-cert-dir says otherwise
// (cmd/operator/webhook/start.go@v2.0.0 to @v2.5.2).
const CertificateDirectory = "/etc/k8s-webhook-server/serving-certs"

// IngressFormat is that of the Ingresses which the controller makes for UIs; empty: it makes none.
func (in *Installation) IngressFormat() string {
	if in.flag("enable-ui-service") == "false" {
		return ""
	}
	return unquoted(in.flag("ingress-url-format"))
}

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
