package why_test

import (
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// The job that the package's documentation follows.
func ExampleOpen() {
	c, err := corpus.ReadCase(os.DirFS("testdata/corpus"), "912")
	if err != nil {
		log.Fatal(err)
	}
	objects, err := c.Objects()
	if err != nil {
		log.Fatal(err)
	}
	file := why.Open(c.Evidence(objects))
	for _, found := range file.Causes {
		fmt.Println(found.Class, found.Certainty, found.Detail.Mechanism())
	}
	fmt.Println(strings.ReplaceAll(file.Verdict().Message, ": ", ":\n"))
	for _, next := range file.Verdict().Next {
		fmt.Println("do:", next.Text)
	}
	// Output:
	// configuration proven variable-unset
	// unknown likely exit-code
	// the driver lacks variable KAFKA_SERVERS of the spec, since the operator's webhook did not change its pod:
	// a variable of the environment is not set:
	// KeyError:
	// 'KAFKA_SERVERS' at app.py:23 (driver)
	// do: see whether the webhook is on, and whether it can be called
	// do: then run the application again
}

// TestDocumentationFollowsACause holds the example in doc.go to what becomes of it.
func TestDocumentationFollowsACause(t *testing.T) {
	doc := strings.Join(strings.Fields(strings.ReplaceAll(readText(t, "doc.go"), "\n//", "\n")), " ")
	c := numbered(t, "912")
	f := c.whole()
	require.Contains(t, doc, f.Verdict().Message)
	require.Contains(t, doc, "never-arrived")
	keyed := why.OpenByKeys(c.Evidence(c.objects))
	require.Equal(t, "never-arrived variable-unset", keyed.Verdict().Message)
	require.Equal(t, "exit-code", keyed.Causes[1].Message)
}
