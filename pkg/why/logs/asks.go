package logs

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// told reads, once, what relations ask of a failure. All of it is what other programs wrote.
func (f *Failure) told() {
	f.Connection = Connection{Unresolved: f.unresolved(), TimedOut: f.timedOut(),
		Fetches: f.any(func(text string) bool { return strings.Contains(text, "FetchFailed") })}
	f.Connection.Host, f.Connection.Port = f.target()
	f.Connection.Name = f.unresolvedName()
	f.Connection.ToDriver = app.NamesDriverService(f.Connection.Host)
	f.Absent = Absent{Paths: f.absentPaths(), Name: f.absentName()}
	lines := strings.Join(f.Lines, "\n")
	f.Settings = SettingsIn(lines)
	f.Actors = actorsIn(lines)
	for i := 0; i < len(f.Chain) && len(f.Actors) == 0; i++ {
		f.Actors = actorsIn(f.Chain[i].Message) // of many exceptions not each is quoted
	}
	f.Worker = slices.ContainsFunc(f.Chain, func(t Throwable) bool { return strings.HasSuffix(t.Class, "PythonException") })
}

func actorsIn(text string) (out []Actor) {
	if m := byAmazon.FindStringSubmatch(text); m != nil {
		out = append(out, Actor{Cloud: Amazon, Name: m[1], Instance: m[2]})
	}
	if m := byGoogle.FindStringSubmatch(text); m != nil {
		out = append(out, Actor{Cloud: Google, Name: m[1]})
	}
	return out
}

// setting matches the name of one of Spark, and no class of it.
var setting = lazyregexp.New(`(?:^|[^\w.])(spark\.[\w.]*\w)`)

