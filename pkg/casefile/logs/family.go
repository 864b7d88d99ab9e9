package logs

import (
	"regexp"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// family is what exceptions of a kind have in common. It stands in for the catalogue where that does not know the message.
type family struct {
	class     cause.Class
	exception *regexp.Regexp // of the class
	message   *regexp.Regexp // nil: any
	says      string
}

// families lists kinds of exceptions whose names say what is wrong wherever they are raised, the most specific first.
func families() []family { return knownFamilies }

var (
	anyClass  = regexp.MustCompile(``)
	apiAnswer = regexp.MustCompile(`KubernetesClientException$|^$`) // or a plain line
)

var knownFamilies = []family{ //nolint:gochecknoglobals // regular expressions, never changed
	{cause.Storage, anyClass, regexp.MustCompile(`(?i)no space left on device|disk quota exceeded`), "a disk is full"},
	{cause.Quota, anyClass, regexp.MustCompile(`exceeded quota: |failed quota: `), "a ResourceQuota refuses it"},
	{cause.Submission, apiAnswer, regexp.MustCompile(`admission webhook|denied the request|violates PodSecurity`),
		"admission refused it"},
	{cause.Credentials, apiAnswer, regexp.MustCompile(`is forbidden: User `),
		"the service account lacks a permission"},
	{cause.Configuration, regexp.MustCompile(`java\.lang\.OutOfMemoryError$`), nil, "the JVM ran out of memory"},
	{cause.Network, regexp.MustCompile(`UnknownHostException$`), nil, "a name did not resolve"},
	{cause.Network, regexp.MustCompile(`(?:^|\.)(?:ConnectException|NoRouteToHostException|HttpHostConnectException` +
		`|ConnectTimeoutException|SocketTimeoutException` +
		`|ConnectionRefusedError|PortUnreachableException)$`), nil, "a connection failed"},
	{cause.Network, regexp.MustCompile(`(?:^|\.)gaierror$`), nil, "a name did not resolve"},
	{cause.Network, regexp.MustCompile(`(?:^|\.)SSLHandshakeException$`), nil, "a TLS handshake failed"},
	{cause.Credentials, regexp.MustCompile(`(?:^|\.)(?:AccessControlException|AccessDeniedException|NoCredentialsError` +
		`|NoAuthWithAWSException` +
		`|CredentialInitializationException|LoginException|GSSException|AuthenticationException)$`), nil, "access was refused"},
	{cause.Dependency, regexp.MustCompile(`(?:^|\.)(?:ClassNotFoundException|NoClassDefFoundError|NoSuchMethodError|NoSuchFieldError` +
		`|AbstractMethodError` +
		`|IncompatibleClassChangeError|UnsupportedClassVersionError|ServiceConfigurationError|UnsatisfiedLinkError|ModuleNotFoundError` +
		`|ImportError)$`),
		nil, "a class or module is missing or has another version"},
}

// familyOf finds the kind of an exception.
func familyOf(l *link) (family, bool) { return l.among(families()) }

func (l *link) among(list []family) (family, bool) {
	for _, f := range list {
		if f.exception.MatchString(l.class) && (f.message == nil || f.message.MatchString(l.message)) {
			return f, true
		}
	}
	return family{}, false
}

// verdict is what an exception of the kind means.
func (f *family) verdict(l *link, own *frame) verdict {
	return verdict{strength: plausible, class: f.class, says: f.says + ": " + described(l), next: f.steps(), root: l, frame: own}
}

// steps is what to do about a kind of failure of which no more is known.
func (f *family) steps() []command.Command {
	text := map[cause.Class]string{
		cause.Network:       "check that the service runs, its name and its port, then NetworkPolicies, a service mesh, firewalls and proxies",
		cause.Credentials:   "check which identity the pod has (service account, role, secret), and grant it what the message names",
		cause.Storage:       "give spark.local.dir, and what buffers on a disk, a larger volume (a claim named spark-local-dir-1)",
		cause.Dependency:    "use jars and packages that were built for the versions of Spark, Scala, Java and Python in the image",
		cause.Configuration: "correct the setting that the message names",
		cause.CodeFailed:    "check the path, and whether what writes the file has run or deleted it",
	}[f.class]
	if text == "" {
		return nil
	}
	return []command.Command{command.Do("%s", text)}
}
