package words

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// meaning is what an exception or a line means, and what it says itself.
func meaning(f *logs.Finding, lost logs.Lost) (string, quotes) {
	m := meant(f, lost)
	if m.raised == "" {
		return m.lead, m.quotes
	}
	if _, is := f.Meaning.(logs.Known); is {
		return logs.Shortened(m.lead+": "+m.raised, 2*mostSaid), m.quotes
	}
	return m.lead + ": " + m.raised, m.quotes
}

// meanings are the two parts of what a failure means, and the words of others in them.
type meanings struct {
	lead   string
	raised string // what was raised; empty: the lead is all there is to say
	quotes quotes
}

func meant(f *logs.Finding, lost logs.Lost) meanings {
	root := throwable(f.Root)
	with := func(lead string) meanings { return meanings{lead, root, raised(f.Root)} }
	switch m := f.Meaning.(type) {
	case logs.Known:
		return known(&m)
	case logs.OfKind:
		if m.Line != "" {
			line := logs.Shortened(m.Line, mostSaid)
			return meanings{ofKind(m.Kind), line, quoting(line)}
		}
		return with(ofKind(m.Kind))
	case logs.VariableUnset:
		return with("a variable of the environment is not set")
	case logs.ValueMissing:
		return with(m.Client + " was not given a value that it needs")
	case logs.CodeRaised:
		class, message := parts(f.Root)
		if class == "" || message == "" {
			return meanings{lead: "the job's code raised " + root, quotes: raised(f.Root)}
		}
		message = logs.Shortened(message, mostSaid)
		return meanings{lead: "the job's code raised " + class, raised: message, quotes: quoting(message)}
	case logs.SparkNotStarted:
		return with("Spark did not start")
	default:
		return ofOther(f, lost)
	}
}

// ofOther is what has no meaning apart from what was raised.
func ofOther(f *logs.Finding, lost logs.Lost) meanings {
	root := throwable(f.Root)
	switch m := f.Meaning.(type) {
	case logs.Unexplained:
		return meanings{lead: "the application failed with " + root, quotes: raised(f.Root)}
	case logs.Consequence:
		return meanings{lead: root, quotes: raised(f.Root)}
	case logs.Untold:
		then, spoken := finding(&m.Then, logs.Lost{})
		if m.Job {
			return meanings{quotes: spoken,
				lead: "a job was given up, and why its task failed is not in what was read of the log; then the application said " + then}
		}
		return meanings{quotes: spoken,
			lead: "a call of Spark failed, and why is not in what was read of the log; then its handler failed: " + then}
	case logs.ScriptShadows:
		return shadows(m, f.Root)
	default:
		return ofProcess(f, lost)
	}
}

// ofProcess is what befell processes, and connections between them.
func ofProcess(f *logs.Finding, lost logs.Lost) meanings {
	root := throwable(f.Root)
	with := func(lead, after string) meanings { return meanings{lead: lead + root + after, quotes: raised(f.Root)} }
	switch m := f.Meaning.(type) {
	case logs.APIUnreached:
		return with("the Kubernetes API server cannot be reached: ", "")
	case logs.APIHungUp:
		if m.HTTP2 {
			return with("the API server ended the driver's connection: ", "; it had just begun to speak HTTP/2, which the Kubernetes client of "+
				"Spark 2.4 does by mistake on Java 8u251 and later")
		}
		return with("the API server ended the driver's connection: ", "")
	case logs.ShuffleUnreached:
		return with("executors cannot fetch shuffle blocks from one another, though none of them was lost: ", "")
	case logs.DriverUnreached:
		after := ""
		if m.Unknown {
			after = "; the driver gave executors that name (spark.driver.host), and DNS does not know it"
		}
		return with("executors cannot connect to the driver: ", after)
	case logs.JVMCrashed:
		where := logs.Shortened(m.Where, mostSaid)
		if m.Where == "" {
			return meanings{lead: "the JVM crashed (" + m.Signal + ")"}
		}
		return meanings{lead: "the JVM crashed (" + m.Signal + ") in " + where, quotes: quoting(where)}
	case logs.HeapStaysFull:
		return meanings{lead: fmt.Sprintf("the Java heap of %d MiB stayed full: %d full garbage collections freed next to nothing, and "+
			"meanwhile the JVM does nothing else, nor sends heartbeats", m.Heap, m.Collections)}
	case logs.ExecutorsLost:
		if m.Replaced {
			return meanings{lead: Lost(lost) + "; Spark replaces them, and no job finishes"}
		}
		return meanings{lead: Lost(lost)}
	case logs.EndedItself:
		return endedItself(m)
	case logs.LastWords:
		return meanings{lead: "its last words in the log are " + quoted(m.Line), quotes: quoting(m.Line)}
	default:
		return with("", "")
	}
}

