package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// claimUse is the claim behind a volume, after what was said of that.
func claimUse(u *mechanism.ClaimUse) string {
	if u.Name == "" {
		return ""
	}
	out := "; it is claim " + u.Name
	if modes := accessModes(u); modes != "" {
		out += " (" + modes + ")"
	}
	if u.Users > 1 {
		out += fmt.Sprintf(", which %d pods of the application mount", u.Users)
	}
	return out
}

func accessModes(u *mechanism.ClaimUse) string {
	modes := make([]string, 0, len(u.Modes))
	for _, mode := range u.Modes {
		modes = append(modes, string(mode))
	}
	return strings.Join(modes, ", ")
}

func unmountedNext(c *cause.Cause, u *mechanism.ClaimUse) []command.Command {
	if u.Name == "" {
		return []command.Command{repairVolume(c)}
	}
	return []command.Command{repairVolume(c), command.Do("look at claim %s", u.Name).On("describe", claim(c, u.Name))}
}

// heldElsewhere is about a claim that one node may have at a time, and another one has.
func heldElsewhere(role cause.Role, begin string, c *cause.Cause, u *mechanism.ClaimUse) Phrase {
	is := "may be attached to one node only"
	if modes := accessModes(u); modes != "" {
		is = "is " + modes
	}
	waits := "the node of the driver cannot attach it"
	if role == cause.ExecutorRole {
		waits = "executors on other nodes cannot mount it"
	}
	attached := fmt.Sprintf("claim %s %s and attached to %s, so %s (Multi-Attach error)", u.Name, is, holdsClaim(&u.By), waits)
	return Phrase{Says: begin + attached,
		Do: heldNext(role, c, u)}
}

// holdsClaim is the node that has a claim, and whose pod uses it there.
func holdsClaim(h *mechanism.ClaimHolder) string {
	node := "the node"
	if h.Node != "" {
		node = "node " + h.Node
	}
	switch {
	case h.Pod == "":
		return "another node, where no pod uses it any more"
	case h.Role == cause.DriverRole:
		return "the driver's node" + behind(" ", h.Node)
	case h.Role == cause.ExecutorRole && h.Executor != "":
		return fmt.Sprintf("%s of executor %s", node, h.Executor)
	default:
		return fmt.Sprintf("%s of pod %s", node, h.Pod)
	}
}

// heldNext is how pods on several nodes get at what a claim holds. One of their own, as OnDemand gives each executor, is empty: it does for
// what Spark writes for itself (docs/running-on-kubernetes.md@v3.5.5, Using Kubernetes Volumes).
func heldNext(role cause.Role, c *cause.Cause, u *mechanism.ClaimUse) []command.Command {
	own := u.By.Role != ""
	switch {
	case u.By.Pod == "":
		return []command.Command{command.Do("see which node still has the volume: Kubernetes detaches it when that node has unmounted it, or " +
			"6 minutes after the node is lost; taint a lost node with node.kubernetes.io/out-of-service:NoExecute").
			With("kubectl get volumeattachments")}
	case !own:
		return []command.Command{command.Do("end pod %s or wait for its end; to run both at once, use a claim with ReadWriteMany instead of %s",
			u.By.Pod, u.Name).With("kubectl -n %s get pod %s", c.Subject.Namespace, u.By.Pod)}
	case role == cause.ExecutorRole && u.Scratch:
		return []command.Command{command.Do("give each executor a claim of its own for its local directory (claimName OnDemand) instead of %s",
			u.Name)}
	}
	do := []command.Command{command.Do("copy the data to a claim with ReadOnlyMany or ReadWriteMany and mount that instead of %s (its "+
		"storage class has to allow it), or read it from an object store", u.Name)}
	if role == cause.ExecutorRole && !u.Shared {
		do = append(do, command.Do("if executors keep only scratch data there, give each a claim of its own (claimName OnDemand)"))
	}
	return do
}
