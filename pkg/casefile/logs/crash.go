package logs

import (
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
)

// A JVM that crashes prints a report, each line behind a "#" (src/hotspot/share/utilities/vmError.cpp of OpenJDK @jdk-17+35).
var (
	crashBegin  = regexp.MustCompile(`^# A fatal error has been detected by the Java Runtime Environment`)
	crashSignal = regexp.MustCompile(`^#\s+((?:SIG[A-Z]+|Internal Error|Out of Memory Error)\b.*)$`)
	crashFrame  = regexp.MustCompile(`^# ([CVJjv])\s+(\S.*)$`)
	crashLib    = regexp.MustCompile(`^\[([^\]+]+\.so[^\]+]*)\+0x[0-9a-f]+\]\s*(.*)$`)
)

// reports reports whether the line goes on with the report of a crash, or with the line above its title.
func (e *entry) reports(line string) bool {
	return strings.HasPrefix(e.first, "#") && strings.HasPrefix(line, "#") && e.level == plain && e.uncaught == caught
}

// crashed reads the report of a crash.
func crashed(e *entry) (verdict, []link, bool) {
	lines := append([]string{e.message}, e.extra...)
	signal, frame, seen := "", "", false
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
	v := verdict{strength: plausible, class: cause.CodeFailed, says: "the JVM crashed (" + signal + ")", signature: "jvm-crash"}
	if m := crashFrame.FindStringSubmatch(frame); m != nil {
		where := m[2]
		if lib := crashLib.FindStringSubmatch(where); lib != nil {
			where = strings.TrimSpace(lib[1] + " " + lib[2])
			if m[1] == "C" && !hasPrefix(lib[1], "libc", "libpthread", "ld-", "libjvm") {
				v.class = cause.Dependency // a library of a jar, which was built for another C library or has a defect
			}
		}
		v.says += " in " + shortened(where, maxSaid)
	}
	v.root = &links[0]
	v.next = crashSteps()
	return v, links, true
}
