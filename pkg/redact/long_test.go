package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact/redacttest"
)

// TestLongLines: the bytes that are looked at grow with the length of a line, not with its square, whatever it repeats. A line of a log
// may hold megabytes, and jobs write it. Sixteen times the text may take 20 times the bytes; its square is 256.
func TestLongLines(t *testing.T) {
	units := []string{
		"DB_PASSWORD=V", "REDIS_PASS=V ", "Cookie: V ", "Authorization: Bearer V1234 ", `"Authorization: V `, `["--password","V"], `,
		"password=[redacted] a=V password=b1 ", "javax.jdo.option.pwd=V", "x-api-key: V ", "password%3DV",
		"password='V", `password="V\`, "<password>V",
		"{Name:password Value:V ", "secret: V", "password=''V", "--password V-", "password: [V", "password=(V",
	}
	for _, form := range redacttest.Forms("hunter2Zq9xK4") {
		units = append(units, form.Text, form.Text+" ", form.Text+",")
	}
	for _, unit := range units {
		looked := func(size int) int {
			var m meter
			require.NotEmpty(t, once(strings.Repeat(unit, 1+size/len(unit)), &m))
			return m.bytes
		}
		assert.Less(t, looked(64<<10), 20*looked(4<<10)+1, "%s", unit)
	}
	var m meter
	once("DB_PASSWORD=V", &m)
	require.NotZero(t, m.bytes)
}
