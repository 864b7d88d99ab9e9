package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// family is what exceptions of a kind have in common. It stands in for the catalogue where that does not know the message.
type family struct {
	kind      Kind
	exception *lazyregexp.Regexp // of the class
	message   *lazyregexp.Regexp // nil: any
}

// families lists kinds of exceptions whose names say what is wrong wherever they are raised, the most specific first.
func families() []family { return knownFamilies }

var (
	anyClass  = lazyregexp.New(``)
	apiAnswer = lazyregexp.New(`KubernetesClientException$|^$`) // or a plain line
)

var knownFamilies = []family{ //nolint:gochecknoglobals // regular expressions, never changed
	{DiskFull, anyClass, lazyregexp.New(`(?i)no space left on device|disk quota exceeded`)},
	{QuotaExceeded, anyClass, lazyregexp.New(`exceeded quota: |failed quota: `)},
	{AdmissionRefused, apiAnswer, lazyregexp.New(`admission webhook|denied the request|violates PodSecurity`)},
	{PermissionMissing, apiAnswer, lazyregexp.New(`is forbidden: User `)},
	{OutOfMemory, lazyregexp.New(`java\.lang\.OutOfMemoryError$`), nil},
	{NameUnresolved, lazyregexp.New(`UnknownHostException$`), nil},
	{ConnectionFailed, lazyregexp.New(`(?:^|\.)(?:ConnectException|NoRouteToHostException|HttpHostConnectException` +
		`|ConnectTimeoutException|SocketTimeoutException|NoHttpResponseException|ConnectionClosedException` +
		`|ConnectionRefusedError|PortUnreachableException)$`), nil},
	{NameUnresolved, lazyregexp.New(`(?:^|\.)gaierror$`), nil},
	{HandshakeFailed, lazyregexp.New(`(?:^|\.)SSLHandshakeException$`), nil},
	{AccessRefused, lazyregexp.New(`(?:^|\.)(?:AccessControlException|AccessDeniedException|NoCredentialsError` +
		`|NoAuthWithAWSException` +
		`|CredentialInitializationException|LoginException|GSSException|AuthenticationException)$`), nil},
	{ClassMissing, lazyregexp.New(`(?:^|\.)(?:ClassNotFoundException|NoClassDefFoundError|NoSuchMethodError|NoSuchFieldError` +
		`|AbstractMethodError` +
		`|IncompatibleClassChangeError|UnsupportedClassVersionError|ServiceConfigurationError|UnsatisfiedLinkError|ModuleNotFoundError` +
		`|ImportError)$`),
		nil},
}

// familyOf finds the kind of an exception.
func familyOf(l *link) (family, bool) { return l.among(families()) }

func (l *link) among(list []family) (family, bool) {
	for _, f := range list {
		if !f.exception.MatchString(l.class) {
			continue
		}
		if f.message == nil || f.message.MatchString(l.message) {
			return f, true
		}
	}
	return family{}, false
}

// verdict is what an exception of the kind means.
func (f *family) verdict(l *link, own *frame) verdict {
	return verdict{meaning: OfKind{Kind: f.kind}, strength: Plausible, class: f.kind.Class(), root: l, frame: own}
}

// wordings are what clients of services say in any wording of their own: the catalogue cannot know them all. They are read in the words of
// libraries alone. Code of the application may say anything, and Spark's own errors have classes.
func wordings() []family { return knownWordings }

