package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// maxExtra is how many further lines of an entry are kept. Beyond it only the lines that begin another exception of its chain are.
const maxExtra = 400

// entry is what one call of a logger wrote, or one line that no logger wrote with the stack trace that follows it.
type entry struct {
	header
	uncaught uncaught
	thread   string
	first    string   // its first line as it was printed; of a record of JSON, its message
	extra    []string // its further lines
	headless bool     // a traceback of Python without the line that begins it
	traced   bool     // frames were seen since the last exception of it began: what follows is not its message
}

// uncaught says that nothing caught the exception of an entry.
type uncaught int

const (
	caught    uncaught = iota
	javaDeath          // Exception in thread "main"
	pyDeath            // Traceback (most recent call last), printed by no logger
)

const (
	tracebackLine = "Traceback (most recent call last):"
	directCause   = "The above exception was the direct cause of the following exception:"
	whileHandling = "During handling of the above exception, another exception occurred:"
	pythonWorker  = "An exception was thrown from the Python worker"
)

var (
	inThread = lazyregexp.New(`^(?:\*\*\* )?Exception in thread "([^"]{0,200})" ?`)
	// An exception that names itself, with its package: what stands alone at the beginning of a line.
	throwableName = lazyregexp.New(`^(?:[a-zA-Z_]\w*\.)+[A-Z][\w$]*(?:Exception|Error|Failure|Throwable)(?:\([\w.$]+\))?(?:: ` +
		`|:?$|\(message:)`)
	traceLine = lazyregexp.New(`^\s*(?:at [^\s(][^(]*\(|\.\.\. \d+ (?:more|common frames)|Suppressed: |Caused by: ` +
		`|\[CIRCULAR REFERENCE)`)
	raises = lazyregexp.New(`(?:Exception|Error|Throwable|Failure)\b`)
	// What spark-submit says before it exits is no further line of what a logger wrote before it (core/src/main/scala/org/apache/spark/
	// deploy/SparkSubmit.scala@v3.5.5, logError and printErrorAndExit), nor is what the launcher of Java says.
	spokenBySubmit = lazyregexp.New(`^Error: (?:Failed to load class |No main class set in JAR|Cannot load main class from JAR|` +
		`Could not find or load main class |Missing application resource|Unrecognized option: |Cluster deploy mode is )`)
	pyFrameLine = lazyregexp.New(`^\s+File "([^"]+)", line (\d+)(?:, in (.+))?$`)
)

// joins reports whether the line goes on with a stack trace that seemed to be over.
func joins(line string) bool {
	return line == "" || traceLine.MatchString(line) || strings.HasPrefix(line, ": ") || line == directCause || line == whileHandling ||
		strings.HasPrefix(line, "Driver stacktrace:") || strings.HasPrefix(line, "JVM stacktrace:")
}

func (e *entry) python() bool { return e.uncaught == pyDeath }

// routine reports whether the entry tells of nothing but progress.
func (e *entry) routine() bool {
	return e.level.belowWarn() && len(e.extra) == 0 && e.milestone == noMilestone
}

// printed reports whether the entry is one line that no logger wrote.
func (e *entry) printed() bool {
	return e.level == plain && e.uncaught == caught && len(e.extra) == 0 && !strings.HasPrefix(e.first, "#")
}
