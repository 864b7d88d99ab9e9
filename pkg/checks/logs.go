package checks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// logNeed are the operator's own logs, which are read where the user asks for them. They prove or explain what was found
// otherwise; no check needs them to judge.
func logNeed() snapshot.Need {
	return snapshot.Need{View: snapshot.OperatorLogs, Role: snapshot.Consulted, Scope: snapshot.Everywhere}
}

// logged is one entry of a pod's log.
type logged struct {
	*snapshot.OperatorLog
	snapshot.LogEntry
}

// signs returns the entries with some signs that keep accepts; a nil keep accepts all.
func signs(logs []*snapshot.OperatorLog, keep func(logged) bool, list ...snapshot.Sign) []logged {
	var out []logged
	for _, log := range logs {
		for _, e := range log.Entries {
			if one := (logged{log, e}); slices.Contains(list, e.Sign) && (keep == nil || keep(one)) {
				out = append(out, one)
			}
		}
	}
	return out
}

// every is for what names its subject itself, whoever logged it.
func every(logs []snapshot.OperatorLog) []*snapshot.OperatorLog {
	out := make([]*snapshot.OperatorLog, 0, len(logs))
	for i := range logs {
		out = append(out, &logs[i])
	}
	return out
}

// quoteCalls is what the API server told operators of calls of these webhooks since a time.
func quoteCalls(logs []snapshot.OperatorLog, since time.Time, names ...string) []Evidence {
	return quote(signs(every(logs), func(l logged) bool { return slices.Contains(names, l.About) && l.Last.After(since) }, snapshot.CallFailed))
}

// about keeps entries of webhooks of these names.
func about(names ...string) func(logged) bool {
	return func(l logged) bool { return slices.Contains(names, l.About) }
}

// LogField begins the field of evidence that is a line of a log.
const LogField = "log of container "

// shownLines bounds the entries that are evidence of one finding.
const shownLines = 5

// quote makes evidence of entries.
func quote(list []logged) []Evidence {
	var out []Evidence
	for _, l := range list[:min(len(list), shownLines)] {
		when := second(l.Last)
		if l.Count > 1 {
			when = fmt.Sprintf("%d times from %s to %s", l.Count, second(l.First), when)
		}
		out = append(out, Evidence{Object: l.Ref, Field: LogField + l.Container, Value: when + ": " + l.Text})
	}
	return out
}

// trustedSince is when the API server began to judge an installation by the caBundles that it has now: when the last of
// them was written, and a while for the API server to learn it. known is false where nobody noted that.
func trustedSince(in *operator.Installation, configurations []snapshot.WebhookConfiguration, p Params) (t time.Time, known bool) {
	for i := range configurations {
		c := &configurations[i]
		if len(calls(in, c)) == 0 {
			continue
		}
		written := bundleWritten(c)
		if written.IsZero() {
			return time.Time{}, false
		}
		if written.After(t) {
			t = written
		}
	}
	return t.Add(p.SettleAfter), !t.IsZero()
}

// bundleWritten is when a caBundle of a configuration was last written, zero where nobody noted it.
func bundleWritten(c *snapshot.WebhookConfiguration) time.Time {
	var t time.Time
	for _, m := range c.Managers {
		if m.Path == "f:caBundle" && m.Time.After(t) {
			t = m.Time
		}
	}
	return t
}

// refusals returns the handshakes with an installation's webhook that ended because of its certificate, and what the API
// server said of calls for the same reason, since it judges by the present caBundles. What was refused before is history:
// every restart that makes a certificate leaves some.
func refusals(in *operator.Installation, logs []snapshot.OperatorLog, configurations []snapshot.WebhookConfiguration, p Params) []logged {
	since, known := trustedSince(in, configurations, p)
	if !known {
		return nil
	}
	var names []string
	for i := range configurations {
		for _, k := range calls(in, &configurations[i]) {
			names = append(names, configurations[i].Webhooks[k].Name)
		}
	}
	return signs(in.Logged(logs), func(l logged) bool {
		x509 := l.Sign == snapshot.CallFailed && strings.Contains(l.Text, "x509") && slices.Contains(names, l.About)
		return (x509 || l.Sign == snapshot.CertificateRefused) && l.Last.After(since)
	}, snapshot.CallFailed, snapshot.CertificateRefused)
}