var knownWordings = []family{ //nolint:gochecknoglobals // regular expressions, never changed
	{DiskFull, lazyregexp.New(`(?:DiskError|DiskFull|NoSpace\w*|OutOfSpace)(?:Exception|Error)?$`), nil},
	{DiskFull, anyClass, lazyregexp.New(`(?i)\bno space (?:left|available)|\bdisk (?:is )?full\b|\bnot enough (?:disk )?space\b` +
		`|\binsufficient disk space`)},
	{AccessRefused, lazyregexp.New(`(?:Access|Permission)Denied(?:Exception|Error)?$|(?:Unauthori[sz]ed|NotAuthorized|Forbidden` +
		`|Unauthenticated|Authentication|Authorization|Credentials?\w*|TokenRefresh|^google\.auth\..*Refresh)(?:Exception|Error)$`), nil},
	{AccessRefused, anyClass, lazyregexp.New(`^\((?:401|403)\)` +
		`|\b(?:401|403) (?:Client Error|(?:GET|HEAD|POST|PUT|PATCH|DELETE) http)` +
		`|StatusCode\.(?:UNAUTHENTICATED|PERMISSION_DENIED)|^(?:UNAUTHENTICATED|PERMISSION_DENIED)\b|^NOAUTH\b`)},
	{TooManyRequests, anyClass, lazyregexp.New(`(?i)\b429[: ](?:client error|too many requests)|\btoo many requests\b|\bThrottling\w*` +
		`|\brate ?limit ?exceeded\b|: Rate exceeded\b|\bSlowDown\b|\bServerBusy\b`)},
	{AccessRefused, anyClass, lazyregexp.New(`(?i)\baccess (?:is )?denied\b|\bpermission (?:[\w.]+ )?denied\b` +
		`|\b(?:not authori[sz]ed|unauthori[sz]ed)\b|\b(?:401|403)[: (-]*(?:forbidden|unauthori[sz]ed)` +
		`|\b(?:status|code|error)[ :=]{1,3}(?:401|403)\b` +
		`|\bauthentication (?:failed|failure|error)\b|\binvalid (?:credentials|api key|access key|username|password|user name)\b` +
		`|\b(?:incorrect|wrong) (?:username|user name|password|credentials)\b|\blogin failed\b|\btoken (?:has |is )?expired\b` +
		`|\binvalid_(?:grant|client|token)\b|\binvalid jwt\b|\b(?:jwt|access|bearer|session|refresh) token is invalid\b` +
		`|\bauthentication (?:is )?required\b|\bexception authenticating\b` +
		`|\b(?:public|anonymous) access is not (?:permitted|allowed)\b|\bno credentials (?:found|provided|available|were)\b` +
		`|\b(?:unable to|could not|cannot) (?:load|find|obtain|get) (?:\w+ ){0,2}credentials\b|\bhave to provide (?:\w+ )?credentials\b` +
		`|\bdoes not have .{0,60}permission|\binsufficient (?:permissions?|privileges?)\b`)},
	{ConnectionRefused, lazyregexp.New(`Connect(?:ion)?(?:Exception|Error)$`), lazyregexp.New(
		`(?i)\b(?:is|are) not (?:allowed|permitted|supported|enabled)\b`)},
	{ConnectionFailed, lazyregexp.New(`(?:^|[a-z.])(?:Timeout|Connect(?:ion)?|Unreachable|Unavailable|NoNodes\w*|AllNodesFailed` +
		`|Socket\w*|Communications?)(?:Exception|Error)$|(?:^|\.)(?:Read|Write|Connect)Timeout$|(?:^|\.)NoBrokersAvailable$`), nil},
	{ConnectionFailed, anyClass, lazyregexp.New(`StatusCode\.(?:UNAVAILABLE|DEADLINE_EXCEEDED)|^(?:UNAVAILABLE|DEADLINE_EXCEEDED): ` +
		`|\b50[234] (?:Server Error|(?:GET|HEAD|POST|PUT|PATCH|DELETE) http)`)},
	{ConnectionFailed, anyClass, lazyregexp.New(`(?i)\bconnection (?:error|refused|timed out|failed)\b` +
		`|\bconnect(?:ion)? time(?:d )?out\b|\b(?:could|can)(?: ?not|n't) (?:connect to|reach|be reached)\b|\bmax retries exceeded\b` +
		`|\b(?:cluster|server|service|host) is not (?:accessible|reachable)\b` +
		`|\b(?:failed|unable) to (?:connect|reach|resolve host|open .{0,20}connection)\b` +
		`|\b(?:server|host|broker) (?:has )?(?:failed to respond|did not respond|closed the connection)\b` +
		`|\brefused the connection\b|\bno route to host\b|\b(?:network|host) is unreachable\b` +
		`|\btimed out (?:after|while|waiting) .{0,40}\b(?:server|node|host|broker|connection|response)|\bname or service not known\b` +
		`|\btemporary failure in name resolution\b|\b(?:could|can)(?: ?not|n't) resolve (?:host|proxy)\b|\bbad address '` +
		`|\b(?:503|502|504)[: (-]*(?:service unavailable|bad gateway|gateway time-?out)` +
		`|\ball (?:nodes|hosts|brokers) (?:failed|tried|are down)\b|\bno (?:nodes|hosts|brokers|servers) available\b`)},
	{FileMissing, lazyregexp.New(`(?:FileNotFound|NoSuchFile|NoSuchKey|FileNotExists?)(?:Exception|Error)$`), nil},
	{AskedForMissing, lazyregexp.New(`(?:Entity|Resource|Object|Item|Table|Database|Topic|Index|Collection|Blob|Document|Record|Dataset` +
		`|Partition)NotFound(?:Exception|Error)?$|NoSuch(?:Table|Namespace|Database|Index|Object|Entity|View)(?:Exception|Error)$` +
		`|(?:^|\.)exceptions\.NotFound(?:Exception|Error)?$`), nil},
	{AskedForMissing, anyClass, lazyregexp.New(`\((?:NoSuchKey|\w*NotFound\w*)\) when calling the \w+ operation` +
		`|\b404 (?:Client Error|(?:GET|HEAD|POST|PUT|PATCH|DELETE) http)|\bRESOURCE_DOES_NOT_EXIST\b|\bnot found\.?; error code: 404` +
		`|StatusCode\.NOT_FOUND|^NOT_FOUND: `)},
	{RequestRefused, lazyregexp.New(`(?:^|\.)exceptions\.BadRequest$|\.EsHadoop(?:InvalidRequest|RemoteException)$`),
		lazyregexp.New(`^400 |\w+_exception: `)},
	{NativeLibraryMissing, anyClass, lazyregexp.New(`\blib[\w.-]+\.so\b.*\b(?:could not|cannot) be loaded\b` +
		`|\b(?:could not|cannot|failed to) load .*\blib[\w.-]+\.so\b|\bcannot open shared object file\b`)},
	{VersionsMismatch, lazyregexp.New(`(?:Version|Abi)(?:Mismatch|Conflict|Incompatib\w*|NotSupported|Unsupported)\w*$` +
		`|(?:Incompatible|Unsupported|Mismatched)\w*Version\w*$`), nil},
	{SettingWrong, lazyregexp.New(`(?:^|\.)(?:NoRegion|Config(?:uration)?)(?:Exception|Error)(?:\$\w+)?$`), nil},
	{SettingWrong, lazyregexp.New(`(?:IllegalArgument|IllegalState|NullPointer|Validation)Exception$`),
		lazyregexp.New(`(?i)^(?:cannot|unable to|failed to) (?:initialize|instantiate|configure) \w+(?: because|: )` +
			`.*\b(?:null|empty|missing|not set|must|required)\b|\b(?:property|option|configuration|setting|parameter) ['"]?[\w.-]+['"]? ` +
			`(?:must be|is not) (?:set|specified|configured)\b`)},
	{SettingWrong, anyClass, lazyregexp.New(`(?i)\bmissing (?:required )?(?:option|property|configuration|setting|parameter)\b` +
		`|\b(?:unknown|unrecognized|invalid|unsupported) (?:option|property|configuration|config key|setting)\b`)},
}

