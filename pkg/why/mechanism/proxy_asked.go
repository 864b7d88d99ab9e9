package mechanism

import (
	"net/url"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ProxyAsked is a client of Kubernetes that asks an HTTP proxy for the API server, because the container has a variable for the proxy and
// none of the names in NO_PROXY is one of the API server (HttpClientUtils.isHostMatchedByNoProxy of fabric8io/kubernetes-client, which
// Spark uses). A proxy that refuses another host, and a NO_PROXY that names the API server, look alike.
type ProxyAsked struct {
	Proxy    string // host and port
	Variable string // that names it
	Except   string // what NO_PROXY holds; empty: it is not set
	Host     string // of the API server, as Spark calls it
}

// Mechanism names it.
func (ProxyAsked) Mechanism() cause.ID { return "proxy-asked" }

// apiServer is the host of the API server in the configuration of a driver (spark.kubernetes.driver.master, in
// resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/Config.scala@v3.5.5).
const (
	apiServer     = "kubernetes.default.svc"
	masterSetting = "spark.kubernetes.driver.master"
)

// AskedProxy explains a proxy that refuses a connection to the API server by the variables of the container.
func AskedProxy(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	ofAPI := slices.ContainsFunc(failed.Chain, func(t logs.Throwable) bool {
		return strings.HasPrefix(t.Class, "io.fabric8.kubernetes.client.")
	})
	pod := SubjectPod(v, about)
	if !is || known.Signature.ID != "proxy" || !ofAPI || pod == nil || pod.Name != about.Subject.Name {
		return cause.Cause{}, false
	}
	at := slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == app.MainName(pod) })
	if at < 0 {
		return cause.Cause{}, false
	}
	d, is := askedBy(&pod.Spec.Containers[at], apiHost(v.Spec.Conf[masterSetting]))
	if !is {
		return cause.Cause{}, false
	}
	env := "spec.containers[" + app.MainName(pod) + "].env"
	return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: []cause.Proof{
			{Object: Ref(pod), Field: env + "[" + d.Variable + "]", Value: d.Proxy},
			{Object: Ref(pod), Field: env + "[NO_PROXY]", Value: d.Except}}}, true
}

func apiHost(master string) string {
	if u, err := url.Parse(strings.TrimPrefix(master, "k8s://")); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return apiServer
}

// askedBy is the proxy that a container asks for a host; false: it asks none, or one of the variables is not in its spec.
func askedBy(c *corev1.Container, host string) (ProxyAsked, bool) {
	d := ProxyAsked{Host: host}
	for _, e := range c.Env {
		switch name := strings.ToUpper(e.Name); {
		case (name == "HTTPS_PROXY" || name == "NO_PROXY") && e.ValueFrom != nil || len(c.EnvFrom) > 0:
			return ProxyAsked{}, false
		case name == "HTTPS_PROXY":
			if u, err := url.Parse(e.Value); err == nil {
				d.Variable, d.Proxy = e.Name, u.Host
			}
		case name == "NO_PROXY":
			d.Except = e.Value
		}
	}
	named := slices.ContainsFunc(strings.Split(d.Except, ","), func(one string) bool {
		one = strings.TrimPrefix(strings.TrimSpace(one), "*")
		return one != "" && (host == one || strings.HasSuffix(host, "."+strings.TrimPrefix(one, ".")))
	})
	return d, d.Proxy != "" && !named
}
