package mechanism

import (
	"path"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// BuiltForOther is a program that the node of its pod cannot run, since it was built for another CPU: that of the image, or one that a
// process of it starts. Where the same ran elsewhere, those nodes tell for which it was built. A script without an interpreter gives the
// same error (ENOEXEC, execve(2)) on nodes of every architecture.
type BuiltForOther struct {
	Role    cause.Role
	Program string // that a process starts; empty: the entrypoint of the image
	Image   string // without a Program
	Archive string // that the program comes from; empty: not known
	Node    string
	Arch    string // of the node, as its label says it: arm64
	Runs    string // that of the nodes where it ran; empty: not seen
	Other   string // the only other one of nodes that were seen; empty: there is none, or several
}

// Mechanism names it.
func (BuiltForOther) Mechanism() cause.ID { return "built-for-other" }

// ForOtherCPU compares the node on which a program could not run with those on which it did.
func ForOtherCPU(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	role, pod := actingPod(v, about, &failed)
	if !is || !about.Topics.Has(cause.OtherCPU) || pod == nil || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	node, arch := v.Architecture(pod.Spec.NodeName)
	if arch == "" {
		return cause.Cause{}, false
	}
	d := BuiltForOther{Role: role, Program: known.Groups["program"], Node: pod.Spec.NodeName, Arch: arch, Other: v.otherArchitecture(arch)}
	witnesses := ranImage(v, pod)
	if d.Program != "" {
		d.Archive = archiveOf(v, d.Program)
		witnesses = finishedStage(v, &failed)
	} else {
		d.Image = app.MainImage(pod)
	}
	proofs := []cause.Proof{{Object: node, Field: archLabel, Value: arch}}
	other, runs := v.ranElsewhere(witnesses, arch)
	if runs == arch {
		return cause.Cause{}, false // it runs on such a node
	}
	if d.Runs = runs; runs != "" {
		proofs = append(proofs, cause.Proof{Object: other, Field: archLabel, Value: runs})
	}
	return cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: role, Subject: about.Subject, At: about.At, Trust: about.Trust,
		Detail: d, Evidence: proofs}, true
}

// otherArchitecture is the only architecture beside one that nodes have which were seen; empty: none, or several.
func (v *View) otherArchitecture(arch string) string {
	other := ""
	for i := range v.Nodes {
		switch _, has := v.Architecture(v.Nodes[i].Name); {
		case has == "" || has == arch || has == other:
		case other != "":
			return ""
		default:
			other = has
		}
	}
	return other
}

const archLabel = "metadata.labels[" + corev1.LabelArchStable + "]"

// ranElsewhere is the architecture of the nodes of pods, and one of these nodes; that of the failure where one of them has it; empty: it is
// not known.
func (v *View) ranElsewhere(pods []*corev1.Pod, failure string) (node snapshot.Ref, arch string) {
	for _, p := range pods {
		switch at, has := v.Architecture(p.Spec.NodeName); {
		case has == failure:
			return at, has
		case arch == "":
			node, arch = at, has
		}
	}
	return node, arch
}

// UnstartedOnOther is the same of a container that the runtime could not start, as its status says.
func UnstartedOnOther(v *View, c *cause.Cause) (BuiltForOther, bool) {
	var fault StartFault
	switch d := c.Detail.(type) {
	case StartFailed:
		fault = d.Fault
	case ExecutorsUnstarted:
		fault = d.Fault
	}
	pod := v.Pod(c.Subject.Name)
	if fault != WrongArchitecture || pod == nil {
		return BuiltForOther{}, false
	}
	_, arch := v.Architecture(pod.Spec.NodeName)
	_, runs := v.ranElsewhere(ranImage(v, pod), arch)
	return BuiltForOther{Role: c.Role, Image: app.MainImage(pod), Node: pod.Spec.NodeName, Arch: arch, Runs: runs,
			Other: v.otherArchitecture(arch)},
		arch != "" && runs != arch
}

// ranImage are the other pods of the application whose processes started from the same image: their logs have more to say than that, or
// their containers run.
func ranImage(v *View, failed *corev1.Pod) (out []*corev1.Pod) {
	for i := range v.Pods {
		p := &v.Pods[i]
		if p.Name == failed.Name || app.MainImage(p) != app.MainImage(failed) {
			continue
		}
		s := app.Container(p)
		ran := s != nil && s.State.Running != nil
		for k := range v.Logs {
			l := &v.Logs[k]
			text := l.Head + l.Tail
			ofIt := l.Pod == p.Name && l.Namespace == p.Namespace && l.Container == app.MainName(p)
			ran = ran || ofIt && strings.TrimSpace(text) != "" && !strings.Contains(text, wrongArchitecture)
		}
		if ran {
			out = append(out, p)
		}
	}
	return out
}

// core/src/main/scala/org/apache/spark/scheduler/TaskSetManager.scala@v3.5.5
var finishedOn = lazyregexp.New(`Finished task \S+ in stage (\d+)\.\d+ [^\n]{0,200}\(executor (\d+)\)`)

// finishedStage are the pods of executors that finished tasks of the stage whose task failed: each of those starts the same program.
func finishedStage(v *View, failed *logs.Failure) (out []*corev1.Pod) {
	if failed.Attempts.Times == 0 {
		return nil
	}
	of, seen := strconv.Itoa(failed.Attempts.Stage), map[string]bool{}
	for _, m := range allInDriverLogs(v, finishedOn) {
		if m[1] == of {
			seen[m[2]] = true
		}
	}
	for _, p := range v.Executors {
		if seen[executorID(v, p.Name)] {
			out = append(out, p)
		}
	}
	return out
}

// archiveOf is the archive that is unpacked as the folder of a program.
func archiveOf(v *View, program string) string {
	m := inFolder.FindStringSubmatch(program)
	if m == nil {
		return ""
	}
	field, set := archives(v)
	for _, one := range slices.Concat(field, set) {
		if one.folder() == m[1] {
			return path.Base(one.File)
		}
	}
	return ""
}
