package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func actionRefused(d *mechanism.ActionRefused) Phrase {
	who := "role " + d.Role
	if d.Role == "" {
		who = "user " + d.User
	}
	on := ""
	if d.Resource != "" {
		on = " on " + shortPath(d.Resource, 60)
	}
	says := fmt.Sprintf("AWS refuses %s %s%s", who, d.Action, on)
	action := d.Action
	if action == "kms:GenerateDataKey" {
		action += " and kms:Decrypt" // an upload in parts reads what it has encrypted (docs of AWS KMS, Amazon S3 and KMS)
	}
	do := fmt.Sprintf("allow %s %s on it", who, action)
	if d.Owner != "" {
		says += " of account " + d.Owner
		do += fmt.Sprintf(", and let the policy of the resource in account %s allow it, too: the role is of account %s", d.Owner, d.Account)
	}
	return Phrase{says, []command.Command{command.Do("%s", do)}}
}
