package mechanism_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestWhatBashReadsOfASetting: the values and the words are those of bash 5.2. A value in quotes, and words about something else, are of no
// setting.
func TestWhatBashReadsOfASetting(t *testing.T) {
	const token = "bash: -c: line 1: syntax error near unexpected token `"
	const eof = "bash: -c: line 1: unexpected EOF while looking for matching `"
	for _, c := range []struct{ value, says, want string }{
		{"(?i)secret|token", token + "('", "("},
		{"a)b", token + ")'", ")"},
		{"a;;b", token + ";;'", ";"},
		{"it's", eof + "''", "'"},
		{`a"b`, eof + `"'`, `"`},
		{"a`b", eof + "`'", "`"},
		{"a|b|c d", "bash: line 1: b: command not found", "|"},
		{"a&&b x", "/bin/bash: line 1: b: command not found", "&"},
		{"a;", "bash: line 1: --conf: command not found", ";"},
		{"<x", "bash: line 1: x: No such file or directory", "<"},

		{"'(?i)secret|token'", token + "('", ""},
		{`"(a)"`, token + "('", ""},
		{`\(a\)`, token + "('", ""},
		{"a|b", token + "('", ""},
		{"it''s", eof + "''", ""},
		{"a|b", "bash: line 1: c: command not found", ""},
		{"a b", "bash: line 1: b: command not found", ""},
		{"(a)", "/opt/spark/sbin/start.sh: line 3: syntax error near unexpected token `('", ""},
		{"(a)", "/opt/spark/sbin/start.sh: -c: line 3: syntax error near unexpected token `('", ""},
	} {
		about := cause.Cause{Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.LastWords{Line: c.says}}}}
		view := func(command string) *mechanism.View {
			pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "spark-kubernetes-driver",
				Command: []string{"bash", "-c"}, Args: []string{command}}}}}
			return &mechanism.View{Evidence: &app.Evidence{Subject: snapshot.Ref{Kind: "SparkConnect"}}, Driver: pod,
				Spec: app.Spec{Conf: map[string]string{"spark.x": c.value}}}
		}
		found, is := mechanism.Unquoted(view("start --conf spark.x="+c.value+" --conf spark.y=1"), &about)
		require.Equal(t, c.want != "", is, c)
		if is {
			d, _ := found.Detail.(mechanism.UnquotedSetting)
			require.Equal(t, c.want, d.Character, c)
		}
		_, is = mechanism.Unquoted(view("start --conf 'spark.x="+c.value+"' --conf spark.y=1"), &about)
		require.False(t, is, "as releases after 2.5.2 write it: %s", c.value)
	}
}
