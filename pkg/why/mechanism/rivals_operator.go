package mechanism

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// submittedSince: the operator tries again, and keeps what it recorded of the try that failed until it has more to say.
func submittedSince() Rival {
	return Rival{Rival: cause.Rival{ID: "submitted-since", Is: "a later try was submitted"},
		Stands: func(v *View, _ *cause.Cause) cause.Standing {
			moved := !slices.Contains([]string{"", "SUBMISSION_FAILED", "FAILED", "FAILING", "PENDING_SUBMISSION", "PENDING_RERUN"}, v.State)
			p := v.Driver
			made := p != nil && p.Status.Phase != corev1.PodPending && p.Status.Phase != corev1.PodFailed && !v.Submitted.IsZero() &&
				p.CreationTimestamp.After(v.Submitted)
			return ifSeen(moved || made)
		}}
}

// notInInput: what is not in files, or was not read, is not known to be gone.
func notInInput() Rival {
	return Rival{Rival: cause.Rival{ID: "not-in-input", Is: "the application is there, and only missing from what was read"},
		Stands: func(v *View, _ *cause.Cause) cause.Standing {
			if v.Application == nil && v.mayMiss("sparkapplications") {
				return cause.NotSeen
			}
			return cause.RuledOut
		}}
}

func needsOfOperator() map[cause.ID]Needs {
	guess := func(why string) Needs { return Needs{Guess: why} }
	return map[cause.ID]Needs{
		"submission-refused": {Rivals: []Rival{submittedSince()}, Because: "the operator recorded the words of who refused it"},
		"driver-name-taken": {Rivals: []Rival{submittedSince()},
			Because: "the API server refused it, and the pod of that name was seen to be older than the submission"},
		"submission-failed":      guess("the words of spark-submit are not known"),
		"spark-submit-killed":    guess("who killed spark-submit in the operator's pod was not seen"),
		"spec-half-read":         guess("which part of the spec the operator did not read is not recorded"),
		"operator-cannot-create": {Rivals: []Rival{serverMade()}, Because: "the operator's log has the words of who refused it"},
		"operator-crashes":       guess("that an operator restarts does not say that it missed this application"),
		"operator-refuses":       guess("what the operator says of it may be of an earlier spec"),
		"application-gone":       {Because: "the client that deleted it says so in its own log"},
		"pod-pruned":             {Because: "Argo CD writes into its own status what it pruned"},
		"application-deleted":    {Because: "the API server set the time of the deletion at the application itself"},
		"owner-elsewhere":        {Rivals: []Rival{notInInput()}, Because: "the garbage collector says so in an event"},
		"held-by-finalizers":     {Because: "the API server keeps the pod for the finalizers that stand at it, after its grace period"},
		"schedule-rejected":      {Because: "the operator wrote so into the status of the schedule, and starts no run while it stands there"},
		"no-run":                 {Because: "the schedule itself has not started a run, by its status"},
		"no-new-run":             guess("why a schedule starts no run is not recorded"),
		"spec-changed":           guess("that the spec was changed does not say why"),
		"suspend-ignored":        guess("an operator that is only late looks alike"),
		"deletion-refused":       guess("who refuses a deletion was not seen"),
		"status-unwritten":       guess("an operator that is only late looks alike"),
		"undecodable":            guess("that a spec does not decode is computed, not said by the operator"),
		"others-undecodable":     guess("that another spec does not decode is computed, not said by the operator"),
		"list-undecodable":       guess("whether the operator lists at all was not seen"),
		"namespace-unwatched":    guess("the flags of an operator that was not seen may take the namespace"),
		"service-unnamable":      guess("the refusal itself was not seen"),
		"finding":                guess("what a check finds is not said by who blocks the application"),
	}
}

// serverMade: the operator tries again until it can.
func serverMade() Rival {
	return Rival{Rival: cause.Rival{ID: "made-since", Is: "the operator made it since"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			return ifSeen(v.Driver != nil && v.Driver.CreationTimestamp.After(c.At))
		}}
}

func needsOfServer() map[cause.ID]Needs {
	guess := func(why string) Needs { return Needs{Guess: why} }
	absent := Needs{Rivals: []Rival{serverMade()}, Because: "it is computed from all objects of that kind, which were read"}
	return map[cause.ID]Needs{
		"server-image-unset": {Rivals: []Rival{serverMade()},
			Because: "the spec names no image, and the API server takes no pod without one"},
		"server-account-missing": absent, "server-quota-lacks": guess("the refusal itself was not seen"),
		"server-end-untold":         guess("how the server ended was not seen"),
		"server-entrypoint-missing": guess("an exit code alone does not tell what was not found"),
		"server-class-missing":      guess("an exit code alone does not tell what printed it"),
		"server-unready":            guess("why a server is not ready is not in its status"),
		"server-not-seen":           guess("the server may be there and not in what was read"),
		"server-uncreated":          guess("why the operator does not make the server was not seen"),
		"sidecar-down":              {Because: "the kubelet wrote the state of the sidecar into the status of the pod"},
		"service-missing":           {Because: "it is asked only where all Services were read"},
		"service-port-wrong":        {Because: "the Service itself was seen"},
		"service-selects-others":    {Because: "the Service and the pod were seen"},
	}
}
