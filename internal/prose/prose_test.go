package prose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/prose"
)

func TestText(t *testing.T) {
	for text, want := range map[string][]string{
		"somebody deleted the configuration":                      {"Somebody"},
		"3 objects, 2 of\nwhich are pods":                         {"of which"},
		"the operator was told other namespaces":                  {"was told"},
		"it is judged, and could look at it anew":                 {"is judged", "could look", "anew"},
		"what is not in the files does not exist":                 {"What"},
		"It fails. Who may not read gets no verdict.":             {"Who"},
		"It fails in 2.5.2. That it does is known.":               {"That it"},
		"an old pod lies about":                                   {"lies about"},
		"Silent: pods":                                            {"Silent:"},
		"":                                                        nil,
		"What breaks? The webhook.":                               nil,
		"the API server says \"nobody is told of which\"":         nil,
		"the check reads what it declared, and says who wrote it": nil,
		"the renewed certificate":                                 nil,
		"Whatever the policy is, That is fine. Whole chains":      nil,
		"3 applications not judged":                               nil,
	} {
		var found []string
		for _, f := range prose.Text(text) {
			require.NotEmpty(t, f.Instead)
			found = append(found, f.Found)
		}
		require.ElementsMatch(t, want, found, text)
	}
}

func TestMarkdown(t *testing.T) {
	const page = "# What nobody knows\n" + // 1: a heading may open so
		"\n" +
		"A [link for\n" + // 3
		"whoever](https://example.com/anew) and *anew*.\n" + // 4
		"Run `whoever`. `What` is code. What is\n" + // 5
		"told is wrong.\n" +
		"\n" +
		"> nobody is quoted\n" +
		"\n" +
		"    kubectl get somebody\n" +
		"\n" +
		"```text\nis told\n```\n" + // 12 to 14
		"\n" +
		"- a list\n" +
		"- Who may not\n" + // 17
		"\n" +
		"| What is it | why |\n| --- | --- |\n| of which | What must pass |\n" // 19 to 21
	var found []string
	for _, f := range prose.Markdown([]byte(page)) {
		found = append(found, f.String()[:len(f.String())-len(f.Instead)])
	}
	require.Equal(t, []string{
		`1: "nobody": write instead: `, `4: "whoever": write instead: `, `4: "anew": write instead: `,
		`5: "is told": write instead: `, `5: "What": write instead: `, `17: "Who": write instead: `,
		`21: "of which": write instead: `, `21: "What": write instead: `,
	}, found)
}
