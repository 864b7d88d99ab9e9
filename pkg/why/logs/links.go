package logs

import "strings"

// rootOf is the deepest exception that does not only carry another.
func rootOf(links []link) *link {
	for i := range links {
		if !links[i].wraps() {
			return &links[i]
		}
	}
	return &links[0]
}

func effectOf(links []link) *link {
	for i := range links {
		if links[i].effect() {
			return &links[i]
		}
	}
	return &links[0]
}

// raisedByOwn reports whether the code of the application raised the exception, itself or by what it asked of its language.
func raisedByOwn(l *link) bool {
	if l.home != "" && strings.HasPrefix(l.class, l.home+".") {
		return true // its own exception, whatever was cut off of its frames
	}
	for i := range l.frames {
		f := &l.frames[i]
		if f.remote() {
			return false
		}
		if !f.runtime() && !guards.MatchString(f.name) {
			return f.own(l.home)
		}
	}
	return false
}

// ownFrame is the frame of the application's code that is nearest to the root; else that of code that no list of libraries knows.
func ownFrame(links []link) *frame {
	var other *frame
	for i := range links {
		for k := range links[i].frames {
			f := &links[i].frames[k]
			switch {
			case f.own(links[i].home):
				return f
			case other == nil && !f.library():
				other = f
			}
		}
	}
	return other
}
