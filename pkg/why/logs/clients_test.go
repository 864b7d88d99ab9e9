package logs

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestWordsOfClients: the class of what a client raises; the same words of the application's own code are a failure of that.
func TestWordsOfClients(t *testing.T) {
	data, err := os.ReadFile("testdata/clients.txt")
	require.NoError(t, err)
	tried := 0
	for line := range strings.Lines(string(data)) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		require.Len(t, parts, 4, line)
		tried++
		require.Equal(t, parts[0], string(died(t, parts[1], parts[2], parts[3]).class), line)
		own := "net.shop.etl.Checks.refuse"
		if strings.HasSuffix(parts[3], ".py") {
			own = "/opt/jobs/checks.py"
		}
		v := died(t, "net.shop.etl.RefusedException", parts[2], own)
		require.Equal(t, cause.CodeFailed, v.class, "raised by the application: %s", line)
	}
	require.Greater(t, tried, 30)
}

// died is what a driver's log means that ends with an exception raised at a place: a frame of Java, or a file of Python.
func died(t *testing.T, class, message, at string) verdict {
	t.Helper()
	raised := "Exception in thread \"main\" " + class + ": " + message + "\n\tat " + at + "(X.java:12)\n" +
		"\tat org.apache.spark.sql.DataFrameReader.load(DataFrameReader.scala:172)\n" +
		"\tat net.shop.etl.Main$.main(Main.scala:24)\n\tat net.shop.etl.Main.main(Main.scala)\n"
	if strings.HasSuffix(at, ".py") {
		if at[0] != '/' {
			at = "/usr/local/lib/python3.11/site-packages/" + at
		}
		raised = "Traceback (most recent call last):\n  File \"/opt/jobs/etl.py\", line 41, in <module>\n    main()\n" +
			"  File \"" + at + "\", line 77, in call\n    raise error\n" + class + ": " + message + "\n"
	}
	s := read("", "26/05/06 05:21:20 INFO SparkContext: Running Spark version 3.5.1\n"+raised+
		"26/05/06 05:22:02 INFO SparkContext: Invoking stop() from shutdown hook\n", Clock{})
	c, is := s.first(failed)
	require.True(t, is, message)
	return c.verdict
}

// TestWordsBeforeSpark: where nothing of Spark was logged, the last words are those of the entrypoint's own programs.
func TestWordsBeforeSpark(t *testing.T) {
	const fails = "curl: (6) Could not resolve host: repo.example.net"
	for before, class := range map[string]cause.Class{
		"+ set -e": cause.Network,
		"26/05/06 05:21:20 INFO SparkContext: Running Spark version 3.5.1": cause.Unknown,
	} {
		s := read("", before+"\n"+fails+"\n", Clock{})
		c, is := s.first(failed)
		require.True(t, is)
		require.Equal(t, class, c.verdict.class, before)
	}
}
