package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ActionRefused is an action that AWS refused a role, by its own words: who asked, for what, on which resource (docs of AWS IAM,
// Troubleshoot access denied error messages). A key or a table of another account must allow it by its own policy, too (docs of AWS KMS,
// Allowing users in other accounts to use a KMS key). What S3 itself refused looks alike, of which StoreRefused tells the path.
type ActionRefused struct {
	Role     string // that asked; empty: it is a user
	User     string
	Account  string // its number
	Action   string // "kms:GenerateDataKey"
	Resource string // "key/7c1d…", without what begins each ARN; empty: it is not named
	Owner    string // number of the account whose resource it is; empty: it is the same
}

// Mechanism names it.
func (ActionRefused) Mechanism() cause.ID { return "action-refused" }

var refusedByAWS = lazyregexp.New(`User: arn:aws[\w-]*:(?:sts|iam)::(\d{12}):(?:assumed-role/([\w+=,.@-]{1,64})/\S+|user/(\S+)) ` +
	`is not authorized to perform: ([a-z0-9-]+:[A-Za-z]+)(?: on resource: "?arn:aws[\w-]*:[\w-]*:[\w-]*:(\d*):([^\s"]+))?`)

// RefusedAction reads who was refused what.
func RefusedAction(_ *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "s3-action-denied" || failed.OfMetastore || strings.HasPrefix(known.Groups["action"], "s3:") {
		return cause.Cause{}, false
	}
	for i := range failed.Chain {
		m := refusedByAWS.FindStringSubmatch(failed.Chain[i].Message)
		if m == nil || m[4] != known.Groups["action"] {
			continue
		}
		d := ActionRefused{Account: m[1], Role: m[2], User: m[3], Action: m[4], Resource: strings.TrimRight(m[6], ".,;")}
		if m[5] != "" && m[5] != d.Account {
			d.Owner = m[5]
		}
		return cause.Cause{Class: about.Class, Role: about.Role, Subject: about.Subject, At: about.At, Trust: about.Trust, Detail: d}, true
	}
	return cause.Cause{}, false
}
