package snapshot

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
)

// DriverAccess is what an application says about whom its driver runs as, and what the driver will ask of the API server.
type DriverAccess struct {
	SparkVersion string // spec.sparkVersion
	AccountName  string // as Named says; empty: none is named
	Named        string // the path that names the account
	// Foreign says that the driver has credentials of its own, asks for no pods itself, or runs in another namespace: what
	// its account may do there is not known.
	Foreign        bool
	ClaimsByDriver bool   // a volume of an executor is a claim that the driver makes
	ClaimsBySubmit bool   // a volume of the driver is a claim that spark-submit makes
	NoConfigMap    bool   // spark.kubernetes.executor.disableConfigMap=true
	NoWatch        bool   // spark.kubernetes.executor.enableApiWatcher=false
	Ingresses      bool   // spec.driverIngressOptions is not empty
	BatchScheduler string // spec.batchScheduler
	BatchQueue     string // spec.batchSchedulerOptions.queue
}

// wireDriverSpec are the fields of spec behind DriverAccess, but for those of spec.driver and sparkConf.
type wireDriverSpec struct {
	SparkVersion    string    `json:"sparkVersion"`
	DriverIngresses []ignored `json:"driverIngressOptions"`
}

// Account returns the service account of the driver.
func (d *DriverAccess) Account(a *SparkApplication) Account {
	return Account{a.Namespace, cmp.Or(d.AccountName, DefaultAccount)}
}

// The settings (spark.apache.org/docs/3.5.5/running-on-kubernetes.html#spark-properties).
const (
	driverCredentials = "spark.kubernetes.authenticate.driver."
	driverAccountConf = driverCredentials + "serviceAccountName"
	onDemand          = "OnDemand"
)

// driverAccess reads what the settings and the template say. The operator passes spec.driver.serviceAccount after
// sparkConf, and the last --conf counts (buildSparkSubmitArgs, internal/controller/sparkapplication/
// submission.go@v2.5.2); without either Spark leaves the template's (DriverKubernetesCredentialsFeatureStep@spark-3.5.5).
func (s *wireSpec) driverAccess(namespace string) DriverAccess {
	conf := &s.SparkConf.Value
	out := DriverAccess{
		SparkVersion: s.SparkVersion, BatchScheduler: s.batchScheduler(), BatchQueue: s.BatchSchedulerOptions.Queue,
		Ingresses:   len(s.DriverIngresses) > 0,
		NoConfigMap: strings.EqualFold(conf.onPods.of("spark.kubernetes.executor.disableConfigMap"), "true"),
		NoWatch:     strings.EqualFold(conf.onPods.of("spark.kubernetes.executor.enableApiWatcher"), "false"),
		Foreign:     conf.Namespace != "" && conf.Namespace != namespace,
	}
	for _, from := range []struct{ path, name string }{
		{"spec.driver.serviceAccount", s.Driver.account},
		{`spec.sparkConf["` + driverAccountConf + `"]`, conf.onPods.of(driverAccountConf)},
		{"spec.driver.template.spec.serviceAccountName", templateAccount(s.Driver.template)},
	} {
		if from.name != "" {
			out.AccountName, out.Named = from.name, from.path
			break
		}
	}
	if allocator := conf.onPods.of("spark.kubernetes.allocation.pods.allocator"); allocator != "" && allocator != "direct" {
		out.Foreign = true
	}
	for _, set := range conf.onPods {
		key, value := set.Key, set.Value
		if strings.HasPrefix(key, driverCredentials) && key != driverAccountConf {
			out.Foreign = true
		}
		if strings.HasSuffix(key, ".options.claimName") && value == onDemand {
			out.ClaimsByDriver = out.ClaimsByDriver || strings.HasPrefix(key, "spark.kubernetes.executor.volumes.persistentVolumeClaim.")
			out.ClaimsBySubmit = out.ClaimsBySubmit || strings.HasPrefix(key, "spark.kubernetes.driver.volumes.persistentVolumeClaim.")
		}
	}
	return out
}

func templateAccount(raw []byte) string {
	var template struct {
		Spec struct {
			Name string `json:"serviceAccountName"`
		} `json:"spec"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &template, decodeOptions()) != nil {
		return ""
	}
	return template.Spec.Name
}

// undecodable returns the first value in a pod template that the operator cannot decode.
func (s *wireSpec) undecodable() *Undecodable {
	return cmp.Or(templateProblem(s.Driver.template, "spec.driver.template"), templateProblem(s.Executor.template, "spec.executor.template"))
}
