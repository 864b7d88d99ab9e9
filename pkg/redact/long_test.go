package redact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

// TestLongLines: the time that a line takes grows with its length, not with its square, whatever it repeats. A line of a log may hold
// megabytes, and whoever runs jobs writes it. Thirty times the text may take ninety times as long; its square is nine hundred.
func TestLongLines(t *testing.T) {
	quickest := func(unit string, size int) time.Duration {
		text, least := strings.Repeat(unit, size/len(unit)), time.Hour
		for range 3 {
			began := time.Now()
			require.Equal(t, strings.Count(unit, "V") > 0, strings.Contains(redact.Text(text), redact.Mark), unit)
			least = min(least, time.Since(began))
		}
		return least
	}
	for _, unit := range []string{
		"DB_PASSWORD=V", "REDIS_PASS=V ", "Cookie: V ", "Authorization: Bearer V1234 ", `["--password","V"], `,
		"password=[redacted] a=V password=b1 ",
		"javax.jdo.option.pwd=V", "x-api-key: V ",
	} {
		short, long := quickest(unit, 16<<10), quickest(unit, 480<<10)
		require.Less(t, long, 90*max(short, 3*time.Millisecond), "%s: %s for 16 KiB, %s for 480 KiB", unit, short, long)
	}
}
