package terminal

import (
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/require"
)

// TestWrap: words stay whole where a line has room for them, and are broken behind what divides them where none has.
func TestWrap(t *testing.T) {
	for name, one := range map[string]struct {
		text string
		want []string
	}{
		"words": {"a pod that waits for its driver, which waits", []string{"a pod that waits for its", "driver, which waits"}},
		"a name of a line": {"pod nightly-aggregation-driver", []string{"pod",
			"nightly-aggregation-driver"}},
		"a path": {"cannot open /opt/spark/work-dir/jobs/daily/etl.py", []string{"cannot open /opt/spark/",
			"work-dir/jobs/daily/etl.py"}},
		"a bucket": {"s3a://lake-of-the-warehouse-of-payments/daily/2026-11-20", []string{"s3a://lake-of-the-",
			"warehouse-of-payments/", "daily/2026-11-20"}},
		"a class": {"org.apache.spark.sql.execution.datasources.orc.OrcFileFormat", []string{"org.apache.spark.sql.",
			"execution.datasources.orc.", "OrcFileFormat"}},
		"a list":           {"executors=1,2,3,4,5,6,7,8,9,10,11,12,13,14", []string{"executors=1,2,3,4,5,6,7,8,", "9,10,11,12,13,14"}},
		"nothing to break": {strings.Repeat("x", 30), []string{strings.Repeat("x", 26), "xxxx"}},
		"an address": {"see https://spark.apache.org/docs/latest/configuration.html", []string{"see https://", "spark.apache.org/docs/",
			"latest/configuration.html"}},
		"what is painted": {"\x1b[1m" + strings.Repeat("x", 30) + "\x1b[0m", []string{"\x1b[1m" + strings.Repeat("x", 26),
			"xxxx\x1b[0m"}},
		"a link":            {link("a", strings.Repeat("x", 30)), []string{link("a", strings.Repeat("x", 30))}},
		"characters of two": {strings.Repeat("世", 14), []string{strings.Repeat("世", 13), "世"}},
		"nothing at all":    {" ", nil},
		"goes on behind one": {"a /opt/spark/work-dir/jobs/daily/etl.py is gone",
			[]string{"a /opt/spark/work-dir/", "jobs/daily/etl.py is gone"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, one.want, Wrap(one.text, 26)) })
	}
}

// TestWrapKeepsEveryCharacter: at any width no character is lost, none is added, and no line is wider.
func TestWrapKeepsEveryCharacter(t *testing.T) {
	const text = "cannot read s3a://lake/daily/dt=2026-11-20/part-00017.snappy.parquet: org.apache.hadoop.fs.s3a.AWSBadRequestException, " +
		"jdbc:postgresql://db.payments.svc.cluster.local:5432/orders?sslmode=require&user=etl, " +
		"世界世界世界世界世界世界世界世界世界世界世界世界"
	bare := strings.ReplaceAll(text, " ", "")
	for width := leastWidth; width < 200; width++ {
		lines := Wrap(text, width)
		require.Equal(t, bare, strings.ReplaceAll(strings.Join(lines, ""), " ", ""), width)
		for _, line := range lines {
			require.LessOrEqual(t, twwidth.Width(line), width, line)
			require.Equal(t, strings.TrimSpace(line), line)
		}
	}
}
