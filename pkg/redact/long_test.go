package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
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
		"password={a}}", "password={", "(password,V", `("password","V`, "password 'V", `set("password", `, "a[password]=V", "/password=V", "password=V/",
		"password:\n  V", "--password \\\n", "-----BEGIN PRIVATE KEY-----V", "-----END PRIVATE KEY-----V ", "-----BEGIN PRIVATE KEY-----\nMIIE\n",
		`password\nV`, "auth=V", "redis_auth=V", "fs.azure.account.key.V",
	}
	for _, form := range redacttest.Forms("hunter2Zq9xK4") {
		units = append(units, form.Text, form.Text+" ", form.Text+",")
	}
	for _, unit := range units {
		assert.Less(t, looked(t, "", unit, 64<<10), 20*looked(t, "", unit, 4<<10)+1, "%s", unit)
	}
	m := &meter{tokens: freeTokens}
	once("DB_PASSWORD=V", m)
	require.NotZero(t, m.bytes)
}

// TestLongCombinations: the same for each name of a secret with each separator and each text behind it, repeated, and for that text alone
// behind one of them. Eight times the text may take 12 times the bytes; its square is 64.
func TestLongCombinations(t *testing.T) {
	names := []string{
		"secret", "token", "credentials", "password", `"password"`, "--password", " Password", "[password", "Authorization", "Cookie", "value",
		"name: password value", "WARN XCredentials", "<password", "(password", "- secret-key", "spark.ssl.keyPassword", "x=a&pwd",
	}
	separators := []string{":", ": ", "=", " ", "->", ",", ">", ": |\n"}
	texts := []string{
		"", " ", "x", "x ", "foo bar ", "&", "&(", ",", "- ", "(", "[", "{", "$(", `"`, "'", `\"`, "\n", " \n", "\t", "=", "*", "x,a:", "x a-", "é", "1", "/",
	}
	for _, name := range sampling.NightlyOf(names) {
		for _, separator := range separators {
			for _, text := range texts {
				one := name + separator
				for _, unit := range [][2]string{{"", one + text}, {one, text}} {
					if unit[1] != "" {
						assert.Less(t, looked(t, unit[0], unit[1], 16<<10), 12*looked(t, unit[0], unit[1], 2<<10)+1, "%q", unit)
					}
				}
			}
		}
	}
}

// TestNestedBlocks: the same for blocks of YAML in each other, with blank lines behind them.
func TestNestedBlocks(t *testing.T) {
	blocks := func(size int) int {
		var text strings.Builder
		for depth := 0; text.Len() < size/2; depth++ {
			text.WriteString(strings.Repeat(" ", depth) + "password: |\n")
		}
		text.WriteString(strings.Repeat("\n", size/2))
		m := &meter{tokens: freeTokens}
		once(text.String(), m)
		return m.bytes
	}
	assert.Less(t, blocks(256<<10), 12*blocks(32<<10))
}

// looked returns how many bytes are looked at of a text that repeats a unit behind a beginning.
func looked(t *testing.T, before, unit string, size int) int {
	t.Helper()
	m := &meter{tokens: freeTokens}
	require.NotEmpty(t, once(before+strings.Repeat(unit, 1+size/len(unit)), m))
	return m.bytes
}
