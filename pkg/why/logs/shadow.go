package logs

import (
	"path"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Python says so of a module that it found in a file where it looked for a package, and of one that imports itself (Lib/importlib/
// _bootstrap.py and Python/ceval.c of CPython @v3.11.9).
var notPackage = lazyregexp.New(`'([\w.]+)' is not a package|partially initialized module '([\w.]+)'`)

// shadowed finds a script that has the name of the package that it imports: Python then imports the script.
func shadowed(links []link) (verdict, bool) {
	for i := range links {
		m := notPackage.FindStringSubmatch(links[i].message)
		if !links[i].python || m == nil {
			continue
		}
		module := m[1] + m[2]
		for k := range links[i].frames {
			f := &links[i].frames[k]
			if path.Base(f.file) != module[strings.LastIndexByte(module, '.')+1:]+".py" || f.library() {
				continue
			}
			return verdict{meaning: ScriptShadows{Module: module, Script: path.Base(f.file)}, strength: Certain, class: cause.CodeFailed,
				root: &links[i], frame: f}, true
		}
		// Its frames are not those of the script, or were cut off.
		return shadowing(&links[i]), true
	}
	return verdict{}, false
}

// shadowing is what the message alone tells.
func shadowing(l *link) verdict {
	m := notPackage.FindStringSubmatch(l.message)
	return verdict{meaning: ScriptShadows{Module: m[1] + m[2]}, strength: Plausible, class: cause.CodeFailed, root: l}
}
