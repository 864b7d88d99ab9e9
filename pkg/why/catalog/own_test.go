package catalog_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
)

const (
	head = "apiVersion: sparkdoctor.io/v1alpha1\nkind: Signatures\nsignatures:\n"
	// lease is a signature in lines 4 to 10.
	lease = `- id: acme-lease
  class: quota
  message: 'ACME-1234: lease for (?P<table>\S+) expired'
  says: the lease of table ${table} expired
  next: ['renew the lease of ${table}']
  examples: ['ACME-1234: lease for sales.orders expired']
  lookAlikes: ['ACME-1234: lease for sales.orders renewed']
`
)

func own(files ...string) (*catalog.Set, error) {
	var list []catalog.File
	for i, text := range files {
		list = append(list, catalog.File{Name: "team/" + string(rune('a'+i)) + ".yaml", Text: []byte(text)})
	}
	return catalog.Own(list...)
}

func TestOwnSignaturesMatch(t *testing.T) {
	set, err := own(head+lease, head+`- id: acme-denied
  class: credentials
  exception: com\.acme\.\w+Exception
  message: 'denied to (?P<who>\w+)(?: on (?P<table>\w+))?'
  says: '${who} has no grant[ on ${table}]'
  next: ['grant it[ on ${table}]']
  examples: ['com.acme.GrantException: denied to spark', 'com.acme.GrantException: denied to spark on orders']
`)
	require.NoError(t, err)
	m, ok := set.Line("WARN ACME-1234: lease for a.b expired")
	require.True(t, ok)
	require.Equal(t, "the lease of table a.b expired", m.Signature.Meaning(m.Groups))
	require.Equal(t, "renew the lease of a.b", m.Signature.Steps(fields.Names{}, m.Groups)[0].Text)
	require.Equal(t, "a.yaml", m.Signature.File)
	m, ok = set.Exception("com.acme.GrantException", "denied to spark")
	require.True(t, ok)
	require.Equal(t, "spark has no grant", m.Signature.Meaning(m.Groups))
	require.Equal(t, "b.yaml", m.Signature.File)
	_, ok = set.Line("com.acme.GrantException: denied to spark")
	require.False(t, ok)
	_, ok = set.Exception("org.other.GrantException", "denied to spark")
	require.False(t, ok)
	_, ok = set.Line("No space left on device")
	require.False(t, ok, "a built-in signature")

	none, err := catalog.Own()
	require.NoError(t, err)
	_, ok = none.Line("ACME-1234: lease for a.b expired")
	require.False(t, ok)
	var unset *catalog.Set
	_, ok = unset.Exception("java.lang.OutOfMemoryError", "Java heap space")
	require.False(t, ok)
	require.Empty(t, unset.Signatures())
}

// TestFieldsAreNamedForTheRunner: a team's step names fields by placeholders, other braces stay, and what the log has is never expanded.
func TestFieldsAreNamedForTheRunner(t *testing.T) {
	set, err := own(head + strings.Replace(lease, "'renew the lease of ${table}'",
		`'raise {role.memory} or {executor.cores} for ${table}, or set {} {x} {"a": 1} $[ of ${table}, not {driver.cores}]'`, 1))
	require.NoError(t, err)
	m, ok := set.Line("ACME-1234: lease for {driver.memory}${table}[a] expired")
	require.True(t, ok)
	for names, want := range map[fields.Names]string{
		{}: "raise driver.memory or executor.memory or executor.cores for LOG, or set {} {x} {\"a\": 1} $ of LOG, not driver.cores",
		{Runner: fields.Submit, Role: cause.DriverRole}: "raise spark.driver.memory or spark.executor.cores for LOG, or set {} {x} {\"a\": 1} " +
			"$ of LOG, not spark.driver.cores",
		{Runner: fields.Connect, Role: cause.DriverRole}: "raise spec.server.memory or executor.cores for LOG, or set {} {x} {\"a\": 1} " +
			"$ of LOG, not spec.server.cores",
		{Runner: fields.Connect, Role: cause.ExecutorRole}: "raise executor.memory or executor.cores for LOG, or set {} {x} {\"a\": 1} " +
			"$ of LOG, not spec.server.cores",
	} {
		require.Equal(t, strings.ReplaceAll(want, "LOG", "{driver.memory}${table}[a]"), m.Signature.Steps(names, m.Groups)[0].Text)
	}
}

