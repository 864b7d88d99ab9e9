// Package lazyregexp is regexp for package variables: an expression is compiled when it is first used.
//
// why knows some two hundred expressions of what logs say. Compiled at the start of every command, they took 54 ms and 4.6 MB of a
// "version" that matches nothing; one question uses a few of them.
//
// Of the lines of a log, each is asked about dozens of expressions, and matches one or none. An expression is therefore run on those texts
// alone that have what each of its matches has: a literal text that it contains, or the character that it begins with.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regexp.Regexp that is compiled once, when one of its methods is first called. It may be used by several goroutines.
// Its methods are those of regexp.Regexp. They do not run the expression on a text that lacks what each match has.
type Regexp struct {
	compiled func() *compiled
}

type compiled struct {
	*regexp.Regexp
	needs
}

// New is a Regexp of expression, which the program itself writes: one that does not parse panics, in a test's binary at once,
// so that no test passes with it; elsewhere at its first use.
func New(expression string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *compiled { return &compiled{regexp.MustCompile(expression), needsOf(expression)} })}
	if strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test") {
		r.compiled()
	}
	return r
}

// String is the expression.
func (r *Regexp) String() string { return r.compiled().String() }

// MatchString is that of regexp.
func (r *Regexp) MatchString(s string) bool {
	c := r.compiled()
	return c.metBy(s) && c.Regexp.MatchString(s)
}

// FindString is that of regexp.
func (r *Regexp) FindString(s string) string {
	if c := r.compiled(); c.metBy(s) {
		return c.Regexp.FindString(s)
	}
	return ""
}

// FindStringIndex is that of regexp.
func (r *Regexp) FindStringIndex(s string) []int {
	if c := r.compiled(); c.metBy(s) {
		return c.Regexp.FindStringIndex(s)
	}
	return nil
}

// FindStringSubmatch is that of regexp.
func (r *Regexp) FindStringSubmatch(s string) []string {
	if c := r.compiled(); c.metBy(s) {
		return c.Regexp.FindStringSubmatch(s)
	}
	return nil
}

// FindStringSubmatchIndex is that of regexp.
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	if c := r.compiled(); c.metBy(s) {
		return c.Regexp.FindStringSubmatchIndex(s)
	}
	return nil
}

// FindAllString is that of regexp.
func (r *Regexp) FindAllString(s string, n int) []string {
	if c := r.compiled(); c.metBy(s) {
		return c.Regexp.FindAllString(s, n)
	}
	return nil
}

// FindAllStringSubmatch is that of regexp.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	if c := r.compiled(); c.metBy(s) {
		return c.Regexp.FindAllStringSubmatch(s, n)
	}
	return nil
}

// ReplaceAllString is that of regexp.
func (r *Regexp) ReplaceAllString(src, repl string) string {
	if c := r.compiled(); c.metBy(src) {
		return c.Regexp.ReplaceAllString(src, repl)
	}
	return src
}

// ReplaceAllStringFunc is that of regexp.
func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	if c := r.compiled(); c.metBy(src) {
		return c.Regexp.ReplaceAllStringFunc(src, repl)
	}
	return src
}

// SubexpIndex is that of regexp.
func (r *Regexp) SubexpIndex(name string) int { return r.compiled().Regexp.SubexpIndex(name) }
