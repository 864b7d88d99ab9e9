// Package lazyregexp is regexp for package variables: an expression is compiled when it is first used.
//
// why knows some two hundred expressions of what logs say. Compiled at the start of every command, they took 54 ms and 4.6 MB of a
// "version" that matches nothing; one question uses a few of them.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regexp.Regexp that is compiled once, when one of its methods is first called. It may be used by several goroutines.
type Regexp struct {
	compiled func() *regexp.Regexp
}

// New is a Regexp of expression, which the program itself writes: one that does not parse panics, in a test's binary at once,
// so that no test passes with it; elsewhere at its first use.
func New(expression string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
	if strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test") {
		r.compiled()
	}
	return r
}

// String is the expression.
func (r *Regexp) String() string { return r.compiled().String() }

// MatchString is that of regexp.
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// FindString is that of regexp.
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex is that of regexp.
func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatch is that of regexp.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindStringSubmatchIndex is that of regexp.
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}

// FindAllString is that of regexp.
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// FindAllStringSubmatch is that of regexp.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// ReplaceAllString is that of regexp.
func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.compiled().ReplaceAllString(src, repl)
}

// ReplaceAllStringFunc is that of regexp.
func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(src, repl)
}

// SubexpIndex is that of regexp.
func (r *Regexp) SubexpIndex(name string) int { return r.compiled().SubexpIndex(name) }
