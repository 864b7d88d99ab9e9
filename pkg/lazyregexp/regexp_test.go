package lazyregexp_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

func TestAnExpressionMatchesAsItDoesForRegexp(t *testing.T) {
	const expression, text = `(?P<key>\w+)=(\d+)`, "cores=4 memory=2g limit=8"
	lazy, eager := lazyregexp.New(expression), regexp.MustCompile(expression)
	mark := func(s string) string { return "<" + s + ">" }
	assert.Equal(t, eager.String(), lazy.String())
	assert.Equal(t, eager.MatchString(text), lazy.MatchString(text))
	assert.Equal(t, eager.FindString(text), lazy.FindString(text))
	assert.Equal(t, eager.FindStringIndex(text), lazy.FindStringIndex(text))
	assert.Equal(t, eager.FindStringSubmatch(text), lazy.FindStringSubmatch(text))
	assert.Equal(t, eager.FindStringSubmatchIndex(text), lazy.FindStringSubmatchIndex(text))
	assert.Equal(t, eager.FindAllString(text, -1), lazy.FindAllString(text, -1))
	assert.Equal(t, eager.FindAllStringSubmatch(text, 1), lazy.FindAllStringSubmatch(text, 1))
	assert.Equal(t, eager.ReplaceAllString(text, "$key"), lazy.ReplaceAllString(text, "$key"))
	assert.Equal(t, eager.ReplaceAllStringFunc(text, mark), lazy.ReplaceAllStringFunc(text, mark))
	assert.Equal(t, eager.SubexpIndex("key"), lazy.SubexpIndex("key"))
}

func TestAWrongExpressionFailsInEveryTest(t *testing.T) {
	assert.Panics(t, func() { lazyregexp.New(`(`) })
}
