package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func targetPods() check.Check {
	return check.Check{
		ID: "SD7024", Slug: "target-pods", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "the pods of the target cannot write where they must, or cannot listen on their port",
		Unscoped: true,
		Needs:    []snapshot.Need{{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere}},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			u, in := p.Upgrade, upgrade.Installed(p)
			_, restarts := u.Restarts()
			var a check.Answer
			to := u.Coming()
			switch {
			case to != nil:
			case in == nil:
				a.Unjudged = []string{upgrade.NoOperatorSeen}
				return a
			case restarts:
				return a // values of 1.x do not get to the pods of 2.x
			case !in.Controller.Detailed:
				a.Unjudged = []string{"what the pods of the target may write, since the archive of an older build does not tell"}
				return a
			default:
				to = u.Incoming()
			}
			a.Judged++
			for _, d := range to.Deployments() {
				if f, cannot := cannotWrite(u, to, d); cannot {
					a.Findings = append(a.Findings, f)
				}
				if f, cannot := cannotListen(u, to, d); cannot {
					a.Findings = append(a.Findings, f)
				}
			}
			return a
		},
	}
}

// cannotWrite: spark-submit and the controller write to /tmp, the webhook its certificate. The chart mounts volumes there since 2.1.0,
// when it made the root read-only, unless the values have lists of their own (charts/spark-operator-chart/values.yaml@v2.1.0; #2527).
func cannotWrite(u *check.Upgrade, to *operator.Installation, d *snapshot.Deployment) (check.Finding, bool) {
	c := operator.ContainerOf(d)
	chart, _ := operator.ChartOf(u.To)
	before, _ := operator.ChartOf(u.From)
	if c == nil {
		return check.Finding{}, false
	}
	dir := "/tmp"
	value := "controller"
	so := "every submission fails"
	if d == to.Webhook {
		dir = to.CertificateDirectory()
		value = "webhook"
		so = "the webhook exits when it writes its certificate"
	}
	readOnly := c.ReadOnlyRoot
	if u.Coming() == nil {
		// Own mounts are those of the values, which stay; without any, those of the chart are to come.
		readOnly = chart.RootReadOnly && !before.RootReadOnly && len(c.MountPaths) > 0
	}
	if !readOnly || slices.ContainsFunc(c.MountPaths, func(path string) bool { return covers(path, dir) }) {
		return check.Finding{}, false
	}
	f := ofTarget(u)
	f.Kind = "root"
	f.What = d.Name + " root"
	f.Field = "spec.template.spec.containers[].volumeMounts"
	f.Hop, _ = u.Brings(operator.Since(func(f *operator.Facts) bool { return f.Chart.RootReadOnly }))
	f.Message = fmt.Sprintf("%s of %s will run with a read-only root and no volume at %s: %s", d.Name, u.To, dir, so)
	f.Evidence = []check.Evidence{{Object: d.Ref, Field: f.Field, Value: orNone(strings.Join(c.MountPaths, ", "))}}
	f.Next = []check.Step{{When: check.Before, Do: fmt.Sprintf(
		"add an emptyDir to %s.volumes and mount it at %s in %s.volumeMounts of the values: your lists replace those of the chart",
		value, dir, value)}}
	return f, true
}

// covers reports whether a volume at a path holds a directory, or a part of it: then somebody thought of it.
func covers(path, dir string) bool {
	path = strings.TrimSuffix(path, "/")
	return path == dir || strings.HasPrefix(dir, path+"/") || strings.HasPrefix(path, dir+"/")
}

// cannotListen: see operator.LowPort (#2331).
func cannotListen(u *check.Upgrade, to *operator.Installation, d *snapshot.Deployment) (check.Finding, bool) {
	use, low := to.LowPort(d)
	if !low || u.Coming() == nil && operator.Unprivileged(u.From) {
		return check.Finding{}, false // the installed one does not run either, as a scan says
	}
	f := ofTarget(u)
	hop, _ := u.Brings(operator.Since(func(f *operator.Facts) bool { return f.Unprivileged }))
	f.Kind = "port"
	f.What = d.Name + " port"
	f.Field = "spec.template.spec.containers[].args"
	f.Hop = hop
	f.Certainty = check.Likely // the container runtime may allow it
	f.Message = fmt.Sprintf("%s of %s listens on a port below 1024 and does not run as root: it exits with \"permission denied\", unless the "+
		"container runtime allows such ports", d.Name, u.To)
	f.Evidence = []check.Evidence{{Object: d.Ref, Field: use.Field, Value: use.Value}}
	f.Next = []check.Step{{When: check.Before, Do: "set a port from 1024 on in the values, such as webhook.port=9443"}}
	return f, true
}

// ofTarget starts a finding about the pods to come.
func ofTarget(u *check.Upgrade) check.Finding {
	f := check.Finding{About: check.Named(upgrade.ReleaseRef(u)), Severity: check.Error}
	if u.Coming() == nil {
		f.Certainty = check.Likely // as if the values stayed
	}
	return f
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
