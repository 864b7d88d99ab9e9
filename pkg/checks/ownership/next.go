package ownership

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// What is known of an object that the garbage collector spoke of.
const (
	stillThere check.Kind = "still there"
	replaced   check.Kind = "replaced"
)

// What keeps a finalizer.
const (
	blockedBy check.Kind = "blocked"
	atWork    check.Kind = "controller is there"
)

func crossNamespaceNext(f *check.Finding, _ *check.Context) []check.Command {
	return []check.Command{f.Repair("remove the ownerReference to " + ownerOf(f) + ", so that the object stays")}
}

// ownerOf is the owner of a finding about one, as a reference names it.
func ownerOf(f *check.Finding) string {
	kind, name, _ := strings.Cut(f.What, "/")
	return kind + " " + name
}

// ownerMissingNext: the garbage collector stands still while the API server cannot discover all kinds, which an aggregated API that is
// down is enough for (kubernetes pkg/controller/garbagecollector/garbagecollector.go, Sync).
func ownerMissingNext(f *check.Finding, _ *check.Context) []check.Command {
	stalled := command.Do("see whether an API service is unavailable, which stops the garbage collector").With("kubectl get apiservices")
	switch {
	case f.Apps:
		return []check.Command{stalled}
	case len(f.Fixes) > 0:
		return []check.Command{f.Repair("remove the ownerReference to " + ownerOf(f) + ", if the object is to stay")}
	case len(f.Absent) == 0: // its kind is not served
		return []check.Command{stalled, command.Do("delete the %s, if its owner is gone for good", f.Object.Kind).On("delete", f.Object)}
	default:
		return []check.Command{stalled}
	}
}

func deletedNext(f *check.Finding, _ *check.Context) []check.Command {
	owner := ownerOf(f)
	switch f.Fault {
	case stillThere:
		return []check.Command{command.Do("see whether it still refers to %s", owner).
			On("get", f.Object, "-o jsonpath={.metadata.ownerReferences}")}
	case replaced:
		return []check.Command{command.Do("see that the new one does not refer to %s", owner).
			On("get", f.Object, "-o jsonpath={.metadata.ownerReferences}")}
	default:
		return []check.Command{command.Do("submit it again without the ownerReference to %s", owner)}
	}
}

func workflowNext(f *check.Finding, _ *check.Context) []check.Command {
	name, rest, _ := strings.Cut(f.What, "/")
	_, namespace, _ := strings.Cut(rest, "/")
	c := command.Do("drop setOwnerReference from template %s, or run the workflow in namespace %s", name, namespace)
	if f.Object.Kind != "Workflow" { // one that was submitted keeps its templates
		c = c.On("edit", f.Object)
	}
	return []check.Command{c}
}

// stuckNext: a finalizer is removed last, when nothing else can be repaired and its controller is gone for good.
func stuckNext(f *check.Finding, _ *check.Context) []check.Command {
	var out []check.Command
	switch {
	case f.Fault == blockedBy && len(f.Related) == 0: // its name
		return []check.Command{command.Do("switch the validating webhook off, remove the finalizer, and "+
			"switch it on again: it refuses every update").
			On("get", f.Object, "-o jsonpath={.metadata.finalizers}")}
	case f.Fault == blockedBy && strings.HasSuffix(f.Related[0].Kind, "WebhookConfiguration"):
		return []check.Command{command.Do("repair the webhook, which must admit the removal of the finalizer").
			With("kubectl sparkdoctor scan --checks %s", "SD1002")}
	case f.Fault == blockedBy:
		return []check.Command{command.Do("see what blocks the deletion of %s %s first", f.Related[0].Kind, f.Related[0].Name).
			On("describe", f.Related[0])}
	case f.Fault == atWork:
		return []check.Command{command.Do("read the events that its controller wrote").
			With("kubectl -n %s events --for %s", f.Object.Namespace, command.Type(f.Object)+"/"+f.Object.Name)}
	}
	for _, intent := range f.Fixes {
		one, is := intent.(fix.RemoveFinalizer)
		switch {
		case !is:
		case one.Proof != "":
			out = append(out, f.Repair("remove finalizer "+one.Name+", which no controller will"))
		case !command.ForShell(one.Name):
		default:
			out = append(out, f.Repair("remove finalizer "+one.Name+", once its controller is gone for good", "--finalizer "+one.Name))
		}
	}
	look := command.Do("see which controller set the finalizer").On("get", f.Object, "-o yaml --show-managed-fields")
	if len(out) == 1 && !strings.Contains(out[0].Line, "--finalizer") {
		return out
	}
	return append([]check.Command{look}, out...)
}

func driverOwnerNext(f *check.Finding, _ *check.Context) []check.Command {
	if len(f.Fixes) > 0 {
		return []check.Command{f.Repair("add the ownerReference to SparkApplication " + f.App)}
	}
	return []check.Command{command.Do("delete the pod yourself if the operator is down when SparkApplication %s is deleted", f.App)}
}
