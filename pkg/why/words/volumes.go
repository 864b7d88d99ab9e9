package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// volumeWords are about pods that wait for what their volumes are made of, for a volume, or for their sandbox.
func (t Terms) volumeWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.VolumeWanted:
		return volumeWanted(c, &d), true
	case mechanism.NoFreeVolume:
		return Phrase{Says: fmt.Sprintf("%s cannot be scheduled: no node has a free volume, or can get one, for PersistentVolumeClaim %s, which "+
			"asks for %s of storage class %q", who(d.Waiting), d.Claim, d.Asks.String(), d.Class),
			Do: []command.Command{command.Do("add a PersistentVolume of class %s, or name a class that provisions volumes", d.Class).
				On("describe", claim(c, d.Claim))}}, true
	case mechanism.VolumesFull:
		return t.volumesFull(&d), true
	case mechanism.ClaimMissing:
		return Phrase{Says: fmt.Sprintf("%s cannot be scheduled: PersistentVolumeClaim %q does not exist in namespace %s (not found)",
			who(d.Waiting), d.Claim, c.Subject.Namespace),
			Do: []command.Command{command.Do("create PersistentVolumeClaim %s, or correct its name in the spec", d.Claim).
				With("kubectl -n %s get persistentvolumeclaim", c.Subject.Namespace)}}, true
	case mechanism.ClaimUnbound:
		return claimUnbound(c, &d), true
	case mechanism.ConfigMapUnmade:
		return Phrase{Says: fmt.Sprintf("%s%s: spark-submit ended before it made ConfigMap %q, which it makes right after the pod",
			who(d.Waiting), cannot(d.Waiting), d.Name),
			Do: []command.Command{command.Do("delete the pod, which never starts, and submit again").On("delete", c.Subject)}}, true
	case mechanism.ObjectMissing:
		return objectMissing(c, &d), true
	case mechanism.VolumeUnmounted:
		return volumeUnmounted(c, &d), true
	case mechanism.SandboxUnmade:
		return sandboxUnmade(&d), true
	default:
		return Phrase{}, false
	}
}

func claim(c *cause.Cause, name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: c.Subject.Namespace, Name: name}
}

func volumeWanted(c *cause.Cause, d *mechanism.VolumeWanted) Phrase {
	says := who(d.Waiting) + " cannot be scheduled for want of a volume: " + sentence(d.Text)
	if len(d.Claims) > 0 {
		says += "; its claims: " + strings.Join(d.Claims, ", ")
	}
	return Phrase{Says: says, Do: []command.Command{command.Do("see why the claims of the pod are not bound").With("kubectl -n %s describe "+
		"persistentvolumeclaim", c.Subject.Namespace)}}
}

func (t Terms) volumesFull(d *mechanism.VolumesFull) Phrase {
	says := fmt.Sprintf("%s: the %s would take it have as many volumes attached as they can", pendingFor(d.Waiting),
		phrase.Counted(d.Nodes, "node")+" that")
	if d.Nodes == 1 {
		says = pendingFor(d.Waiting) + ": the 1 node that would take it has as many volumes attached as it can"
	}
	if l := d.Limit; l.Driver != "" {
		each := fmt.Sprint(l.Most)
		if l.Least < l.Most {
			each = fmt.Sprintf("%d to %d", l.Least, l.Most)
		}
		says += fmt.Sprintf(" (%s: %s each)", l.Driver, each)
	}
	const fewer = "run fewer, larger executors, or add nodes"
	switch own := d.OnDemand; {
	case d.Who.Role != cause.ExecutorRole:
		return Phrase{Says: says + claimsOf(d), Do: []command.Command{command.Do("add nodes, or use a machine type that attaches more volumes")}}
	case own.Scratch:
		return Phrase{Says: says + ", and each executor has a claim of its own (OnDemand)",
			Do: []command.Command{command.Do("give executors an emptyDir for %s instead of a claim, %s", own.Volume, fewer),
				command.Do("for an emptyDir, remove %s*", own.Settings)}}
	case own.Volume != "":
		return Phrase{Says: says + ", and each executor has a claim of its own (OnDemand)", Do: []command.Command{command.Do("%s", fewer)}}
	default:
		return Phrase{Says: says + claimsOf(d), Do: []command.Command{command.Do("%s", fewer)}}
	}
}

