package catalog_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// notRead is how many citations name a file that was not read itself: only the words were compared, in the binary that is built from it.
// The number may only shrink.
const notRead = 18

var (
	fileAtTag = regexp.MustCompile(`^[\w.-]+/[\w.-]+ (?:[\w.+-]+/)*[\w.+-]+\.?[\w-]+@[\w./+-]*\d[\w./+-]*( \(compiled\))?$`)
	report    = regexp.MustCompile(`^[\w.-]+/[\w.-]+ (?:issue|pull) \d+$`)
)

func TestEachSourceIsAFileAtATagOrAReport(t *testing.T) {
	compiled := map[string]bool{}
	for _, s := range catalog.Documented() {
		seen := map[string]bool{}
		for _, source := range s.Source {
			require.Falsef(t, seen[source], "%s cites %q twice", s.ID, source)
			seen[source] = true
			match := fileAtTag.FindStringSubmatch(source)
			if match == nil {
				require.Regexpf(t, report, source, "%s", s.ID)
				continue
			}
			if match[1] != "" {
				compiled[source] = true
			}
		}
	}
	require.LessOrEqual(t, len(compiled), notRead)
}

func TestOtherWordsAreNoSource(t *testing.T) {
	for _, source := range []string{
		"java.net.UnknownHostException (JDK)", "Amazon S3 API, error NoSuchBucket", "error class PATH_NOT_FOUND (Spark)",
		"core/src/main/scala/org/apache/spark/SparkContext.scala (Spark)", "apache/spark core/pom.xml", "apache/spark@v3.5.3",
	} {
		require.NotRegexp(t, fileAtTag, source)
		require.NotRegexp(t, report, source)
	}
}
