package mechanism

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// cloudIdentity is how a cloud binds an identity to a service account.
type cloudIdentity struct {
	cloud      logs.Cloud
	annotation string             // of the service account
	name       *lazyregexp.Regexp // the comparable part of the annotation's value
}

// The annotations of service accounts.
const (
	AmazonRole    = snapshot.AmazonRoleAnnotation
	GoogleAccount = snapshot.GoogleAccountAnnotation
)

// S3AProviders is the setting of Hadoop that lists whom S3A asks for credentials, in that order, and no others
// (hadoop-tools/hadoop-aws/src/site/markdown/tools/hadoop-aws/index.md of apache/hadoop@rel/release-3.3.3).
const S3AProviders = "fs.s3a.aws.credentials.provider"

// Annotations: docs of Amazon EKS (IAM roles for service accounts) and of Google Kubernetes Engine (Workload Identity).
var cloudIdentities = []cloudIdentity{ //nolint:gochecknoglobals // regular expressions, never changed
	{logs.Amazon, AmazonRole, lazyregexp.New(`[^/]+$`)},
	{logs.Google, GoogleAccount, lazyregexp.New(`.+`)},
}

// ActedAs is about the identity that acted, by the words of a refusal, where the service account of the pod names another or none.
type ActedAs struct {
	Role    cause.Role // whose pod acted
	Who     string     // role or account
	Node    string     // instance whose role it is; empty: of none
	Named   string     // identity that the service account names; empty: none
	Account string
	Cloud   string // annotation by which the cloud binds identities

	Driver      string // the driver's service account, where executors have another, and it names an identity; else empty
	DriverValue string // of its annotation
	// Setting is where the spec names whom S3A asks for credentials, where none of these reads the token of the service account; zero: the
	// spec leaves that open, or names one that does. Providers are their names.
	Setting   Setting
	Providers string
	Tokenless bool // the pod was seen without the variable that names the token: EKS did not change it
	Bundled   bool // Hadoop has the SDK of AWS in version 2: from 3.4, which Spark has from 4.0
}

// Setting is where a spec gives a value to a key: in hadoopConf or sparkConf.
type Setting struct{ In, Key string }

// String is its path in the object: "spec.hadoopConf.fs.s3a.aws.credentials.provider".
func (s Setting) String() string { return "spec." + s.In + "." + s.Key }

// Indexed is its path where the key stands apart: "spec.hadoopConf[fs.s3a.endpoint]".
func (s Setting) Indexed() string { return "spec." + s.In + "[" + s.Key + "]" }

// Mechanism names it.
func (ActedAs) Mechanism() cause.ID { return "acted-as" }

// WhoActed compares the identity that a refusal names with the one that the service account of the pod names. Without a refusal that names
// one, the annotation is shown beside. What the Hive metastore was refused is no matter of the pod's.
func WhoActed(v *View, about *cause.Cause) (out []cause.Cause) {
	failed, _ := about.Detail.(logs.Failure)
	if about.Class != cause.Credentials || failed.OfMetastore {
		return nil
	}
	role, pod := actingPod(v, about, &failed)
	account := accountNamed(v, accountOf(v, role, pod))
	if account == nil {
		return nil
	}
	ref := snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: account.Namespace, Name: account.Name, UID: string(account.UID)}
	for _, cloud := range cloudIdentities {
		at := slices.IndexFunc(failed.Actors, func(a logs.Actor) bool { return a.Cloud == cloud.cloud })
		named := cloud.name.FindString(account.Annotations[cloud.annotation])
		one := cause.Cause{Class: cause.Credentials, Role: role, Subject: ref, At: about.At, Trust: cause.ByEnvironment}
		if named != "" {
			one.Evidence = []cause.Proof{{Object: ref, Field: "metadata.annotations[" + cloud.annotation + "]",
				Value: account.Annotations[cloud.annotation], Beside: at < 0}}
		}
		if at < 0 {
			if named != "" {
				out = append(out, one)
			}
			continue
		}
		by := &failed.Actors[at]
		tells := named != "" || by.Instance != ""
		if tells && by.Name != named {
			d := ActedAs{Role: role, Who: by.Name, Node: by.Instance, Named: named, Account: account.Name, Cloud: cloud.annotation}
			one.Evidence = append(one.Evidence, passedOver(v, &d, pod)...)
			one.Detail = d
		}
		if one.Detail != nil || len(one.Evidence) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// passedOver adds to what acted why the service account did not, and what shows it.
func passedOver(v *View, d *ActedAs, pod *corev1.Pod) (out []cause.Proof) {
	d.Bundled = bundled(sparkVersion(v))
	if d.Named == "" {
		driver := accountNamed(v, accountOf(v, cause.DriverRole, v.Driver))
		if d.Role == cause.ExecutorRole && driver != nil && driver.Name != d.Account && driver.Annotations[d.Cloud] != "" {
			d.Driver, d.DriverValue = driver.Name, driver.Annotations[d.Cloud]
		}
		return nil
	}
	if d.Cloud != AmazonRole {
		return nil
	}
	const token = "AWS_WEB_IDENTITY_TOKEN_FILE"
	if c := mainContainer(pod); c != nil {
		d.Tokenless = !slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == token })
	}
	for _, from := range []struct {
		setting Setting
		value   string
	}{
		{Setting{"hadoopConf", S3AProviders}, v.Spec.HadoopConf[S3AProviders]},
		{Setting{"sparkConf", "spark.hadoop." + S3AProviders}, v.Spec.Conf["spark.hadoop."+S3AProviders]},
	} {
		if from.value != "" && !readToken(from.value) {
			d.Setting, d.Providers = from.setting, from.value
			return []cause.Proof{{Object: v.AppRef(), Field: from.setting.String(), Value: from.value}}
		}
	}
	return nil
}

