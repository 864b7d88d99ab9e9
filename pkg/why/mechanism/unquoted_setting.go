package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// UnquotedSetting is a setting of a SparkConnect whose value bash reads as commands: the operator joins the settings without quotes into
// the command of bash -c (sparkConfOption and hadoopConfOption in internal/controller/sparkconnect/options.go, mutateServerPod in
// reconciler.go@v2.5.2; #3051 quotes them). A value in quotes looks alike, and so does a script of the image that bash cannot read: what
// bash says then names its file, and not -c.
type UnquotedSetting struct {
	Setting
	Value     string
	Character string // the first that bash reads, of those that it complains about
	Says      string // by bash
}

// Mechanism names it.
func (UnquotedSetting) Mechanism() cause.ID { return "unquoted-setting" }

// Unquoted finds the setting that bash took for commands when it was to start the server, by its last words. Where several are, it is the
// first: bash reads no further.
func Unquoted(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	last, is := failed.Meaning.(logs.LastWords)
	server := mainContainer(v.Driver)
	if !is || !v.IsConnect() || server == nil || !slices.Equal(server.Command, []string{"bash", "-c"}) || len(server.Args) != 1 {
		return cause.Cause{}, false
	}
	says, of := complaintOfShell(append(slices.Clone(failed.Lines), last.Line))
	if of == nil {
		return cause.Cause{}, false
	}
	command, first := server.Args[0]+" ", len(server.Args[0])
	var d UnquotedSetting
	look := func(in, prefix string, settings map[string]string) {
		for key, value := range settings {
			// Elsewhere it is quoted, or was changed since.
			at := strings.Index(command, " --conf "+prefix+strings.TrimPrefix(key, prefix)+"="+value+" ")
			if c := of(value); at >= 0 && at < first && c != "" {
				d, first = UnquotedSetting{Setting: Setting{in, key}, Value: value, Character: c, Says: says}, at
			}
		}
	}
	look("sparkConf", "", v.Spec.Conf)
	look("hadoopConf", "spark.hadoop.", v.Spec.HadoopConf)
	if d.Key == "" {
		return cause.Cause{}, false
	}
	seen := slices.Concat(about.Evidence, []cause.Proof{{Object: v.AppRef(), Field: d.Indexed(), Value: d.Value}})
	return cause.Cause{Class: cause.Configuration, Certainty: check.Proven, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: seen}, true
}

// What bash says of a command that it was given as an argument, as bash 5.2 prints it (parse.y, execute_cmd.c and redir.c of GNU bash).
var (
	unexpected = lazyregexp.New("^(?:/usr)?(?:/bin/)?bash: -c: line \\d+: (syntax error near unexpected token `([()|&;<>])[()|&;<>]?')")
	unmatched  = lazyregexp.New("^(?:/usr)?(?:/bin/)?bash: -c: line \\d+: (unexpected EOF while looking for matching `([^\n])')")
	unrunnable = lazyregexp.New(`^(?:/usr)?(?:/bin/)?bash: line \d+: (([^\n:]{1,200}): (?:command not found|No such file or directory))$`)
)

// complaintOfShell is what bash complains of, and a function that finds the character in a value that led to it; nil: it does not.
func complaintOfShell(lines []string) (says string, of func(value string) string) {
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if m := unexpected.FindStringSubmatch(line); m != nil {
			return m[1], func(value string) string { return onlyIn(readByShell(value).operators, m[2]) }
		}
		if m := unmatched.FindStringSubmatch(line); m != nil {
			return m[1], func(value string) string { return onlyIn(readByShell(value).open, m[2]) }
		}
		if m := unrunnable.FindStringSubmatch(line); m != nil {
			return m[1], func(value string) string { return readByShell(value).before[m[2]] }
		}
	}
	return "", nil
}

func onlyIn(all, one string) string {
	if strings.Contains(all, one) {
		return one
	}
	return ""
}

// shellRead is what a shell reads of a word that was meant as it stands (2.2 Quoting and 2.10 Shell Grammar of POSIX.1-2024).
type shellRead struct {
	operators string            // outside of quotes
	open      string            // what ends a quote that it begins
	before    map[string]string // programs and files that it names, by the operator before them
}

func readByShell(value string) shellRead {
	out := shellRead{before: map[string]string{}}
	quote, operator, word := rune(0), "", ""
	named := func() {
		if operator != "" && word != "" {
			out.before[word], operator = operator, ""
		}
		word = ""
	}
	escaped := false
	for _, c := range value {
		switch {
		case escaped:
			escaped, word = false, word+string(c)
		case c == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word += string(c)
		case strings.ContainsRune("'\"`", c):
			quote = c
		case strings.ContainsRune("()|&;<>", c):
			named()
			out.operators, operator = out.operators+string(c), string(c)
		case c == ' ' || c == '\n' || c == '\t':
			named()
		default:
			word += string(c)
		}
	}
	if named(); quote != 0 {
		out.open = string(quote)
	}
	if operator != "" { // the next setting follows
		out.before["--conf"] = operator
	}
	return out
}
