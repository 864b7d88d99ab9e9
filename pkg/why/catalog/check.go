package catalog

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
)

var (
	namedGroup = regexp.MustCompile(`\$\{([^}]*)\}`)
	bracketed  = regexp.MustCompile(`\[[^\[\]]*\]`)
)

// check holds a signature to what its schema cannot say. The error is made by at, of the key that is wrong.
func (s *Signature) check(at func(err error, key ...string) error) error {
	if s.Exception == "" && s.Message == "" {
		return at(errors.New("missing property 'message'"))
	}
	if err := compiles(s.Exception); err != nil {
		return at(err, "exception")
	}
	if err := compiles(s.Message); err != nil {
		return at(err, "message")
	}
	if s.Effect && s.Certain {
		return at(errors.New("what follows from something else proves no cause"), "certain")
	}
	if lazyregexp.Shortest(s.literals()) < minLiteral {
		return at(fmt.Errorf("give it a text of %d characters or more that every line has which it fits: it would be compared with each line",
			minLiteral), "message")
	}
	if err := s.checkText(s.Says); err != nil {
		return at(err, "says")
	}
	for i, next := range s.Next {
		if err := s.checkText(next); err != nil {
			return at(err, "next", strconv.Itoa(i))
		}
		if braced := fields.Unknown(next); braced != "" {
			return at(fmt.Errorf("%s is no placeholder of a field", braced), "next", strconv.Itoa(i))
		}
	}
	return s.checkLines(at)
}

// checkText holds a text to one line, and to the groups of the message: those that not every message has stand in brackets.
func (s *Signature) checkText(text string) error {
	if strings.ContainsAny(text, "\r\n") {
		return errors.New("it has more than one line")
	}
	tree, err := syntax.Parse(s.Message, syntax.Perl)
	if err != nil {
		return err
	}
	all, sure := map[string]bool{}, always(tree)
	for _, name := range tree.CapNames() {
		all[groupName(name)] = name != ""
	}
	for _, group := range namedGroup.FindAllStringSubmatch(text, -1) {
		if !all[group[1]] {
			return fmt.Errorf("message has no group for %s", group[0])
		}
	}
	for _, group := range namedGroup.FindAllStringSubmatch(bracketed.ReplaceAllString(text, ""), -1) {
		if !sure[group[1]] {
			return fmt.Errorf("not every message has %s: put it into brackets with the words that depend on it, as in [ of %s]",
				group[0], group[0])
		}
	}
	return nil
}

// checkLines compares the signature with its examples and look-alikes.
func (s *Signature) checkLines(at func(err error, key ...string) error) error {
	e := newEntry(*s)
	for i, line := range s.Examples {
		switch class, _, _ := strings.Cut(line, ": "); {
		case e.fits(line):
		case e.class != nil && !e.class().MatchString(class):
			return at(fmt.Errorf("exception does not match it: the class is %q, of CLASS: MESSAGE", class), "examples", strconv.Itoa(i))
		default:
			return at(errors.New("message does not match it"), "examples", strconv.Itoa(i))
		}
	}
	for i, line := range s.LookAlikes {
		if e.fits(line) {
			return at(errors.New("the signature matches it, and must not"), "lookAlikes", strconv.Itoa(i))
		}
	}
	return nil
}

// always returns the names of the groups that take part in every match.
func always(e *syntax.Regexp) map[string]bool {
	out := map[string]bool{}
	switch e.Op {
	case syntax.OpConcat, syntax.OpPlus, syntax.OpCapture:
		for _, sub := range e.Sub {
			for name := range always(sub) {
				out[name] = true
			}
		}
	case syntax.OpRepeat:
		if e.Min > 0 {
			return always(e.Sub[0])
		}
	case syntax.OpAlternate:
		out = always(e.Sub[0])
		for _, sub := range e.Sub[1:] {
			other := always(sub)
			for name := range out {
				if !other[name] {
					delete(out, name)
				}
			}
		}
	default:
	}
	if e.Op == syntax.OpCapture && e.Name != "" {
		out[groupName(e.Name)] = true
	}
	return out
}

// groupName is the name of a group without the digits that tell alternatives apart.
func groupName(name string) string { return strings.TrimRight(name, "0123456789") }
