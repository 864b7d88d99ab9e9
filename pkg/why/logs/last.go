package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

var (
	endpoint = lazyregexp.New(`\b([a-zA-Z0-9][\w-]*(?:\.[\w-]+)*(?:/\d{1,3}(?:\.\d{1,3}){3})?:\d{2,5})\b`)
	connects = lazyregexp.New(`(?i)connect|refused|timed out|unreachable|not available`)
)

const (
	maxNamed = 2   // lines that are quoted for the endpoints that they name
	nearby   = 200 // entries before the failure
	// nearLines are those of an exception that are read for an endpoint.
	nearLines = 10
)

// named adds which endpoint a client complained of before it gave up, where what it gave up with names none, or in which package of Python
// versions did not fit.
func (s *story) named(c candidate) candidate {
	if c.verdict.class == cause.Dependency {
		c.installed = installedPackage(c.links)
	}
	if c.verdict.class != cause.Network {
		return c
	}
	for i := range c.links {
		if m := endpoint.FindStringSubmatch(c.links[i].message); m != nil {
			c.endpoints.Names = []string{m[1]}
			return c
		}
	}
	var names []string
	for at := c.at - 1; at >= 0 && at >= c.at-nearby && len(names) < maxNamed; at-- {
		e := &s.entries[at]
		said := strings.Join(append([]string{e.message}, e.extra[:min(len(e.extra), nearLines)]...), "\n")
		if e.level < warn || !connects.MatchString(said) || strings.HasPrefix(e.message, "Lost ") {
			continue
		}
		m := endpoint.FindStringSubmatch(said)
		if m == nil || slices.Contains(names, m[1]) {
			continue
		}
		names = append(names, m[1])
		c.before = append(c.before, at)
	}
	if len(names) > 0 {
		c.endpoints = Endpoints{Names: names, InLog: true}
	}
	return c
}

// installed matches a file of an installed package of Python (docs.python.org/3/install, the site module).
var installed = lazyregexp.New(`/(?:site|dist)-packages/(\w+)/`)

// installedPackage is the package whose code raised the root, an exception of Python; empty: none.
func installedPackage(links []link) string {
	if len(links) == 0 || !links[0].python {
		return ""
	}
	for i := range links[0].frames {
		if m := installed.FindStringSubmatch(links[0].frames[i].file); m != nil {
			return m[1]
		}
	}
	return ""
}

// lastWords is the last that was said in earnest before a process ended by itself, where nothing tells why: it proves nothing.
func (s *story) lastWords(how outcome) (candidate, bool) {
	initRuns := s.init && how == running
	if how != failed && !initRuns {
		return candidate{}, false
	}
	ofShell := s.init || !slices.ContainsFunc(s.entries, func(e entry) bool { return e.level != plain })
	from, end := s.atLast()
	warned := -1
	for at := end - 1; at >= from; at-- {
		e := &s.entries[at]
		if how == failed && s.announces(e) {
			if c, is := s.gaveUp(at); is {
				return s.masked(c), true
			}
		}
		if !e.inEarnest() {
			if warned < 0 && s.warnsItself(e) {
				warned = at
			}
			continue
		}
		said := &link{message: e.message, text: e.first}
		if s.init {
			said.message = strings.Join(append([]string{e.message}, e.extra[:min(len(e.extra), 20)]...), "\n")
		}
		if f, ok := said.among(wordings()); ok && ofShell {
			return candidate{at: at, end: -1, verdict: f.verdict(said, nil)}, true // a program of the shell, such as curl, says why it failed
		}
		if how == running {
			continue
		}
		if c, is := s.gaveUp(at); is {
			return s.masked(c), true
		}
		return candidate{at: at, end: -1, verdict: verdict{meaning: LastWords{Line: e.message}, strength: EffectOnly, class: cause.Unknown,
			root: said}}, true
	}
	if how == running || warned < 0 {
		return candidate{}, false
	}
	return s.lastWarned(warned), true
}

// atLast is where the last words of a process are looked for: before Spark stops, after the last job began. The programs of an init
// container know of neither.
func (s *story) atLast() (from, end int) {
	end = len(s.entries)
	if s.init {
		return max(0, end-nearby), end
	}
	if s.stopping >= 0 {
		end = s.stopping
	}
	return max(0, end-lastEntries, s.work+1), end
}

// inEarnest reports whether an entry is an error, or a line that no logger wrote and that is no trace of a shell.
func (e *entry) inEarnest() bool {
	printed := e.level == plain && e.uncaught == caught && !hasPrefix(e.first, "+", "#") && !repeated.MatchString(e.first)
	return (printed || e.level >= failure) && strings.TrimSpace(e.message) != ""
}

// repeated matches the line of a script that bash prints behind the one that says what is wrong with it (report_syntax_error in parse.y of
// GNU bash 5.2).
var repeated = lazyregexp.New("^\\S+: (?:-c: )?line \\d+: `")

// lastEntries is how far before its end the last words of a log are looked for.
const lastEntries = 10