// TokenProvider is the class by which S3A reads the token of a service account: of the SDK of AWS 2 where Hadoop has that one.
func TokenProvider(bundled bool) string {
	if bundled {
		return "software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider"
	}
	return "com.amazonaws.auth.WebIdentityTokenCredentialsProvider"
}

// withoutToken matches providers that read no token of a service account. Others may, such as one of a platform.
var withoutToken = lazyregexp.New(`\.(?:(?:InstanceProfile|IAMInstance|Container|EnvironmentVariable|SystemProperty|SystemProperties)` +
	`CredentialsProvider|EC2ContainerCredentialsProviderWrapper|(?:Simple|Temporary|Anonymous)AWSCredentialsProvider)$`)

func readToken(providers string) bool {
	return slices.ContainsFunc(strings.Split(providers, ","), func(one string) bool {
		return !withoutToken.MatchString(strings.TrimSpace(one))
	})
}

// actingPod is whose process a refusal was of, and its pod; nil: it was not seen. What a task was refused its executor was, whichever log
// tells of it.
func actingPod(v *View, about *cause.Cause, failed *logs.Failure) (cause.Role, *corev1.Pod) {
	of := failed.Executor
	if of == "" && failed.Worker {
		of = "?"
	}
	if about.Trust != cause.ByExecutorLog && (of == "" || of == string(cause.DriverRole)) {
		return cause.DriverRole, v.Driver
	}
	var pod *corev1.Pod
	for _, p := range v.Executors {
		if pod == nil || p.Name == about.Subject.Name || executorID(v, p.Name) == of {
			pod = p
		}
	}
	return cause.ExecutorRole, pod
}

// accountOf is the name of the service account of a pod, or the one that the spec gives to its role. Executors have that of the driver
// where none is set (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/features/
// ExecutorKubernetesCredentialsFeatureStep.scala@v3.5.5).
func accountOf(v *View, role cause.Role, pod *corev1.Pod) string {
	const setting = "spark.kubernetes.authenticate.%.serviceAccountName"
	if pod != nil {
		return strings.TrimSpace(pod.Spec.ServiceAccountName)
	}
	of := cmp.Or(v.Spec.Role(string(role)).ServiceAccount, v.Spec.Conf[strings.Replace(setting, "%", string(role), 1)])
	if of == "" && role == cause.ExecutorRole {
		return accountOf(v, cause.DriverRole, v.Driver)
	}
	return of
}

// accountNamed is a service account of the application's namespace; nil: it was not seen.
func accountNamed(v *View, name string) *corev1.ServiceAccount {
	for i := range v.ServiceAccounts {
		if a := &v.ServiceAccounts[i]; a.Namespace == v.Subject.Namespace && a.Name == name {
			return a
		}
	}
	return nil
}

// mainContainer is that of Spark in a pod; nil: there is none.
func mainContainer(pod *corev1.Pod) *corev1.Container {
	if pod == nil {
		return nil
	}
	at := slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == app.MainName(pod) })
	if at < 0 {
		return nil
	}
	return &pod.Spec.Containers[at]
}
