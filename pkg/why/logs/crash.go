package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// A JVM that crashes prints a report, each line behind a "#" (src/hotspot/share/utilities/vmError.cpp of OpenJDK @jdk-17+35).
var (
	crashBegin  = lazyregexp.New(`^# A fatal error has been detected by the Java Runtime Environment`)
	crashSignal = lazyregexp.New(`^#\s+((?:SIG[A-Z]+|Internal Error|Out of Memory Error)\b.*)$`)
	crashFrame  = lazyregexp.New(`^# ([CVJjv])\s+(\S.*)$`)
	crashLib    = lazyregexp.New(`^\[([^\]+]+\.so[^\]+]*)\+0x[0-9a-f]+\]\s*(.*)$`)
)

// reports reports whether the line goes on with the report of a crash, or with the line above its title.
func (e *entry) reports(line string) bool {
	return strings.HasPrefix(e.first, "#") && strings.HasPrefix(line, "#") && e.level == plain && e.uncaught == caught
}

// crashed reads the report of a crash.
func crashed(e *entry) (verdict, []link, bool) {
	lines := append([]string{e.message}, e.extra...)
	var signal, frame string
	seen := false
	var links []link
	for _, line := range lines {
		seen = seen || crashBegin.MatchString(line)
		switch {
		case !seen:
		case signal == "" && crashSignal.MatchString(line):
			signal, _, _ = strings.Cut(crashSignal.FindStringSubmatch(line)[1], " at pc=")
			links = append(links, link{text: line})
		case frame == "" && crashFrame.MatchString(line):
			frame = line
			links = append(links, link{text: line})
		}
	}
	if !seen || signal == "" {
		return verdict{}, nil, false
	}
	v := verdict{strength: Plausible, class: cause.CodeFailed, root: &links[0]}
	crash := JVMCrashed{Signal: signal, Bus: strings.HasPrefix(signal, "SIGBUS")}
	if m := crashFrame.FindStringSubmatch(frame); m != nil {
		crash.Where = m[2]
		if lib := crashLib.FindStringSubmatch(m[2]); lib != nil {
			crash.Library, crash.OfJVM = lib[1], lib[1] == "libjvm.so"
			crash.Where = strings.TrimSpace(lib[1] + " " + lib[2])
			if m[1] == "C" && !hasPrefix(lib[1], "libc", "libpthread", "ld-", "libjvm") {
				v.class = cause.Dependency // a library of a jar, which was built for another C library or has a defect
			}
		}
	}
	if v.class == cause.CodeFailed && crash.Bus {
		v.class = cause.Configuration // memory is mapped and not there: huge pages over a limit, a full tmpfs (sigaction(2))
	}
	v.meaning = crash
	return v, links, true
}

// collection is a full garbage collection that left the heap as good as full.
type collection struct {
	at   int // of the entry
	line string
	heap int // MiB
}

// collected matches what a JVM with -Xlog:gc, or -verbose:gc of Java 8, says of a garbage collection: what it left of the whole heap
// (src/hotspot/share/gc/shared/gcTraceTime.inline.hpp of OpenJDK @jdk-17+35).
var collected = lazyregexp.New(`(?:\bPause|\bGC|\[Full GC) (?:(Full) |(?:Young )?)\([^)]*\)(?:\s*\([^)]*\))*` +
	`(?:\s*\[[^\]]*\])*\s*\d+[MK]->(\d+)([MK])\((\d+)[MK]\)`)

// collects takes the garbage collections that an entry tells; one that made room ends those that did not.
func (s *story) collects(at int, e *entry) {
	for _, line := range append([]string{e.first}, e.extra...) {
		if !strings.Contains(line, "->") {
			continue
		}
		m := collected.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		left, heap := number(m[2]), number(m[4])
		switch full := m[1] != "" || strings.Contains(m[0], "[Full GC "); {
		case left < heap-heap/20:
			s.full = nil
		case full && m[3] == "K":
			s.full = append(s.full, collection{at, line, heap >> 10})
		case full:
			s.full = append(s.full, collection{at, line, heap})
		}
	}
}

// staysFull finds a heap that stayed full to the end: nothing else in the log says why its process came to a halt.
func (s *story) staysFull(how outcome) (candidate, bool) {
	if how == running || len(s.full) < often {
		return candidate{}, false
	}
	first, last := s.full[0], s.full[len(s.full)-1]
	links := []link{{text: first.line, message: first.line}, {text: last.line, message: last.line}}
	meant := HeapStaysFull{Heap: first.heap, Collections: len(s.full)}
	return candidate{at: first.at, end: last.at, links: links,
		verdict: verdict{meaning: meant, strength: Plausible, class: cause.Configuration, root: &links[0]}}, true
}
