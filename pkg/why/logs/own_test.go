package logs_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// ownSet has a signature of class image for each of some messages, of exceptions of a class if that is not empty.
func ownSet(t *testing.T, exception string, messages ...string) *catalog.Set {
	t.Helper()
	var text strings.Builder
	text.WriteString("apiVersion: sparkdoctor.io/v1alpha1\nkind: Signatures\nsignatures:\n")
	for i, message := range messages {
		of, example := "", message
		if exception != "" {
			of, example = fmt.Sprintf("exception: %q, ", regexp.QuoteMeta(exception)), exception+": "+message
		}
		fmt.Fprintf(&text, "- {id: acme-%d, class: image, %smessage: %q, says: so says the team, next: [ask the team], examples: [%q]}\n",
			i, of, regexp.QuoteMeta(message), example)
	}
	set, err := catalog.Own(catalog.File{Name: "team/acme.yaml", Text: []byte(text.String())})
	require.NoError(t, err)
	return set
}

func TestOwnSignaturesExplain(t *testing.T) {
	const (
		context = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n"
		said    = "26/01/01 00:00:02 ERROR Lake: ACME-1 lease lost\n"
		ofSpark = "Exception in thread \"main\" org.apache.spark.SparkException: odd\n\tat org.apache.spark.A.b(A.scala:1)\n"
		wrapped = "Exception in thread \"main\" java.lang.RuntimeException: cannot write\n\tat net.example.Job$.main(Job.scala:9)\n" +
			"Caused by: com.acme.LakeException: ACME-1 lease lost\n\tat com.acme.Lake.open(Lake.java:1)\n"
		full = "26/01/01 00:00:03 ERROR Utils: java.io.IOException: No space left on device\n"
	)
	line, exception := ownSet(t, "", "ACME-1 lease lost"), ownSet(t, "com.acme.LakeException", "ACME-1 lease lost")
	for _, row := range []struct {
		name string
		code int32
		own  *catalog.Set
		log  string
		says string // empty: not what the team says
	}{
		{"the exception", 1, exception, context + wrapped, "so says the team (driver) [by acme.yaml]"},
		{"the exception, as a line", 1, line, context + wrapped, "so says the team (driver) [by acme.yaml]"},
		{"a line before an exception of Spark", 1, line, context + said + ofSpark, "so says the team (driver) [by acme.yaml]"},
		{"a line before the end", 1, line, context + said, "so says the team (driver) [by acme.yaml]"},
		{"a line, where code of the application failed", 1, line, context + said + uncaught, ""},
		{"a line before the last job began", 1, line, said + context + ofSpark, ""},
		{"a line of level INFO", 1, line, context + strings.Replace(said, "ERROR", "INFO", 1) + ofSpark, ""},
		{"an exception of another class", 1, exception, context + strings.Replace(wrapped, "com.acme.Lake", "org.other.Lake", 1), ""},
		{"a line beside what a built-in signature explains", 1, line, context + said + full + ofSpark, ""},
		{"a line of a job that went well", 0, line, context + said, ""},
		{"a line of a job that was killed", 137, line, context + said, ""},
	} {
		e := ended(row.code, row.log)
		before := logs.Causes(e)
		e.Signatures = row.own
		after := logs.Causes(e)
		if row.says == "" {
			require.Equal(t, before, after, row.name)
			continue
		}
		require.Len(t, after, 1, row.name)
		c := after[0]
		require.Equal(t, row.says, words.Terms{}.Of(&c).Says, row.name)
		require.Equal(t, cause.Image, c.Class, row.name)
		require.Equal(t, check.Likely, c.Certainty, row.name)
		require.Equal(t, "acme.yaml", c.SignatureFile, row.name)
		require.Equal(t, "acme.yaml#acme-0", c.Signature, row.name)
		require.Equal(t, "ask the team", words.Terms{}.Of(&c).Do[0].Text, row.name)
		require.True(t, slices.ContainsFunc(c.Evidence, func(p cause.Proof) bool { return strings.Contains(p.Value, "ACME-1 lease lost") }),
			row.name)
	}
}

// TestOwnSignaturesDisplaceNoBuiltIn: of a line that a built-in signature fits, a log tells the same whatever a team says of it.
func TestOwnSignaturesDisplaceNoBuiltIn(t *testing.T) {
	var lines, messages []string
	for _, s := range catalog.Documented() {
		for _, example := range s.Examples {
			if strings.Contains(example, "\\n") {
				continue // several lines, of which the team's expression would name one
			}
			if raised.MatchString(example) {
				lines = append(lines, "Exception in thread \"main\" "+example)
			}
			if s.Exception == "" {
				lines = append(lines, example, "26/01/01 00:00:02 ERROR Job: "+example, "26/01/01 00:00:02 WARN Job: "+example)
			}
			messages = append(messages, strings.TrimSpace(example))
		}
	}
	const mostOwn = 400 // which is what their expressions may take
	var own []*catalog.Set
	for part := range slices.Chunk(messages, mostOwn) {
		own = append(own, ownSet(t, "", part...))
	}
	for _, line := range lines {
		e := ended(1, line+"\n")
		before := logs.Causes(e)
		for _, e.Signatures = range own {
			require.Equal(t, before, logs.Causes(e), line)
		}
	}
	require.Greater(t, len(lines), 1000)
}

// raised matches an exception with its package.
var raised = regexp.MustCompile(`^(?:[a-z]\w*\.)+[A-Z]\w*: `)

func TestOwnSignaturesOfTheOperatorsText(t *testing.T) {
	const text = "failed to run spark-submit: Exception in thread \"main\" com.acme.LakeException: ACME-1 lease lost\n" +
		"\tat com.acme.Lake.a(L.java:1)\n"
	found := logs.FromText(text, snapshot.Ref{Name: "etl"}, ownSet(t, "", "ACME-1 lease"))
	require.Len(t, found, 1)
	require.Equal(t, cause.Image, found[0].Class)
	require.Equal(t, check.Likely, found[0].Certainty)
	require.Equal(t, "acme.yaml", found[0].SignatureFile)
}

// TestOwnSignaturesSayWhoseFailureItIs: a message in the log of a driver may be about executors and their memory.
func TestOwnSignaturesSayWhoseFailureItIs(t *testing.T) {
	const text = "apiVersion: sparkdoctor.io/v1alpha1\nkind: Signatures\nsignatures:\n" +
		"- {id: pool, class: clusterKilled, message: ACME-7 pool is out of pages, says: the pool is full, next: [x], " +
		"examples: [ACME-7 pool is out of pages]%s}\n"
	log := "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n26/01/01 00:00:02 ERROR Lake: ACME-7 pool is out of pages\n"
	of := func(more string) cause.Cause {
		set, err := catalog.Own(catalog.File{Name: "acme.yaml", Text: fmt.Appendf(nil, text, more)})
		require.NoError(t, err)
		e := ended(1, log)
		e.Signatures = set
		found := logs.Causes(e)
		require.Len(t, found, 1)
		return found[0]
	}
	require.Equal(t, cause.DriverRole, of("").Role)
	require.Zero(t, of("").Topics)
	told := of(", on: executor, about: [memory, timeout]")
	require.Equal(t, cause.ExecutorRole, told.Role)
	require.Equal(t, cause.Memory|cause.TimesOut, told.Topics)
}
