package machine_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/machine"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// workflowCommand is a workflow command as the runner reads it: "::name key=value,key=value::data" at the start of a line
// (actions/runner, src/Runner.Common/ActionCommand.cs).
type workflowCommand struct {
	name, data string
	properties map[string]string
}

func commands(t *testing.T, text string) (list []workflowCommand, plain []string) {
	t.Helper()
	data := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n")
	property := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		require.NotContains(t, line, "##[", "the older form of a command")
		if !strings.HasPrefix(strings.TrimSpace(line), "::") {
			plain = append(plain, line)
			continue
		}
		m := regexp.MustCompile(`^::(\w+) (.*?)::(.*)$`).FindStringSubmatch(line)
		require.NotNil(t, m, line)
		c := workflowCommand{name: m[1], data: data.Replace(m[3]), properties: map[string]string{}}
		for pair := range strings.SplitSeq(m[2], ",") {
			key, value, found := strings.Cut(pair, "=")
			require.True(t, found, line)
			c.properties[key] = property.Replace(value)
		}
		list = append(list, c)
	}
	return list, plain
}

func TestGitHubCommands(t *testing.T) {
	r := reporttest.Night()
	r.Items[0].Location.File = "a,b:c 50%::error::.yaml"
	var b bytes.Buffer
	require.NoError(t, machine.GitHub(&b, r))
	list, plain := commands(t, b.String())
	require.Len(t, list, 2+countResults(r), "two links are broken, and each object of each finding")
	require.Equal(t, workflowCommand{"error", "certificate, in 2 namespaces: team-a, team-b", map[string]string{"title": "admission broken"}},
		list[0])
	first := list[2]
	require.Equal(t, "error", first.name)
	require.Equal(t, map[string]string{"file": "a,b:c 50%::error::.yaml", "line": "41", "title": "SD2001 cross-namespace-owner"},
		first.properties)
	attack := list[5]
	require.Equal(t, "warning", attack.name)
	require.Equal(t,
		report.Escape("team-b sparkapplication/"+reporttest.Escapes+
			`: likely: owner Workflow "`+reporttest.Escapes+`" lives in namespace "argo", not in "team-b"`), attack.data)
	require.Equal(t, "notice", list[len(list)-1].name, "an info")
	require.Equal(t, "3 errors, 2 warnings, 1 info", plain[0])
	for _, item := range r.Items {
		page := item.Check + " " + item.Slug + ": " + item.Docs
		require.Len(t, slices.DeleteFunc(slices.Clone(plain), func(line string) bool { return line != page }), 1, "each page once")
	}

	b.Reset()
	require.NoError(t, machine.GitHub(&b, reporttest.Partial()))
	list, plain = commands(t, b.String())
	require.Equal(t, workflowCommand{"warning", "could not list mutatingwebhookconfigurations: forbidden",
		map[string]string{"title": "skipped: SD1003 webhook-certificate"}}, list[0])
	require.Equal(t, "partial: SD2001, SD2002", list[1].properties["title"])
	require.Equal(t, "No findings in what could be looked at", plain[0])
}