// wording finds what a chain is about by the words of libraries, its root first.
func wording(links []link) (family, *link, bool) {
	if raisedByOwn(rootOf(links)) {
		return family{}, nil, false
	}
	for i := range links {
		l := &links[i]
		if l.ofSpark() || raisedByOwn(l) || strings.HasPrefix(l.class, "java.util.concurrent.") {
			continue // a future that was not ready in time says nothing of a connection
		}
		if f, ok := l.among(wordings()); ok {
			return f, l, true
		}
	}
	return family{}, nil, false
}

// A value that a library was not given, by its name: of Guava's Preconditions, of the JDK's Objects, of Apache's Validate, of Spring's.
var (
	guards   = lazyregexp.New(`\.(?:checkNotNull|requireNonNull|notNull|notEmpty|checkNotEmpty|notBlank)$`)
	variable = lazyregexp.New(`^[a-z]\w*(?: (?:is|must not be|cannot be|may not be) (?:null|empty|blank))?\.?$`)
)

// environ is where os.environ raises a KeyError (Lib/os.py of python/cpython@v3.12.3, which is part of the interpreter since 3.11).
var environ = lazyregexp.New(`/lib(?:64)?/python\d(?:\.\d+)?/os\.py$|^<frozen os>$`)

// required is about a value that a client of a service asks for when it is made, or the application of its environment, and did not get.
func required(links []link, own *frame) (verdict, bool) {
	root := rootOf(links)
	if root.python && root.class == "KeyError" && len(root.frames) > 0 && environ.MatchString(root.frames[0].file) {
		return verdict{meaning: VariableUnset{Name: strings.Trim(root.message, "'")}, strength: OwnCode, class: cause.Configuration, root: root,
			frame: own}, true
	}
	if len(root.frames) < 2 || !guards.MatchString(root.frames[0].name) || !variable.MatchString(root.message) {
		return verdict{}, false
	}
	by := root.frames[1].name
	if !(frame{name: by}).library() || !strings.HasSuffix(by, ".<init>") || hasPrefix(by, dataCode()...) {
		return verdict{}, false
	}
	by = strings.TrimSuffix(by, ".<init>")
	return verdict{meaning: ValueMissing{Client: by[strings.LastIndexByte(by, '.')+1:]}, strength: Plausible, class: cause.Configuration,
		root: root, frame: own}, true
}

