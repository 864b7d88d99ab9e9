package checks

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// restart is the wish to roll over the webhook of an installation. Only 2.x makes one certificate for all replicas when
// it starts; in chart 1.4.x each makes its own, every time.
func restart(in *operator.Installation, now time.Time) fix.Restart {
	return fix.Restart{Deployment: in.Webhook.Ref, At: now, Lease: in.WebhookLease()}
}

// healBundle is the wish for a caBundle that is wrong, by how the release fills it.
func (j *bundleJudge) healBundle(c *snapshot.WebhookConfiguration, wrong []string) []fix.Intent {
	switch j.use {
	case operator.ReadAtStart, operator.CheckedAtStart:
		return []fix.Intent{fix.ReassertBundle{Configuration: c.Ref, At: j.now, Else: restart(j.in, j.now)}}
	case operator.MountedFiles:
		if j.secret == nil || slices.Contains(j.use.Pair(j.secret).Empty, "ca-cert.pem") {
			return nil
		}
		return []fix.Intent{fix.PatchBundle{Configuration: c.Ref, Webhooks: wrong, Secret: j.secret.Ref, Key: "ca-cert.pem"}}
	default:
		return nil // cert-manager fills it, or every replica has a CA of its own
	}
}

// remake is the wish for a Secret that cannot be served: 2.x makes a new one when it starts and finds none. Since 2.2.0 it
// also replaces one that will soon end (pkg/certificate/certificate.go@v2.2.0, #2489), so then a restart is enough.
func remake(in *operator.Installation, secret *snapshot.WebhookSecret, severity Severity, now time.Time) []fix.Intent {
	again := restart(in, now)
	switch use := in.CertificateUse(); {
	case use == operator.CheckedAtStart && severity < Error:
		return []fix.Intent{again}
	case use == operator.CheckedAtStart || use == operator.ReadAtStart:
		return []fix.Intent{fix.DeleteObject{Object: secret.Ref, Why: "the webhook makes a new one when it starts and finds none", Turn: fix.Certificate}, again}
	default:
		return nil
	}
}

// strip is the wish to keep an object whose owner the garbage collector does not find.
func strip(o *snapshot.Object, ref snapshot.OwnerReference, home string, owners snapshot.Ownership) []fix.Intent {
	return []fix.Intent{fix.StripOwner{
		Dependent: o.Ref, Home: home,
		Owner: snapshot.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: ownerNamespace(owners, o, ref), Name: ref.Name, UID: ref.UID},
	}}
}

// minOrphanAge is how old a finished pod must be before it is deleted: somebody may be about to read its log.
const minOrphanAge = time.Hour

// deletePods is the wish to delete pods that nobody manages. Finished ones must have been there for an hour; a running
// driver takes its executors along, which it owns.
func deletePods(g *group, absent []snapshot.Ref, why string, now time.Time) []fix.Intent {
	var out []fix.Intent
	for _, pod := range g.pods {
		one := fix.DeleteObject{Object: pod.Ref, Why: why, Absent: absent, Turn: fix.Removal, Running: pod.Alive()}
		if !pod.Alive() {
			one.MadeBefore = now.Add(-minOrphanAge)
			if pod.Created.After(one.MadeBefore) {
				continue
			}
		}
		out = append(out, one)
		if pod.Alive() && pod.Role() == driverRole {
			break
		}
	}
	return out
}

// release are the wishes to remove the finalizers of an application or a driver. What the control plane removes by
// itself is blocked by something else.
func (b *blockers) release(o *snapshot.Object) []fix.Intent {
	driver := o.Kind == "Pod" && o.Labels.Get(snapshot.RoleLabel) == driverRole
	if o.Group() != snapshot.SparkGroup && !driver {
		return nil
	}
	var app snapshot.Ref
	if name := o.Labels.Get(snapshot.AppNameLabel); driver && name != "" {
		app = snapshot.Ref{APIVersion: snapshot.SparkGroup + "/v1beta2", Kind: "SparkApplication", Namespace: o.Namespace, Name: name}
	}
	var out []fix.Intent
	for _, name := range o.Finalizers() {
		out = append(out, fix.RemoveFinalizer{Object: o.Ref, Name: name, App: app, Proof: b.noController(name)})
	}
	return out
}

// noController returns why no controller will ever remove a finalizer, or nothing if one may. A controller need not run
// in a Deployment of this cluster, so not finding one proves nothing; but what no release ever removes is known.
func (b *blockers) noController(name string) string {
	known, ok := operator.FinalizerNamed(name)
	builds := slices.ContainsFunc(b.installations, func(in operator.Installation) bool { return !in.Recognised })
	if !ok || !known.Orphan || !b.deploymentsSeen || builds {
		return ""
	}
	return "finalizer " + name + " was set by " + known.SetBy + ", no released controller removes it, and every operator in the cluster is a release"
}
