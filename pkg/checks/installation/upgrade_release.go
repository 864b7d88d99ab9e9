package installation

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// release reports the state of the Helm release. Only gate --helm-release reads it.
func (u unfinished) release() (check.Finding, bool) {
	up := u.p.Upgrade
	if up == nil || up.Release == nil || up.Installation == nil || up.Installation.Controller.Key() != u.in.Controller.Key() {
		return check.Finding{}, false
	}
	r := up.Release
	// pkg/storage/storage.go, makeKey, of helm.sh/helm/v3@v3.22.0.
	secret := snapshot.Ref{APIVersion: "v1", Kind: "Secret", Namespace: r.Namespace}
	secret.Name = fmt.Sprintf("sh.helm.release.v1.%s.v%d", r.Name, r.Revision)
	f := check.Finding{
		About: check.Of(u.in.Controller), Field: "metadata.annotations",
		Related: []snapshot.Ref{secret},
		Evidence: []check.Evidence{
			{Object: secret, Field: "info.status", Value: r.Status}, {Object: secret, Field: "history", Value: historyOf(up)},
		},
	}
	refusal, refused := r.Refuses()
	switch {
	case refused:
		f.Severity, f.Kind = check.Error, releaseRefused
		f.Brief = fmt.Sprintf("Helm refuses to upgrade release %s: revision %d is %s", r.Name, r.Revision, r.Status)
		f.Message = fmt.Sprintf("Helm will refuse to upgrade release %s, whose revision %d is %s: %q", r.Name, r.Revision, r.Status, refusal)
	case r.Status == "failed":
		f.Severity, f.Kind = check.Warning, releaseFailed
		f.Brief = fmt.Sprintf("the last upgrade of release %s failed", r.Name)
		f.Message = fmt.Sprintf("revision %d of release %s failed: its objects may be of that revision or of the one before", r.Revision, r.Name)
	default:
		return check.Finding{}, false
	}
	last := r.LastDeployed()
	u.recover(&f, last)
	if last > 0 {
		f.Message += fmt.Sprintf("; revision %d was deployed last", last)
		f.Saw(secret, "revision deployed last", fmt.Sprint(last))
	}
	return f, true
}

// shownRevisions is how many of a history are quoted.
const shownRevisions = 5

func historyOf(u *check.Upgrade) string {
	list := u.Release.History[max(0, len(u.Release.History)-shownRevisions):]
	out := make([]string, 0, len(list))
	for _, one := range list {
		out = append(out, fmt.Sprintf("%d %s", one.Number, one.Status))
	}
	return strings.Join(out, ", ")
}

// recover looks before it rolls back, since Helm may still be at work. GitOps tools retry on their own.
func (u unfinished) recover(f *check.Finding, last int) {
	r := command.InstallerOf(u.in)
	f.Then(command.Do("see which revision failed or is pending, and since when").With("helm history %s -n %s", r.Name, r.Namespace))
	switch {
	case r.GitOps() != "":
		f.Then(command.Do("see what %s says of its last sync, and sync again", r.GitOps()))
	case last > 0:
		f.Then(command.Do("if no helm command is running, roll back to the revision that was deployed last").
			With("helm rollback %s %s -n %s --timeout 5m", r.Name, fmt.Sprint(last), r.Namespace))
	case f.Kind == releaseRefused:
		f.Then(command.Do("if no helm command is running, repeat the install: no revision is deployed, so there is " +
			"nothing to roll back to"))
	default:
		f.Then(command.Do("find out why it failed, and run helm upgrade again"))
	}
}
