package snapshot

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

// The views of one application, which a case file is made of. They are read for it alone: no check needs them. Each holds objects in
// full, and of no more of them than concern an application that was asked for; from files, those of its namespace and the nodes.
const (
	WholeApplications       View = "sparkapplications in full"
	WholeSchedules          View = "scheduledsparkapplications in full"
	WholeConnects           View = "sparkconnects in full"
	WholePods               View = "pods of applications in full"
	WholeNeighbors          View = "pods beside those of applications" // what they hold of their nodes
	WholeEvents             View = "events about applications"
	WholeNodes              View = "nodes in full"
	WholeQuotas             View = "resourcequotas in full"
	WholeLimitRanges        View = "limitranges in full"
	WholeClaims             View = "persistentvolumeclaims in full"
	WholeAccounts           View = "serviceaccounts in full"
	WholeConfigMaps         View = "names of configmaps"
	WholeSecrets            View = "names of secrets"   // of files: a server is never asked for them
	WholeDaemonSets         View = "daemonsets in full" // of files, too: those that register drivers of volumes on nodes
	WholeCSINodes           View = "csinodes in full"
	WholeWorkflows          View = "workflows.argoproj.io in full" // what their steps wait for
	WholeServices           View = "services in full"
	WholeNetworkPolicies    View = "networkpolicies in full"
	WholeWorkloads          View = "workloads.kueue.x-k8s.io in full"
	WholeVolcanoPodGroups   View = "podgroups.scheduling.volcano.sh in full"
	WholeVolcanoQueues      View = "queues.scheduling.volcano.sh in full"
	WholeLocalQueues        View = "localqueues.kueue.x-k8s.io in full"
	WholeClusterQueues      View = "clusterqueues.kueue.x-k8s.io in full"
	WholeCertificates       View = "certificates.cert-manager.io in full"
	WholeCertRequests       View = "certificaterequests.cert-manager.io in full"
	WholeExternalSecrets    View = "externalsecrets.external-secrets.io in full" // of files, as all that follow up to the pod groups
	WholeNodePools          View = "nodepools.karpenter.sh in full"              // what Karpenter may add
	WholeArgoApplications   View = "applications.argoproj.io in full"            // what Argo CD applied last
	WholeSchedulerPodGroups View = "podgroups.scheduling.x-k8s.io in full"
	WholeApacheApplications View = "sparkapplications.spark.apache.org in full" // of the Apache Spark Kubernetes Operator
	WholeApacheClusters     View = "sparkclusters.spark.apache.org in full"

	// ApplicationLogs are read of pods of such applications.
	ApplicationLogs View = "logs of applications"
)

// Whole is an object in full, as JSON values, without what is secret: the form in which it is kept. Package whole makes it, and reads what
// it says of other objects; what it says of an application, package why/app decodes.
type Whole struct {
	Object
	Fields map[string]any
}

// PodLog is what was read of the log of one container of a pod: its beginning and its end.
type PodLog struct {
	Object    // the pod
	Container string
	Previous  bool    // of the container before the last restart
	Head      LogText // empty where Tail is everything
	Tail      LogText
	Dropped   int // bytes between the two that are not kept; -1: some, nobody knows how many
	clean     bool
}

// LogOf returns the record of a container's log, clean: many logs are cleaned side by side before they are added to a snapshot.
func LogOf(pod Ref, container string, previous bool, head, tail string, dropped int) *PodLog {
	pod.APIVersion, pod.Kind = "v1", "Pod"
	return &PodLog{Object: Object{Ref: pod}, Container: container, Previous: previous, Head: PlainLog(head), Tail: PlainLog(tail),
		Dropped: dropped, clean: true}
}

// LogText is lines of a log. They are cleaned one by one.
type LogText string

