package snapshot

type wireCondition struct {
	Type    wireText `json:"type"`
	Status  wireText `json:"status"`
	Since   wireTime `json:"lastTransitionTime"`
	Reason  wireText `json:"reason"`
	Message wireText `json:"message"`
}

// scheduling says why a pending pod has no node, and what the scheduler says about it. A kubelet that has the pod
// reports the condition, too.
func (d *Decoder) scheduling(s *wirePodStatus) (reason, message string) {
	if c := condition(s, "PodScheduled"); c != nil {
		if string(c.Status) != "False" {
			return "", ""
		}
		return d.text(c.Reason), d.message(c.Message)
	}
	if len(s.Containers)+len(s.InitContainers) > 0 {
		return "", ""
	}
	return NoScheduler, ""
}

// unready keeps of a driver where it is, if it is being deleted or runs without being ready. When a node is lost, the node
// controller makes its pods unready and later deletes them, and the phase stays (kubernetes@v1.36.3
// pkg/controller/util/node/controller_utils.go, MarkPodsNotReady; pkg/controller/tainteviction/taint_eviction.go). A kubelet
// makes a pod unready only with its containers, or with a reason (pkg/kubelet/status/generate.go, GeneratePodReadyCondition).
func (d *Decoder) unready(s *wirePodStatus, p *Pod, t *Trouble) {
	if p.Role() != "driver" || string(s.Phase) == "Failed" {
		return
	}
	ready := condition(s, "Ready")
	switch {
	case p.Terminating():
	case string(s.Phase) != "Running" && string(s.Phase) != "Unknown", ready != nil && string(ready.Status) == "True":
		return
	}
	t.Node, t.Reason, t.Disruption = d.text(s.node), d.text(s.Reason), d.disruption(s)
	containers := condition(s, "ContainersReady")
	if ready != nil && string(ready.Status) != "True" && len(ready.Reason) == 0 && containers != nil && string(containers.Status) == "True" {
		t.LostSince = ready.Since.Time
	}
}

// disruption returns who ends a pod that does not end by itself, as the condition says (Kubernetes 1.26 and later).
func (d *Decoder) disruption(s *wirePodStatus) string {
	if c := condition(s, "DisruptionTarget"); c != nil && string(c.Status) == "True" {
		return d.text(c.Reason)
	}
	return ""
}

func condition(s *wirePodStatus, kind string) *wireCondition {
	for i := range s.Conditions {
		if c := &s.Conditions[i]; string(c.Type) == kind {
			return c
		}
	}
	return nil
}
