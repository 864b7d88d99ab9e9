package prose

import (
	"regexp"
	"strings"
)

// Rule is a wording that is wrong wherever it stands.
type Rule struct {
	Pattern  *regexp.Regexp
	Instead  string // what to write
	Comments bool   // comments of Go are held to it, too
}

// Words are the wordings that are wrong anywhere in a sentence. They hide the actor, or are not used in the trade. Words that are
// right in places ("ends", "takes", "goes") are left to readers.
func Words() []Rule {
	return []Rule{
		rule(`(?:some|no)body`, "name the actor: the operator, the API server, the garbage collector, sparkdoctor, you"),
		inComments(`(?:any|every)body`, "name the actor: all users, any program, every account"),
		rule(`whoever`, "name the actor: the operator, the API server, the user who …"),
		inComments(`anew`, "again, or re-create"),
		rule(`of which`, "two sentences"),
		inComments(`of the like`, "say what, or stop before it"),
		rule(`(?:is|are|was|were|be|been|being) told`, "say where it is set or reported: the flag, the message, the status"),
		rule(`(?:is|are|was|were|be|been|being) judged`, "is checked, is reported, or: sparkdoctor checks …"),
		inComments(`(?:is|are|was|were|be|been|being) greeted`, "connect to it"),
		inComments(`(?:is|are|was|were|be|been|being) let go`, "is deleted, is released"),
		rule(`could look`, "could read, could list"),
		inComments(`(?:lie|lies|lying|lay) about`, "is left over"),
		rule(`Silent:`, "Not reported:"),
	}
}

// Openings begin a sentence with a clause as its subject. A question or a heading may begin like that.
func Openings() []Rule {
	const instead = "begin with the thing, not with a clause as the subject"
	return []Rule{
		{Pattern: regexp.MustCompile(`^What\b`), Instead: instead},
		{Pattern: regexp.MustCompile(`^Who\b`), Instead: instead},
		{Pattern: regexp.MustCompile(`^That it\b`), Instead: instead},
	}
}

func rule(words, instead string) Rule {
	return Rule{Pattern: regexp.MustCompile(`(?i)\b` + strings.ReplaceAll(words, " ", `\s+`) + `(?:\b|$|\s)`), Instead: instead}
}

// inComments is a rule that holds in comments, too.
func inComments(words, instead string) Rule {
	r := rule(words, instead)
	r.Comments = true
	return r
}
