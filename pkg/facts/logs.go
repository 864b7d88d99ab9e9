package facts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// LogNeed are the operator's own logs, which are read where the user asks for them. They prove or explain what was found
// otherwise; no check needs them to judge.
func LogNeed() snapshot.Need {
	return snapshot.Need{View: snapshot.OperatorLogs, Role: snapshot.Consulted, Scope: snapshot.Everywhere}
}

// Logged is one entry of a pod's log.
type Logged struct {
	*snapshot.OperatorLog
	snapshot.LogEntry
}

// Signs returns the entries with some signs that keep accepts; a nil keep accepts all.
func Signs(logs []*snapshot.OperatorLog, keep func(Logged) bool, list ...snapshot.Sign) []Logged {
	var out []Logged
	for _, log := range logs {
		for _, e := range log.Entries {
			if one := (Logged{log, e}); slices.Contains(list, e.Sign) && (keep == nil || keep(one)) {
				out = append(out, one)
			}
		}
	}
	return out
}

// AllLogs is for what names its subject itself, whoever logged it.
func AllLogs(logs []snapshot.OperatorLog) []*snapshot.OperatorLog {
	out := make([]*snapshot.OperatorLog, 0, len(logs))
	for i := range logs {
		out = append(out, &logs[i])
	}
	return out
}

// QuoteCalls is what the API server told operators of calls of these webhooks since a time.
func QuoteCalls(logs []snapshot.OperatorLog, since time.Time, names ...string) []check.Evidence {
	return Quote(Signs(AllLogs(logs), func(l Logged) bool { return slices.Contains(names, l.About) && l.Last.After(since) },
		snapshot.CallFailed))
}

// LogField begins the field of evidence that is a line of a log.
const LogField = "log of container "

// shownLines bounds the entries that are evidence of one finding.
const shownLines = 5

// Quote makes evidence of entries.
func Quote(list []Logged) []check.Evidence {
	var out []check.Evidence
	for _, l := range list[:min(len(list), shownLines)] {
		when := Timestamp(l.Last)
		if l.Count > 1 {
			when = fmt.Sprintf("%d times from %s to %s", l.Count, Timestamp(l.First), when)
		}
		out = append(out, check.Evidence{Object: l.Ref, Field: LogField + l.Container, Value: when + ": " + l.Text})
	}
	return out
}

// trustedSince is when the API server began to judge an installation by the caBundles that it has now: when the last of
// them was written, and a while for the API server to learn it. known is false where nobody noted that.
func trustedSince(in *operator.Installation, configurations []snapshot.WebhookConfiguration, p check.Params) (t time.Time, known bool) {
	for i := range configurations {
		c := &configurations[i]
		if len(CallsOf(in, c)) == 0 {
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

// Refusals returns the handshakes with an installation's webhook that ended because of its certificate, and what the API
// server said of calls for the same reason, since it judges by the present caBundles. What was refused before is history:
// every restart that makes a certificate leaves some.
func Refusals(in *operator.Installation, logs []snapshot.OperatorLog, configurations []snapshot.WebhookConfiguration,
	p check.Params) []Logged {
	since, known := trustedSince(in, configurations, p)
	if !known {
		return nil
	}
	var names []string
	for i := range configurations {
		for _, k := range CallsOf(in, &configurations[i]) {
			names = append(names, configurations[i].Webhooks[k].Name)
		}
	}
	return Signs(in.Logged(logs), func(l Logged) bool {
		x509 := l.Sign == snapshot.CallFailed && strings.Contains(l.Text, "x509") && slices.Contains(names, l.About)
		return (x509 || l.Sign == snapshot.CertificateRefused) && l.Last.After(since)
	}, snapshot.CallFailed, snapshot.CertificateRefused)
}
