package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Unmade is a Secret that an ExternalSecret should have made, and could not: its condition Ready is False, and its last event has the words
// of the store (pkg/controllers/externalsecret/externalsecret_controller.go of external-secrets/external-secrets@v0.17.0: UpdateFailed). An
// ExternalSecret that made another Secret looks alike, and so does one that is ready, whose Secret was deleted since.
type Unmade struct {
	By      snapshot.Ref
	Store   string // "SecretStore vault"
	Says    string // by the store, or by the controller
	Refused bool   // the store refused who asked
}

var (
	storeRefuses = lazyregexp.New(`(?i)\bpermission denied\b|\bAccessDenied|\bnot authorized\b|\bCode: 40[13]\b|\bForbidden\b|PermissionDenied|` +
		`status code: 40[13]\b`)
	// what Vault answers, by its client (api/response.go of hashicorp/vault@api/v1.16.0)
	ofVault = lazyregexp.New(`URL: (\w+ \S+) Code: (\d+)\. (?:Errors: |Raw Message: )(?:\* )?(?:\d+ errors? occurred: )?(?:\* )?(.+)$`)
	spaces  = lazyregexp.New(`\s+`)
)

// unmadeBy is what should have made an object that does not exist.
func unmadeBy(v *View, absent *Absent) (Unmade, []cause.Proof) {
	at := slices.IndexFunc(v.External, func(e app.External) bool { return e.Secret == absent.Name })
	if absent.Kind != "Secret" || absent.Key != "" || at < 0 || v.External[at].Ready.Status != "False" {
		return Unmade{}, nil
	}
	one := &v.External[at]
	d := Unmade{By: one.Ref, Store: one.Store, Says: one.Ready.Message}
	proofs := []cause.Proof{{Object: one.Ref, Field: "status.conditions[Ready]", Value: stated(one.Ready.Reason, one.Ready.Message)}}
	if events := v.eventsOn("ExternalSecret", one.Name, "UpdateFailed"); len(events) > 0 {
		last := &events[len(events)-1]
		d.Says = storeSays(last.Message)
		proofs = append(proofs, cause.Proof{Object: one.Ref, Field: "event " + last.Reason, Value: d.Says, At: last.Last})
	}
	d.Refused = storeRefuses.MatchString(d.Says)
	return d, proofs
}

// storeSays is a message in one line, without what begins each.
func storeSays(message string) string {
	text := strings.TrimSpace(spaces.ReplaceAllString(message, " "))
	if m := ofVault.FindStringSubmatch(text); m != nil {
		return "Vault answers " + m[2] + " " + m[3] + " to " + m[1]
	}
	if _, of, is := strings.Cut(text, ", err: "); is {
		text = of
	}
	return text
}