// SettingsIn are the settings of Spark that a text names.
func SettingsIn(text string) []string {
	var out []string
	for _, m := range setting.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// Identities that a refusal names: the session of a node's role is named after the instance (docs of Amazon EKS, IAM roles for service
// accounts, and of Google Kubernetes Engine, Workload Identity).
var (
	byAmazon = lazyregexp.New(`:assumed-role/([\w+=,.@-]+)/(i-[0-9a-f]{8,17}\b)?`)
	byGoogle = lazyregexp.New(`\b([\w.-]+@[\w.-]+\.gserviceaccount\.com)\b`)
)

// ofDriverService reports whether it is about the headless Service of a driver.
func (f *Failure) ofDriverService() bool {
	return slices.ContainsFunc(f.quotes(), app.NamesDriverService) || slices.ContainsFunc(f.Endpoints.Names, app.NamesDriverService)
}

// quotes are the words that may stand in what is said of it.
func (f *Failure) quotes() []string {
	out := []string{f.Root.Message, f.For.Message, f.After.With.Message, f.Identity.Host}
	if known, is := f.Meaning.(Known); is {
		for _, t := range known.Quoted {
			out = append(out, t.Message)
		}
		for _, value := range known.Groups {
			out = append(out, value)
		}
	}
	return out
}

// What a connection that is not made looks like: names do not resolve, and connections time out. One that is refused reached somebody.
var (
	unresolved = lazyregexp.New(`UnknownHostException|Temporary failure in name resolution|Name or service not known|` +
		`UnresolvedAddressException|Failed to resolve '`)
	unconnected = lazyregexp.New(`(?i)connect(?:ion|ing)?\b[^\n]{0,200}timed out|ConnectTimeout|connect timed out`)
	// HOST:PORT or HOST/IP:PORT, as Java writes them, and the forms of urllib3 and libpq. A name without a dot is a host only where
	// something connects to it.
	hostPort = lazyregexp.New(`(?:^|[\s/(\[@])([A-Za-z0-9][\w-]*\.[\w.-]*\w)(?:/(?:<unresolved>|[\d.]+))?:(\d{2,5})\b|` +
		`(?:\bto |//)([A-Za-z][\w-]*)(?:/(?:<unresolved>|[\d.]+))?:(\d{2,5})\b|` +
		`host='([\w.-]+)', port=(\d+)|server at "([\w.-]+)"[^\n]{0,60}port (\d+)`)
	sourceFile = lazyregexp.New(`\.(?:scala|java|py|kt)$`) // FILE:LINE of a frame
)

func (f *Failure) unresolved() bool {
	return f.any(unresolved.MatchString) || unresolved.MatchString(f.Identity.Class)
}

// unresolvedName matches a host in the words of Java and of urllib3.
var unresolvedName = lazyregexp.New(`UnknownHostException: (?:Invalid host name: local host is: [^\n]{0,200}destination host is: ")?` +
	`([A-Za-z0-9][\w.-]*\w)(?::|$|\s|")|Failed to resolve '([\w.-]+)'`)

func (f *Failure) unresolvedName() string {
	for _, text := range slices.Backward(f.texts()) {
		if all := unresolvedName.FindAllStringSubmatch(text, -1); len(all) > 0 {
			last := all[len(all)-1]
			return last[1] + last[2]
		}
	}
	return ""
}

func (f *Failure) timedOut() bool {
	kind, is := f.Meaning.(OfKind)
	if is && kind.Kind == ConnectionFailed && strings.Contains(strings.ToLower(f.Root.Message), "timed out") {
		return true
	}
	return f.any(unconnected.MatchString)
}

func (f *Failure) target() (host string, port int) {
	for _, text := range slices.Backward(f.texts()) {
		for _, m := range slices.Backward(hostPort.FindAllStringSubmatch(text, -1)) {
			host, number := m[1]+m[3]+m[5]+m[7], m[2]+m[4]+m[6]+m[8]
			port, err := strconv.ParseUint(number, 10, 16)
			if err == nil && port > 0 && !sourceFile.MatchString(host) {
				return host, int(port)
			}
		}
	}
	return "", 0
}

// waits matches the words of a driver that gave up for the time that something took (core/src/main/scala/org/apache/spark/util/
// ThreadUtils.scala@v3.5.5, sql/core/src/main/scala/org/apache/spark/sql/execution/exchange/BroadcastExchangeExec.scala@v3.5.5).
var waits = lazyregexp.New(`Could not execute broadcast in \d+ secs|Futures timed out after \[`)

// waited reports whether the driver gave up for the time that something took, such as a broadcast.
func (f *Failure) waited() bool {
	late := func(t Throwable) bool {
		return waits.MatchString(t.Message) || t.Class[strings.LastIndexByte(t.Class, '.')+1:] == "TimeoutException"
	}
	known, _ := f.Meaning.(Known)
	return late(f.Root) || slices.ContainsFunc(known.Quoted, late)
}

// What a program says of a file that is not there, and of an environment variable: the words of Python (Lib/os.py of cpython@v3.12.4,
// KeyError) and of Scala and Java (java.util.NoSuchElementException of sys.env, key not found).
var (
	absentFile = lazyregexp.New(`No such file or directory|NoSuchFileException|FileNotFoundException|does not exist|not found`)
	absentName = lazyregexp.New(`(?:KeyError: '|key not found: |[Ee]nvironment variable '?)([A-Za-z_][A-Za-z0-9_]*)`)
	aPath      = lazyregexp.New(`/[\w.@=+-]+(?:/[\w.@=+-]+)+`)
)

func (f *Failure) absentPaths() []string {
	known, is := f.Meaning.(Known)
	bySignature := is && known.Signature.Topics().Has(cause.AbsentFile)
	if !bySignature && !f.any(absentFile.MatchString) {
		return nil
	}
	var out []string
	for _, text := range slices.AppendSeq(f.texts(), maps.Values(known.Groups)) {
		out = append(out, aPath.FindAllString(text, -1)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (f *Failure) absentName() string {
	for _, text := range f.texts() {
		if m := absentName.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return ""
}

// texts are the words of other programs that tell of it: its root, and the lines of the log.
func (f *Failure) texts() []string {
	out := make([]string, 0, 1+len(f.Lines))
	if f.Root != (Throwable{}) {
		out = append(out, f.Root.Class+": "+strings.Join(strings.Fields(f.Root.Message), " "))
	}
	for _, line := range f.Lines {
		out = append(out, strings.Join(strings.Fields(line), " "))
	}
	return out
}

func (f *Failure) any(is func(text string) bool) bool { return slices.ContainsFunc(f.texts(), is) }