// errorClass is how Spark's own errors begin since 3.3, of two words or more (common/utils/src/main/resources/error/
// error-classes.json@v3.5.5).
var errorClass = lazyregexp.New(`^\[[A-Z][A-Z0-9]*_[A-Z0-9_.]+\]`)

// ofSpark reports whether the exception is one of Spark's own, whose words quote queries and data.
func (l *link) ofSpark() bool {
	return errorClass.MatchString(l.message) || hasPrefix(l.class, "org.apache.spark.", "pyspark.")
}

// dataCode are packages that read, compute and write data: what they complain of is the query, the data or the code that hands it to them.
func dataCode() []string {
	return []string{
		"org.apache.spark.sql.", "org.apache.spark.ml.", "org.apache.spark.mllib.", "org.apache.spark.graphx.", "org.apache.spark.api.python.",
		"org.apache.spark.unsafe.", "org.apache.spark.rdd.", "org.apache.spark.util.collection.", "org.apache.spark.serializer.",
		"org.apache.parquet.", "org.apache.orc.", "org.apache.avro.", "org.apache.arrow.", "org.apache.iceberg.", "org.apache.hudi.", "io.delta.",
		"org.apache.hadoop.hive.serde2.", "org.apache.hadoop.hive.ql.", "org.apache.commons.", "com.fasterxml.jackson.", "org.json4s.",
		"org.codehaus.", "com.univocity.", "com.esotericsoftware.", "breeze.", "ml.dmlc.",
		// Drivers of databases: the server took the connection and refused the statement or its rows.
		"org.postgresql.", "com.mysql.", "org.mariadb.", "oracle.", "com.microsoft.sqlserver.", "net.snowflake.", "com.clickhouse.",
	}
}

// ofData reports whether the exception is about a query, its data or how code uses a library, as far as its raiser tells.
func (l *link) ofData() bool {
	if l.python {
		return !remotePython.MatchString(l.class)
	}
	for i := range l.frames {
		if f := &l.frames[i]; !f.runtime() && !f.remote() && !guards.MatchString(f.name) {
			// Packages on no list are most often code of the same authors.
			handlesData := hasPrefix(f.name, dataCode()...) || !f.library()
			return handlesData && !serviceCode.MatchString(f.name)
		}
	}
	if l.ofSpark() && errorClass.MatchString(l.message) {
		return true
	}
	return hasPrefix(l.class, "java.lang.", "java.util.", "java.time.", "scala.") || hasPrefix(l.class, dataCode()...)
}

// serviceCode are the packages of a library in which it speaks to a service.
var serviceCode = lazyregexp.New(`\.(?:rest|http|grpc|thrift)\.`)

// remotePython are exceptions of clients of remote services in Python.
var remotePython = lazyregexp.New(`^(?:requests|urllib3|urllib|http|httpx|aiohttp|botocore|boto3|google|azure|grpc` +
	`|pymongo|redis|kafka|confluent_kafka|hvac|elasticsearch|opensearchpy|cassandra|paramiko|ftplib|smtplib|socket|ssl)\.`)
