package why_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatTheWebhookDidNotBring: a file or a variable that the program misses is a matter of the webhook only where the spec asks for it
// and the pod does not have it.
func TestWhatTheWebhookDidNotBring(t *testing.T) {
	const file = "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/thresholds/thresholds.yaml'"
	variable := func(of map[string]any) { of["env"] = []any{map[string]any{"name": "LIMITS", "value": "x"}} }
	for name, row := range map[string]struct {
		change func(*testing.T, *corpusCase)
		class  string
		says   string
	}{
		"a volume": {func(*testing.T, *corpusCase) {}, "configuration", "the driver lacks volume thresholds at /mnt/thresholds of the spec"},
		"the pod has it": {func(t *testing.T, c *corpusCase) {
			c.inEach(t, "Pod", func(of map[string]any) {
				of["volumeMounts"] = []any{map[string]any{"name": "thresholds", "mountPath": "/mnt/thresholds"}}
			})
		}, "codeFailed", "FileNotFoundError"},
		"another file": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, "/mnt/thresholds/", "/mnt/thresholds-old/")
		}, "codeFailed", "/mnt/thresholds-old/"},
		"the file is there and holds nonsense": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, file, "ValueError: no limit in /mnt/thresholds/thresholds.yaml")
		}, "codeFailed", "ValueError"},
		"a variable": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, file, "KeyError: 'LIMITS'")
			c.inEach(t, "SparkApplication", variable)
		}, "configuration", "the driver lacks variable LIMITS of the spec"},
		"a variable that the spec does not set": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, file, "KeyError: 'LIMITS'")
		}, "codeFailed", "KeyError"},
		"a variable that the pod has": {func(t *testing.T, c *corpusCase) {
			c.inLogs(t, file, "KeyError: 'LIMITS'")
			c.inEach(t, "SparkApplication", variable)
			c.inEach(t, "Pod", variable)
		}, "codeFailed", "KeyError"},
	} {
		c := numbered(t, "816")
		row.change(t, &c)
		f := c.whole()
		require.Equal(t, row.class, string(f.Verdict().Class), "%s: %s", name, f.Verdict().Message)
		require.Contains(t, f.Verdict().Message, row.says, name)
	}
}
