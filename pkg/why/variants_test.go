package why_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/corpus"
)

// variant is a case of the corpus in other words, or with a fact changed that must change the answer.
type variant struct {
	of      string // its number
	objects []string
	logs    []string // old, new, old, new; an old text that is empty: the new one is all of every log
	class   string
	says    []string
	not     []string // what its message must not say
}

func (v variant) open(t *testing.T) why.CaseFile {
	t.Helper()
	c, err := corpus.ReadCase(os.DirFS(corpusDir), v.of)
	require.NoError(t, err)
	c.ObjectsYAML = replaced(t, c.ObjectsYAML, v.objects)
	found := len(v.logs) == 0
	for file, log := range c.Logs {
		switch {
		case len(v.logs) == 0:
		case v.logs[0] == "":
			c.Logs[file], found = v.logs[1], true
		case strings.Contains(log, v.logs[0]):
			c.Logs[file], found = replaced(t, log, v.logs), true
		}
	}
	require.True(t, found, "no log has %q", v.logs)
	return openCase(t, &c)
}

func replaced(t *testing.T, text string, pairs []string) string {
	t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		require.Contains(t, text, pairs[i])
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

func answerVariants(t *testing.T, variants map[string]variant) {
	t.Helper()
	for name, v := range variants {
		t.Run(name, func(t *testing.T) {
			f := v.open(t)
			text := corpus.Text(f.Verdict())
			require.Equal(t, v.class, string(f.Verdict().Class), text)
			for _, word := range v.says {
				require.Contains(t, text, word)
			}
			for _, word := range v.not {
				require.NotContains(t, f.Verdict().Message, word)
			}
		})
	}
}