func TestOwnMistakesNameTheirLine(t *testing.T) {
	change := func(old, next string) string {
		require.Contains(t, lease, old)
		return head + strings.Replace(lease, old, next, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"no YAML": {head + "- [", "team/a.yaml: yaml: line 4"},
		"another kind": {"apiVersion: sparkdoctor.io/v1alpha1\nkind: Config\nsignatures: []\n",
			"team/a.yaml:2: kind: value must be 'Signatures'"},
		"nothing in it": {head + "  []\n", "team/a.yaml:3: signatures: minItems: got 0, want 1"},
		"an unknown field": {change("  says:", "  meaning:"),
			"team/a.yaml:4: signatures[0]: "},
		"no example": {change("  examples: ['ACME-1234: lease for sales.orders expired']\n", ""),
			"team/a.yaml:4: signatures[0]: missing property 'examples'"},
		"neither message nor exception": {change(`  message: 'ACME-1234: lease for (?P<table>\S+) expired'`, ""),
			"team/a.yaml:4: signatures[0]: missing property 'message'"},
		"an alias":        {head + "- &a\n  id: *a\n", "team/a.yaml"},
		"a field twice":   {change("  class: quota\n", "  class: quota\n  class: image\n"), `team/a.yaml:6: "class" is given twice`},
		"a made-up class": {change("quota", "sabotage"), "team/a.yaml:5: signatures[0].class: value must be one of"},
		"a class of no fault": {change("quota", "runningNormally"),
			"team/a.yaml:5: signatures[0].class: value must be one of"},
		"an id with spaces": {change("id: acme-lease", "id: acme lease"), "team/a.yaml:4: signatures[0].id: "},
		"certain": {change("  class: quota\n", "  class: quota\n  certain: true\n"),
			"team/a.yaml:6: signatures[0].certain: only a built-in signature can prove a cause: leave certain out"},
		"an effect": {change("  class: quota\n", "  class: quota\n  effect: true\n"),
			"team/a.yaml:6: signatures[0].effect: only a built-in signature can say that a message explains nothing"},
		"a made-up topic": {change("  class: quota\n", "  class: quota\n  about: [memory, heat]\n"),
			"team/a.yaml:6: signatures[0].about[1]: value must be one of 'memory', 'own-limit'"},
		"a topic twice": {change("  class: quota\n", "  class: quota\n  about: [memory, memory]\n"), "team/a.yaml:6: signatures[0].about: "},
		"a topic that leads to other causes": {change("  class: quota\n", "  class: quota\n  about: [memory, python-worker]\n"),
			"team/a.yaml:6: signatures[0].about[1]: only a built-in signature can lead to another cause: leave python-worker out"},
		"on what is no process of Spark": {change("  class: quota\n", "  class: quota\n  on: node\n"),
			"team/a.yaml:6: signatures[0].on: value must be one of 'driver', 'executor'"},
		"class unknown": {change("quota", "unknown"), "team/a.yaml:5: signatures[0].class: say which kind of cause it is"},
		"no expression": {change(`(?P<table>\S+)`, `(?P<table>\S+`), "team/a.yaml:6: signatures[0].message: missing closing ): `ACME-1234"},
		"no expression for a class": {change("  message:", "  exception: 'com[acme'\n  message:"),
			"team/a.yaml:6: signatures[0].exception: missing closing ]: `[acme`"},
		"Perl": {change(`(?P<table>\S+)`, `(?P<table>\S+)(?!x)`),
			"team/a.yaml:6: signatures[0].message: invalid or unsupported Perl syntax: `(?!`"},
		"too many repetitions": {change(`\S+`, `\S{1001}`), "team/a.yaml:6: signatures[0].message: invalid repeat count: `{1001}`"},
		"nested repetitions": {change(`\S+`, `(?:\S{1,30}xyz){1,30}abcdefgh(?:abc\w){1,300}`),
			"team/a.yaml:6: signatures[0].message: the expression is too large"},
		"a long expression": {change(`\S+`, strings.Repeat("x", 2000)), "team/a.yaml:6: signatures[0].message: maxLength"},
		"fits each line": {change(`'ACME-1234: lease for (?P<table>\S+) expired'`, `'(?P<table>\S+)'`),
			"team/a.yaml:6: signatures[0].message: give it a text"},
		"a short text": {change(`'ACME-1234: lease for (?P<table>\S+) expired'`, `'(?P<table>\S+): '`),
			"team/a.yaml:6: signatures[0].message: give it a text"},
		"no such group": {change("of table ${table}", "of table ${name}"),
			"team/a.yaml:7: signatures[0].says: message has no group for ${name}"},
		"no such group below": {change("of ${table}']", "of ${}']"),
			"team/a.yaml:8: signatures[0].next[0]: message has no group for ${}"},
		"a group that may be missing": {change(`(?P<table>\S+)`, `(?:(?P<table>\S+)|all)`),
			"team/a.yaml:7: signatures[0].says: not every message has ${table}: put it into brackets"},
		"a field that has no placeholder": {change("lease of ${table}']", "lease, or raise {driver.memroy}']"),
			"team/a.yaml:8: signatures[0].next[0]: {driver.memroy} is no placeholder of a field"},
		"two lines": {change("says: the", "says: |-\n    the\n    lease"), "team/a.yaml:7: signatures[0].says: it has more than one line"},
		"an example of another": {change("sales.orders expired", "sales.orders expires"),
			"team/a.yaml:9: signatures[0].examples[0]: message does not match it"},
		"an example of another exception": {change("  message:", "  exception: com\\.acme\\.Lease\n  message:"),
			`team/a.yaml:10: signatures[0].examples[0]: exception does not match it: the class is "ACME-1234", of CLASS: MESSAGE`},
		"a look-alike that is none": {change("orders renewed", "orders expired"),
			"team/a.yaml:10: signatures[0].lookAlikes[0]: the signature matches it, and must not"},
		"twice": {head + lease + lease, "team/a.yaml:11: signatures[1].id: team/a.yaml:4 has this id, too"},
		"large": {head + lease + strings.Repeat("#", 1<<20), "team/a.yaml is larger than 1 MiB"},
	} {
		_, err := own(c.text)
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "\n", name)
	}
}