// known is what the catalogue says, and what the exceptions name beside it.
func known(m *logs.Known) meanings {
	out := meanings{lead: m.Signature.Meaning(m.Groups)}
	out.quotes.words = slices.AppendSeq(slices.Clone(m.Signature.Settings), maps.Values(m.Groups))
	if m.Signature.Package != "" {
		out.quotes.add(m.Signature.Package)
	}
	for _, t := range m.Quoted {
		if m.Signature.Certain && namesMore(out.quotes, t) || !m.Signature.Certain && !out.quotes.holds(beginning(t.Message)) {
			out.raised = out.quotes.throw(t)
			break
		}
	}
	return out
}

func shadows(m logs.ScriptShadows, root logs.Throwable) meanings {
	if m.Script == "" {
		return meanings{quotes: raised(root), lead: "a file " + withoutPackage(m.Module) +
			".py stands in front of the package " + m.Module + ": " + throwable(root)}
	}
	return meanings{quotes: quoting(m.Script), lead: "the script " + m.Script + " has the name of the package " + m.Module +
		", so Python imports the script itself instead"}
}

func endedItself(m logs.EndedItself) meanings {
	if len(m.Wrote) == 0 {
		return meanings{lead: "the application ended itself"}
	}
	says := "the application ended itself after it wrote " + quoted(m.Wrote[0])
	if n := len(m.Wrote); n > 1 {
		says += " and " + quoted(m.Wrote[n-1])
	}
	return meanings{lead: says, quotes: quoting(m.Wrote...)}
}

func quoted(line string) string { return "\"" + logs.Shortened(oneLine(line), mostSaid) + "\"" }

// ofKind is what exceptions of a kind have in common.
func ofKind(k logs.Kind) string {
	switch k {
	case logs.DiskFull:
		return "a disk is full"
	case logs.QuotaExceeded:
		return "a ResourceQuota refuses it"
	case logs.AdmissionRefused:
		return "admission refused it"
	case logs.PermissionMissing:
		return "the service account lacks a permission"
	case logs.OutOfMemory:
		return "the JVM ran out of memory"
	case logs.NameUnresolved:
		return "a name did not resolve"
	case logs.ConnectionFailed:
		return "a connection failed"
	case logs.HandshakeFailed:
		return "a TLS handshake failed"
	case logs.AccessRefused:
		return "access was refused"
	case logs.ClassMissing:
		return "a class or module is missing or has another version"
	case logs.TooManyRequests:
		return "the service takes no more requests for now"
	case logs.ConnectionRefused:
		return "the service was reached, and how the client connects was refused"
	case logs.FileMissing:
		return "a file does not exist"
	case logs.AskedForMissing:
		return "what it asks for does not exist"
	case logs.RequestRefused:
		return "the service refuses what it is asked"
	case logs.NativeLibraryMissing:
		return "a native library is missing"
	case logs.VersionsMismatch:
		return "versions do not fit together"
	case logs.SettingWrong:
		return "a setting is wrong or missing"
	default:
		return string(k)
	}
}
