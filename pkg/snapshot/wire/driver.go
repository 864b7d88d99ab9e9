package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// asks returns those of an application, sorted.
func (s *wireSpec) asks() []string {
	var out []string
	add := func(is bool, ask string) {
		if is && !slices.Contains(out, ask) {
			out = append(out, ask)
		}
	}
	add(s.PullPolicy != "", snapshot.AskPullPolicy)
	add(len(s.PullSecrets) > 0, snapshot.AskPullSecrets)
	add(len(s.Deps.Packages) > 0, snapshot.AskPackages)
	batch := s.batchScheduler()
	add(batch != "" && batch != "yunikorn" && s.DynamicAllocation.Enabled && !s.Executor.counted, snapshot.AskGangOfUnknown)
	for _, v := range s.Volumes {
		if v.EmptyDir == nil || !strings.HasPrefix(v.Name, localDirVolumeName) || !slices.Contains(slices.Concat(s.Driver.mounts, s.Executor.mounts), v.wireNamed) {
			continue
		}
		add(v.EmptyDir.Medium != "", snapshot.AskMemoryLocalDir)
		add(v.EmptyDir.SizeLimit == nil, snapshot.AskOpenLocalDir)
	}
	slices.Sort(out)
	return slices.Clip(out)
}

// wireDriverSpec are the fields of spec behind DriverAccess, but for those of spec.driver and sparkConf.
type wireDriverSpec struct {
	SparkVersion    string    `json:"sparkVersion"`
	DriverIngresses []ignored `json:"driverIngressOptions"`
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
func (s *wireSpec) driverAccess(namespace string) snapshot.DriverAccess {
	conf := &s.SparkConf.Value
	out := snapshot.DriverAccess{
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
	if len(raw) == 0 || json.Unmarshal(raw, &template, Options()) != nil {
		return ""
	}
	return template.Spec.Name
}

// undecodable returns the first value in a pod template that the operator cannot decode.
func (s *wireSpec) undecodable() *snapshot.Undecodable {
	return cmp.Or(templateProblem(s.Driver.template, "spec.driver.template"), templateProblem(s.Executor.template, "spec.executor.template"))
}
