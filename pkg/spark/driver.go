package spark

import (
	"cmp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// DriverAccess is what an application says about whom its driver runs as, and what the driver will ask of the API server.
type DriverAccess struct {
	SparkVersion string // spec.sparkVersion
	AccountName  string // as Named says; empty: none is named
	Named        string // the path that names the account
	// AccessUnknown says that the driver has credentials of its own, asks for no pods itself, or runs in another namespace: what
	// its account may do there is not known.
	AccessUnknown  bool
	ClaimsByDriver bool // a volume of an executor is a claim that the driver makes
	ClaimsBySubmit bool // a volume of the driver is a claim that spark-submit makes
	NoConfigMap    bool // spark.kubernetes.executor.disableConfigMap=true
	NoWatch        bool // spark.kubernetes.executor.enableApiWatcher=false
}

// On returns the service account of the driver in a namespace.
func (d DriverAccess) On(namespace string) snapshot.Account {
	return snapshot.Account{Namespace: namespace, Name: cmp.Or(d.AccountName, snapshot.DefaultAccount)}
}

// The settings (spark.apache.org/docs/3.5.5/running-on-kubernetes.html#spark-properties).
const (
	driverCredentials = "spark.kubernetes.authenticate.driver."
	driverAccountConf = driverCredentials + "serviceAccountName"
	onDemand          = "OnDemand"
)

// DriverOf reads what the settings and the template say. The operator passes spec.driver.serviceAccount after
// sparkConf, and the last --conf counts (buildSparkSubmitArgs, internal/controller/sparkapplication/
// submission.go@v2.5.2); without either Spark leaves the template's (DriverKubernetesCredentialsFeatureStep@spark-3.5.5).
func DriverOf(a *snapshot.SparkApplication) DriverAccess {
	role := roleOf(a, "driver")
	template := cmp.Or(role.Template, &snapshot.PodTemplate{})
	out := DriverAccess{
		SparkVersion:  a.SparkVersion,
		NoConfigMap:   strings.EqualFold(a.Setting("spark.kubernetes.executor.disableConfigMap"), "true"),
		NoWatch:       strings.EqualFold(a.Setting("spark.kubernetes.executor.enableApiWatcher"), "false"),
		AccessUnknown: a.SparkConf.Namespace != "" && a.SparkConf.Namespace != a.Namespace,
	}
	for _, from := range []struct{ path, name string }{
		{"spec.driver.serviceAccount", role.Account},
		{`spec.sparkConf["` + driverAccountConf + `"]`, a.Setting(driverAccountConf)},
		{"spec.driver.template.spec.serviceAccountName", template.Account},
	} {
		if from.name != "" {
			out.AccountName, out.Named = from.name, from.path
			break
		}
	}
	if allocator := a.Setting("spark.kubernetes.allocation.pods.allocator"); allocator != "" && allocator != "direct" {
		out.AccessUnknown = true
	}
	out.settings(a.Settings)
	return out
}

// ServerAccountField names the account of a SparkConnect server.
const ServerAccountField = "spec.server.template.spec.serviceAccountName"

// ServerOf is DriverOf for a SparkConnect server. It is a driver in client mode: its pod has the account of the template and no other
// (mutateServerPod in internal/controller/sparkconnect/reconciler.go@v2.5.2), and its own credentials are settings without a role
// (docs/running-on-kubernetes.md@v4.0.0, spark.kubernetes.authenticate.oauthToken).
func ServerOf(c *snapshot.SparkConnect) DriverAccess {
	namespace := c.Setting("spark.kubernetes.namespace")
	out := DriverAccess{
		SparkVersion: c.SparkVersion, AccountName: c.ServerAccount,
		NoConfigMap:   strings.EqualFold(c.Setting("spark.kubernetes.executor.disableConfigMap"), "true"),
		NoWatch:       strings.EqualFold(c.Setting("spark.kubernetes.executor.enableApiWatcher"), "false"),
		AccessUnknown: namespace != "" && namespace != c.Namespace || c.Malformed != "",
	}
	if c.ServerAccount != "" {
		out.Named = ServerAccountField
	}
	if allocator := c.Setting("spark.kubernetes.allocation.pods.allocator"); allocator != "" && allocator != "direct" {
		out.AccessUnknown = true
	}
	for _, set := range c.Settings {
		own, credentials := strings.CutPrefix(set.Key, "spark.kubernetes.authenticate.")
		out.AccessUnknown = out.AccessUnknown || credentials && !strings.Contains(own, ".")
	}
	out.settings(c.Settings)
	return out
}

// settings reads what the settings say.
func (d *DriverAccess) settings(list []snapshot.Setting) {
	for _, set := range list {
		key, value := set.Key, set.Value
		if strings.HasPrefix(key, driverCredentials) && key != driverAccountConf {
			d.AccessUnknown = true
		}
		if strings.HasSuffix(key, ".options.claimName") && value == onDemand {
			d.ClaimsByDriver = d.ClaimsByDriver || strings.HasPrefix(key, "spark.kubernetes.executor.volumes.persistentVolumeClaim.")
			d.ClaimsBySubmit = d.ClaimsBySubmit || strings.HasPrefix(key, "spark.kubernetes.driver.volumes.persistentVolumeClaim.")
		}
	}
}
