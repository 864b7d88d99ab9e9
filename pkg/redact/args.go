package redact

import "strings"

// Args takes secrets out of the arguments of a program, in place, and returns them. The value of a flag may be an argument
// of its own.
func Args(args []string) []string {
	for i := range args {
		args[i] = Text(args[i])
		if i == 0 || !strings.HasPrefix(args[i-1], "-") || strings.HasPrefix(args[i], "-") || strings.ContainsAny(args[i-1], "= ") {
			continue
		}
		if n := read(strings.TrimLeft(args[i-1], "-")); n.secret() && n.last && !harmless(n, args[i]) {
			args[i] = Mark
		}
	}
	return args
}
