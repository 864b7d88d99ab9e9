package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// firstCauseWords are about what came before the failure that a log ends with.
func firstCauseWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.QuotaKeepsSlots:
		return quotaKeepsSlots(&d), true
	case mechanism.TokenUnrenewed:
		return tokenUnrenewed(&d), true
	default:
		return Phrase{}, false
	}
}

func quotaKeepsSlots(d *mechanism.QuotaKeepsSlots) Phrase {
	fewer := "let the stage use as many workers as executors fit"
	if d.Slots > 0 {
		fewer = fmt.Sprintf("let the stage use the %d slots that there are instead of %d", d.Has, d.Slots)
	}
	raise := "free or raise quota " + d.Quota
	if !d.Needs.IsZero() {
		raise = fmt.Sprintf("raise %s of quota %s from %s to %s", d.Resource, d.Quota, d.Limited.String(), d.Needs.String())
	}
	said := d.Said
	if d.Resource != "" {
		said = fmt.Sprintf("%s: %s of %s used, %s each", d.Resource, d.Used.String(), d.Limited.String(), d.Asks.String())
	}
	return Phrase{Says: fmt.Sprintf("ResourceQuota %s has no room for more executors (%s)", d.Quota, said),
		Do: []command.Command{command.Do("%s, or %s: more executor.instances do not help", raise, fewer)}}
}

func tokenUnrenewed(d *mechanism.TokenUnrenewed) Phrase {
	if d.Failed == nil {
		return Phrase{Do: []command.Command{command.Do("find why the driver did not renew it, though it has a principal and a keytab: its " +
			"log says \"Failed to get token\" or \"Scheduling renewal\"")}}
	}
	why := ""
	if said := throwable(d.Failed.Said); said != "" {
		why = " (" + logs.Shortened(sentence(said), 90) + ")"
	}
	return Phrase{Says: fmt.Sprintf("Spark got no new delegation token from %s%s and does not try again", d.Failed.Service, why),
		Do: []command.Command{command.Do("submit it again, so that a new driver gets a new token; restartPolicy.type Always or OnFailure does " +
			"so by itself")}}
}