// wholeKinds are the rows of these views.
func wholeKinds() []kind {
	of := func(v View, group, version, resource, kindName string) kind {
		return row[Whole](noOwner, Source{View: v, Group: group, Version: version, Resource: resource, Kind: kindName, Encoding: JSON,
			Namespaced: !slices.Contains([]string{"Node", "CSINode", "Queue", "ClusterQueue", "NodePool"}, kindName)})
	}
	events := of(WholeEvents, "", "v1", "events", "Event")
	events.AlsoIn = EventsGroup
	apache := func(v View, resource, kindName string) kind {
		k := of(v, ApacheGroup, "v1", resource, kindName)
		k.Older = olderApache()
		k.PageBytes = 16 << 10
		return k
	}
	return []kind{
		of(WholeApplications, SparkGroup, "v1beta2", "sparkapplications", "SparkApplication"),
		of(WholeSchedules, SparkGroup, "v1beta2", "scheduledsparkapplications", "ScheduledSparkApplication"),
		of(WholeConnects, SparkGroup, "v1alpha1", "sparkconnects", "SparkConnect"),
		of(WholePods, "", "v1", "pods", "Pod"),
		of(WholeNeighbors, "", "v1", "pods", "Pod"),
		events,
		of(WholeNodes, "", "v1", "nodes", "Node"),
		of(WholeQuotas, "", "v1", "resourcequotas", "ResourceQuota"),
		of(WholeLimitRanges, "", "v1", "limitranges", "LimitRange"),
		of(WholeClaims, "", "v1", "persistentvolumeclaims", "PersistentVolumeClaim"),
		of(WholeAccounts, "", "v1", "serviceaccounts", "ServiceAccount"),
		of(WholeConfigMaps, "", "v1", "configmaps", "ConfigMap"),
		of(WholeSecrets, "", "v1", "secrets", "Secret"),
		of(WholeDaemonSets, "apps", "v1", "daemonsets", "DaemonSet"),
		of(WholeCSINodes, "storage.k8s.io", "v1", "csinodes", "CSINode"),
		of(WholeWorkflows, "argoproj.io", "v1alpha1", "workflows", "Workflow"),
		of(WholeServices, "", "v1", "services", "Service"),
		of(WholeNetworkPolicies, "networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy"),
		of(WholeWorkloads, "kueue.x-k8s.io", "", "workloads", "Workload"),
		of(WholeLocalQueues, "kueue.x-k8s.io", "", "localqueues", "LocalQueue"),
		of(WholeClusterQueues, "kueue.x-k8s.io", "", "clusterqueues", "ClusterQueue"),
		of(WholeCertificates, "cert-manager.io", "v1", "certificates", "Certificate"),
		of(WholeCertRequests, "cert-manager.io", "v1", "certificaterequests", "CertificateRequest"),
		of(WholeVolcanoPodGroups, "scheduling.volcano.sh", "", "podgroups", "PodGroup"),
		of(WholeVolcanoQueues, "scheduling.volcano.sh", "", "queues", "Queue"),
		of(WholeExternalSecrets, "external-secrets.io", "", "externalsecrets", "ExternalSecret"),
		of(WholeNodePools, "karpenter.sh", "", "nodepools", "NodePool"),
		of(WholeArgoApplications, "argoproj.io", "v1alpha1", "applications", "Application"),
		of(WholeSchedulerPodGroups, "scheduling.x-k8s.io", "", "podgroups", "PodGroup"),
		apache(WholeApacheApplications, "sparkapplications", "SparkApplication"),
		apache(WholeApacheClusters, "sparkclusters", "SparkCluster"),
		row[PodLog](noOwner, Source{View: ApplicationLogs}),
	}
}

// olderApache are the versions of before v1. Each release up to 0.9 serves those that it knows: v1alpha1 alone up to 0.2, v1beta1 from 0.3,
// and v1 from 0.5; 1.0 leaves v1alpha1 out. What is read of an object is the same in all: the classes of spec and status did not change
// from 0.1 to 0.3, and v1 only has more fields (apache/spark-kubernetes-operator spark-operator-api/src/main/java/org/apache/spark/k8s/
// operator/Constants.java@v0.1.0, and build-tools/helm/spark-kubernetes-operator/crds/sparkapplications.spark.apache.org-v1.yaml@0.3.0,
// @0.5.0 and @1.0.0).
func olderApache() []string { return []string{"v1beta1", "v1alpha1"} }

// ApacheViews are those of the Apache Spark Kubernetes Operator.
func ApacheViews() []View { return []View{WholeApacheApplications, WholeApacheClusters} }

// ServedInFull lists the views of objects in full that a server is asked for.
func ServedInFull() []Source {
	return slices.DeleteFunc(WholeSources(), func(s Source) bool {
		return slices.Contains([]View{WholeSecrets, WholeDaemonSets, WholeExternalSecrets, WholeNodePools, WholeArgoApplications}, s.View)
	})
}

// WholeSources lists the views of objects in full.
func WholeSources() []Source {
	return slices.DeleteFunc(sourcesOf(wholeKinds()), func(s Source) bool { return s.Kind == "" })
}

// InFull returns the objects of one of these views.
func (s *Snapshot) InFull(v View) []Whole { return read[Whole](s, v) }

// ApplicationLogs returns what was read of logs.
func (s *Snapshot) ApplicationLogs() []PodLog { return read[PodLog](s, ApplicationLogs) }

// PlainLog returns a log as it may be kept and shown: valid UTF-8 without secrets, control characters, colors, and characters that turn
// the direction of writing. A carriage return, by which programs write over a line, ends it.
func PlainLog(text string) LogText {
	text = strings.ToValidUTF8(text, "\ufffd")
	if strings.IndexFunc(text, hidden) >= 0 {
		text = visible(text)
	}
	return LogText(redact.Log(text))
}

func hidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

func visible(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\x1b':
			size = sequence(text[i:])
		case r == '\r':
			if i+1 < len(text) && text[i+1] != '\n' {
				out = append(out, '\n')
			}
		case !hidden(r):
			out = append(out, text[i:i+size]...)
		}
		i += size
	}
	return string(out)
}

// sequence returns how long the escape sequence is that a text begins with (ECMA-48, 5.4: ESC [, parameters, a final byte).
func sequence(text string) int {
	if len(text) < 2 || text[1] != '[' {
		return 1
	}
	for i := 2; i < len(text); i++ {
		if text[i] >= 0x40 && text[i] <= 0x7e {
			return i + 1
		}
		if text[i] < 0x20 || text[i] > 0x3f {
			return i
		}
	}
	return len(text)
}