var (
	// Names of classes as those of Spark, Hadoop and their libraries end. Spark's own layout of lines leaves out the package
	// (core/src/main/resources/org/apache/spark/log4j2-defaults.properties@v3.5.5), so that only the name is left to tell.
	libraryName = lazyregexp.New(`(?:Exec|Manager|Scheduler|Backend|Impl|Context|Utils|Util|Handler|Client|Server|Endpoint|Service` +
		`|Listener|Writer|Reader|Executor|Store|Sink|Source|Factory|Registry|Provider|Loader|Tracker|Hook|Master|Worker|FileSystem|Committer` +
		`|Protocol|Bus|Loop|Dispatcher|Allocator|Monitor|Task|Stage|RDD|Submit|Logging|System|Session|Catalog|Execution|Generator|Conf` +
		`|Configuration|Shell|State|Metrics|Cache|Cleaner|Fetcher|Iterator|Memory|Block|Env|Runner|Pool|Thread|Watcher|Hive|Driver|Broker` +
		`|Consumer|Producer|Table|Log|Logger|Launcher|Process)\$?$`)
	libraryLogger = lazyregexp.New(`^(?:py4j|pyspark|urllib3|botocore|boto3|s3fs|fsspec|asyncio|google|azure|kafka|matplotlib|numba` +
		`|h5py)\b`)
	// What a program says when it gives up by its own decision.
	decides = lazyregexp.New(`(?i)\b(?:error|errors|fail|failed|failure|failing|invalid|abort|aborting|aborted|exit|exiting|refuse` +
		`|refusing|missing|mismatch|not found|cannot|unable|empty|violat\w+|giving up|gave up|stopping)\b`)
)

// saysOnlyThat is a line that says that something failed, and nothing of why: "run for 2026-05-04 failed".
var saysOnlyThat = lazyregexp.New(`(?i)^\W*(?:[\w.:/-]+\s+){0,5}(?:failed|failure|aborted|error|exiting)` +
	`(?:,? with (?:exit )?(?:code|status) \d+)?\W*$`)

// ofApplication reports whether the code of the application wrote the entry: by a logger of its own, or by printing while Spark was at
// work.
func (s *story) ofApplication(e *entry) bool {
	switch {
	case e.level == plain:
		return s.begun >= 0 && e.uncaught == caught && len(e.extra) == 0 && decides.MatchString(e.message)
	case e.logger == "":
		return false
	case e.header.python:
		return !libraryLogger.MatchString(e.logger)
	case domain.MatchString(e.logger):
		return !(frame{name: e.logger + ".x"}).library()
	default: // a class, or the last parts of its name, as %c{3} of Log4j prints them
		return !libraryName.MatchString(e.logger)
	}
}

// announced matches the words of a program that ends itself with an exit code of its own.
var announced = lazyregexp.New(`(?i)\bexit(?:ing|s)?\b[^.;\n]{0,20}\b(?:code|status)\b[ :=]{0,3}[1-9]\d{0,2}\b`)

// announces reports whether the application warns that it ends itself as failed. Loggers of libraries say so of others.
func (s *story) announces(e *entry) bool {
	nameless := e.header.python && e.logger == "" // Python's format may put the name anywhere
	own := e.header.python || domain.MatchString(e.logger) || ownName.MatchString(e.logger)
	return e.level >= warn && own && announced.MatchString(e.message) && (nameless || s.ofApplication(e))
}

// domain matches names that begin as packages do, with a domain turned around (Java Language Specification, SE 17, 6.1).
var domain = lazyregexp.New(`^(?:com|org|net|io|dev|edu|gov|app|ai|co|eu|uk|us|ca|au|de|at|ch|fr|nl|be|it|es|pt|pl|cz` +
	`|se|no|fi|dk|ie|jp|cn|in|br)\.\w+\.`)

// gaveUp is about an application that ended itself, with no exception, right after it had said why: System.exit, sys.exit.
func (s *story) gaveUp(at int) (candidate, bool) {
	e := &s.entries[at]
	began := s.work >= 0 || s.begun >= 0
	if len(s.deaths) > 0 || !began || !s.ofApplication(e) && !s.announces(e) || len(s.chain(at)) > 0 || effectMessage.MatchString(e.message) {
		return candidate{}, false
	}
	first := at
	inEarnest := e.level >= failure || e.level == warn && s.announces(e)
	for first > 0 && s.entries[first-1].level == e.level && s.entries[first-1].logger == e.logger && inEarnest && at-first < maxProofs/2 {
		first--
	}
	if first == at && saysOnlyThat.MatchString(e.message) {
		return candidate{}, false
	}
	c := candidate{at: at, end: -1}
	wrote := EndedItself{}
	for i := first; i <= at; i++ {
		wrote.Wrote = append(wrote.Wrote, s.entries[i].message)
		if i < at {
			c.before = append(c.before, i)
		}
	}
	c.verdict = verdict{meaning: wrote, strength: Plausible, class: cause.CodeFailed, root: &link{message: e.message, text: e.first}}
	return c, true
}