func claimsOf(d *mechanism.VolumesFull) string {
	if d.Claims == 0 {
		return ""
	}
	return ", and " + asks(d.Waiting) + phrase.Counted(d.Claims, "claim")
}

func claimUnbound(c *cause.Cause, d *mechanism.ClaimUnbound) Phrase {
	why := asks(d.Waiting) + fmt.Sprintf("storage class %q", d.Class)
	if d.Tells {
		why = sentence(d.Said)
	}
	next := command.Do("bind the claim: create the storage class that it names, or name one that exists")
	if d.Failed {
		next = command.Do("resolve the error that the provisioner reports for claim %s", d.Claim)
	}
	if d.Absent.Node != "" {
		why, next = driverAbsent(&d.Absent)
		return Phrase{Says: fmt.Sprintf("%s cannot be scheduled: %s; PersistentVolumeClaim %s is %s%s", who(d.Waiting), why, d.Claim, d.Phase,
			lasting(d.Since)), Do: []command.Command{next}}
	}
	return Phrase{Says: fmt.Sprintf("%s cannot be scheduled: PersistentVolumeClaim %s is %s (unbound)%s: %s", who(d.Waiting), d.Claim,
		d.Phase, lasting(d.Since), why), Do: []command.Command{next.On("describe", claim(c, d.Claim))}}
}

func objectMissing(c *cause.Cause, d *mechanism.ObjectMissing) Phrase {
	begin := who(d.Waiting) + cannot(d.Waiting) + ": "
	if d.Awaited {
		return Phrase{Says: begin + fmt.Sprintf("it waits for %s %s, which most likely does not exist or lacks a key", d.Absent.Kind,
			d.Absent.Name), Do: []command.Command{repairVolume(c)}}
	}
	if d.Unmade.By.Name != "" {
		return secretUnmade(begin, d)
	}
	return Phrase{Says: begin + missing(c, d.Absent, d.Has, d.Said), Do: []command.Command{absentNext(c, d.Absent, d.Has)}}
}

// secretUnmade is about a Secret that an ExternalSecret has not made.
func secretUnmade(begin string, d *mechanism.ObjectMissing) Phrase {
	u := &d.Unmade
	says := fmt.Sprintf("%sSecret %s was not made, since ExternalSecret %s cannot sync it", begin, d.Absent.Name, u.By.Name)
	do := "see what keeps ExternalSecret %s from its store%s"
	store := ""
	if u.Store != "" {
		store = " (" + u.Store + ")"
	}
	if u.Refused {
		do = "let the role of ExternalSecret %s's store%s read the key that the event names, or correct spec.data in it; the pod starts once " +
			"the Secret is there"
	}
	return Phrase{Says: says + ": " + sentence(u.Says), Do: []command.Command{command.Do(do, u.By.Name, store).On("describe", u.By)}}
}

func repairVolume(c *cause.Cause) command.Command {
	return command.Do("repair the volume that the event names").On("describe", c.Subject)
}

func volumeUnmounted(c *cause.Cause, d *mechanism.VolumeUnmounted) Phrase {
	begin := who(d.Waiting) + cannot(d.Waiting) + ": "
	switch d.Fault {
	case mechanism.NoMountProgram:
		return Phrase{Says: begin + fmt.Sprintf("the node has no program to mount %s; the kubelet says: %s", d.FileSystem, sentence(d.Said)),
			Do: []command.Command{command.Do("install the mount helper for %s on the nodes (for nfs: nfs-common or nfs-utils)", d.FileSystem)}}
	case mechanism.MountRefused:
		return Phrase{Says: begin + "access was refused to what a volume is made of: " + sentence(d.Said),
			Do: []command.Command{command.Do("grant the identity of service account %s what the volume reads", d.Account)}}
	case mechanism.NoNodeDriver:
		return noNodeDriver(begin, &d.Driver)
	case mechanism.HeldElsewhere:
		return heldElsewhere(d.Who.Role, begin, c, &d.Claim)
	default:
		return Phrase{Says: begin + "a volume cannot be mounted: " + sentence(d.Said) + claimUse(&d.Claim), Do: unmountedNext(c, &d.Claim)}
	}
}