// TestOwnSignaturesAreBoundedTogether: what one file may not have, several may not have either.
func TestOwnSignaturesAreBoundedTogether(t *testing.T) {
	_, err := own(head+lease, head+lease)
	require.EqualError(t, err, "team/b.yaml:4: signatures[0].id: team/a.yaml:4 has this id, too")

	many := func(prefix, expression string, n int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			one := strings.ReplaceAll(lease, "acme-lease", prefix+strconv.Itoa(i))
			b.WriteString(strings.Replace(one, `\S+`, expression, 1))
		}
		return b.String()
	}
	_, err = own(many("a", `\S+`, 600), many("b", `\S+`, 401))
	require.ErrorContains(t, err, "team/b.yaml:")
	require.ErrorContains(t, err, "too much: at most 1000 signatures")
	_, err = own(many("a", `\S+`, 600), many("b", `\S+`, 400))
	require.NoError(t, err)
	_, err = own(many("a", `\S{1,900}`, 120))
	require.ErrorContains(t, err, "too much")
}

// TestOwnWordsAreText: what a reader sees has no secrets and no control characters, as what a cluster supplies.
func TestOwnWordsAreText(t *testing.T) {
	set, err := own(head + strings.NewReplacer("the lease of table ${table} expired", `"\e[31mred\u202e password=hunter2secret"`,
		"['renew the lease of ${table}']", `["say \e]0;x\a password=hunter2secret"]`).Replace(lease))
	require.NoError(t, err)
	m, ok := set.Line("ACME-1234: lease for a.b expired")
	require.True(t, ok)
	for _, text := range []string{m.Signature.Meaning(m.Groups), m.Signature.Steps(fields.Names{}, m.Groups)[0].Text} {
		require.NotContains(t, text, "\x1b")
		require.NotContains(t, text, "\u202e")
		require.NotContains(t, text, "hunter2secret")
		require.Contains(t, text, "password=[redacted]")
	}
	require.Empty(t, m.Signature.Steps(fields.Names{}, m.Groups)[0].Line)
}
