package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// meaning is what an exception or a line means, and what it says itself.
func meaning(f *logs.Finding, lost logs.Lost) string {
	lead, raised := meant(f, lost)
	if raised == "" {
		return lead
	}
	if _, is := f.Meaning.(logs.Known); is {
		return logs.Shortened(lead+": "+raised, 2*mostSaid)
	}
	return lead + ": " + raised
}

// meant are the two parts of it. Without what was raised, the first is all there is to say.
func meant(f *logs.Finding, lost logs.Lost) (lead, raised string) {
	root := throwable(f.Root)
	switch m := f.Meaning.(type) {
	case logs.Known:
		return known(&m)
	case logs.OfKind:
		if m.Line != "" {
			root = logs.Shortened(m.Line, mostSaid)
		}
		return ofKind(m.Kind), root
	case logs.VariableUnset:
		return "a variable of the environment is not set", root
	case logs.ValueMissing:
		return m.Client + " was not given a value that it needs", root
	case logs.CodeRaised:
		return "the job's code failed", root
	case logs.SparkNotStarted:
		return "Spark did not start", root
	default:
		return ofOther(f, lost), ""
	}
}

// ofOther is what has no meaning apart from what was raised.
func ofOther(f *logs.Finding, lost logs.Lost) string {
	root := throwable(f.Root)
	switch m := f.Meaning.(type) {
	case logs.Unexplained:
		return "the application failed with " + root
	case logs.Consequence:
		return root
	case logs.Untold:
		if m.Job {
			return "a job was given up, and why its task failed is not in what was read of the log; then the application said " +
				finding(&m.Then, logs.Lost{})
		}
		return "a call of Spark failed, and why is not in what was read of the log; then its handler failed: " + finding(&m.Then, logs.Lost{})
	case logs.ScriptShadows:
		return shadows(m, root)
	default:
		return ofProcess(f, lost)
	}
}

// ofProcess is what befell processes, and connections between them.
func ofProcess(f *logs.Finding, lost logs.Lost) string {
	root := throwable(f.Root)
	switch m := f.Meaning.(type) {
	case logs.APIUnreached:
		return "the Kubernetes API server cannot be reached: " + root
	case logs.APIHungUp:
		says := "the API server ended the driver's connection: " + root
		if m.HTTP2 {
			says += "; it had just begun to speak HTTP/2, which the Kubernetes client of Spark 2.4 does by mistake on Java 8u251 and later"
		}
		return says
	case logs.JVMCrashed:
		if m.Where == "" {
			return "the JVM crashed (" + m.Signal + ")"
		}
		return "the JVM crashed (" + m.Signal + ") in " + logs.Shortened(m.Where, mostSaid)
	case logs.HeapStaysFull:
		return fmt.Sprintf("the Java heap of %d MiB stayed full: %d full garbage collections freed next to nothing, and meanwhile the JVM "+
			"does nothing else, nor sends heartbeats", m.Heap, m.Collections)
	case logs.ExecutorsLost:
		if m.Replaced {
			return Lost(lost) + "; Spark replaces them, and no job finishes"
		}
		return Lost(lost)
	case logs.ShuffleUnreached:
		return "executors cannot fetch shuffle blocks from one another, though none of them was lost: " + root
	case logs.DriverUnreached:
		return "executors cannot connect to the driver: " + root
	case logs.EndedItself:
		return endedItself(m)
	case logs.LastWords:
		return "its last words in the log are " + quoted(m.Line)
	default:
		return root
	}
}

// known is what the catalogue says, and what the exceptions name beside it.
func known(m *logs.Known) (says, raised string) {
	says = m.Signature.Meaning(m.Groups)
	for _, t := range m.Quoted {
		if m.Signature.Certain {
			if namesMore(says, t) {
				return says, throwable(t)
			}
			continue
		}
		if said := throwable(t); !strings.Contains(says, said) && !strings.Contains(says, beginning(t.Message)) {
			return says, said
		}
	}
	return says, ""
}

func shadows(m logs.ScriptShadows, root string) string {
	if m.Script == "" {
		return "a file " + m.Module[strings.LastIndexByte(m.Module, '.')+1:] + ".py stands in front of the package " + m.Module + ": " + root
	}
	return "the script " + m.Script + " has the name of the package " + m.Module + ", so Python imports the script itself instead"
}

func endedItself(m logs.EndedItself) string {
	if len(m.Wrote) == 0 {
		return "the application ended itself"
	}
	says := "the application ended itself after it wrote " + quoted(m.Wrote[0])
	if n := len(m.Wrote); n > 1 {
		says += " and " + quoted(m.Wrote[n-1])
	}
	return says
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
