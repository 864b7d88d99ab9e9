package logs

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/casefile/signatures"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
)

// strength is how much is known about what a chain tells.
type strength int

const (
	effectOnly strength = iota // it follows from something else
	unclear                    // an exception raised by Spark or a library, of which nothing is known
	plausible                  // known, but another cause may be behind it; or code of the application called what failed
	ownCode                    // raised by code of the application
	certain                    // the message proves it by itself
)

// verdict is what a chain means.
type verdict struct {
	strength  strength
	class     cause.Class
	says      string
	next      []command.Command
	signature string
	root      *link  // nil: from a plain line
	frame     *frame // of the application's code; nil: none
}

const (
	maxSaid = 240 // of a message of an exception within a sentence
)

// judged says what a chain means, its root first: the deepest exception that the catalogue is certain about, else the deepest that it
// knows, else what its names tell, else that the code failed.
func judged(links []link) verdict {
	if len(links) == 0 {
		return verdict{}
	}
	if effects(links) {
		return verdict{strength: effectOnly, class: cause.Unknown, root: effectOf(links), says: described(effectOf(links))}
	}
	if v, ok := shadowed(links); ok {
		return v
	}
	own := ownFrame(links)
	known, named := verdict{}, false
	for i := range links {
		l := &links[i]
		m, ok := signatures.Exception(l.class, l.message)
		if !ok || m.Signature.Effect {
			continue
		}
		v := verdict{strength: plausible, class: m.Signature.Class, says: m.Says, next: m.Next, signature: m.Signature.ID, root: l, frame: own}
		if m.Signature.Certain {
			v.strength = certain
			v.says = inItsWords(v.says, l)
			return v
		}
		switch {
		case known.root == nil:
			known = v
		case !named && known.class == v.class && known.signature != v.signature:
			// What carries a general exception names what it is about: that a connection is refused, and whose.
			v.root, named = known.root, true
			known = v
		}
	}
	if known.root != nil {
		if said := described(known.root); !strings.Contains(known.says, said) {
			known.says = shortened(known.says+": "+said, 2*maxSaid)
		}
		return known
	}
	for i := range links {
		if f, ok := familyOf(&links[i]); ok {
			return verdict{strength: plausible, class: f.class, says: f.says + ": " + described(&links[i]), root: &links[i], frame: own}
		}
	}
	return codeVerdict(links, own)
}

// inItsWords adds the exception's own words to what the catalogue says of it, where they name more: a bucket, a column, a host.
func inItsWords(says string, l *link) string {
	message := gist(strings.Join(strings.Fields(l.message), " "))
	for _, word := range strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune(" ,;()[]{}'\"`", r) }) {
		if strings.ContainsAny(strings.TrimRight(word, ".:"), "0123456789/_.:@=") && !strings.Contains(says, strings.TrimRight(word, ".:")) {
			return shortened(says+": "+described(l), 2*maxSaid)
		}
	}
	return says
}

// codeVerdict is for exceptions that neither catalogue nor names explain.
func codeVerdict(links []link, own *frame) verdict {
	root := rootOf(links)
	v := verdict{strength: unclear, class: cause.CodeFailed, root: root, frame: own, says: described(root)}
	effect := false
	for i := range links {
		if m, ok := signatures.Exception(links[i].class, links[i].message); ok && m.Signature.Effect {
			effect = true
		}
	}
	switch {
	case effect:
		v.strength, v.class = effectOnly, cause.Unknown
	case root.wraps():
	case raisedByOwn(root):
		v.strength = ownCode
	case own != nil:
		v.strength = plausible
	}
	switch {
	case v.strength > unclear:
		v.says = "the job's code failed: " + v.says
	case v.strength == unclear:
		v.says = "the application failed with " + v.says
	}
	return v
}

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
	for i := range l.frames {
		if f := &l.frames[i]; !f.runtime() {
			return !f.library()
		}
	}
	return false
}

// ownFrame is the frame of the application's code that is nearest to the root.
func ownFrame(links []link) *frame {
	for i := range links {
		for k := range links[i].frames {
			if f := &links[i].frames[k]; !f.library() {
				return f
			}
		}
	}
	return nil
}

// described is an exception within a sentence: its class without the package, and what it says.
func described(l *link) string {
	message := gist(strings.Join(strings.Fields(l.message), " "))
	class := l.class
	if !l.python {
		class = class[strings.LastIndexByte(class, '.')+1:]
	}
	switch {
	case class == "" || strings.HasPrefix(message, class):
		return shortened(message, maxSaid)
	case message == "":
		return class
	default:
		return shortened(class+": "+message, maxSaid)
	}
}

// gist leaves out what the client of Kubernetes puts around the answer of the API server (kubernetes-client-api/src/main/java/io/fabric8/
// kubernetes/client/dsl/internal/OperationSupport.java@v6.7.2), which guesses at a revoked account whatever was refused.
func gist(message string) string {
	for _, before := range []string{"Service account may have been revoked. ", ". Message: "} {
		if _, after, found := strings.Cut(message, before); found && strings.HasPrefix(message, "Failure executing: ") {
			message = after
			break
		}
	}
	message, _, _ = strings.Cut(message, " Received status: Status(")
	return message
}
