// Package app holds what is known of one application at one moment: the application, its schedule and what stands for it in a queue as
// typed values, its pods and what surrounds them as the types of Kubernetes, all without secrets, and the logs of its containers.
//
// decode.go and decode_apache.go alone read JSON. A value of another type than its field has is absent, and what stands beside it is read:
// an object that no API server would take still tells what it tells. What these values say by themselves is asked here, such as how many
// executors the spec asks for; what follows from them for the current run, package mechanism derives. Nothing here concludes, or makes
// sentences.
package app

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// Evidence is what a case file is made of. Lists are sorted: pods by creation, events and findings by time, all others by name.
type Evidence struct {
	Now     time.Time
	Dated   bool         // Now is the latest time of objects in files: logs may go on after it
	Subject snapshot.Ref // the application that was asked for; a Pod where no custom resource owns it
	// Namesake has the name that was asked for, too, and is of the Apache Spark Kubernetes Operator; nil: nothing is, or the user chose.
	Namesake *snapshot.Ref

	// Application is a SparkApplication or SparkConnect, whichever the subject is or leads to; nil: there is none, or none any more.
	Application *Application
	// Apache is the subject, or what its pod belongs to, where the Apache Spark Kubernetes Operator runs it; nil: it does not.
	Apache   *Apache
	Schedule *Schedule // ScheduledSparkApplication that was asked for, or that owns the application
	// Newest is the newest run of the schedule that was asked for, where Application is an earlier one that failed.
	Newest *Application
	// Earlier is the run of the same schedule before Application; nil: there is none, or none any more.
	Earlier *Application
	// Recovered is the name of the last run that failed, where Application is the newest one since the schedule recovered; empty: it is not.
	Recovered string

	Pods []corev1.Pod // of all runs of the application that still exist, without values of environment variables
	// Neighbors hold room on the nodes of Nodes, or of Quotas, or are beside Pods and ended a container; only name, application, node, phase,
	// creation, resources, and how containers ended.
	Neighbors []corev1.Pod
	// Beside are the other SparkApplications of the namespace whose driver may run, where a quota counts what they hold, by name.
	Beside []*Application
	// Located are the other SparkApplications that run and name locations, by namespace and name: of this namespace, and of the same name.
	Located []Located
	// Awaits are the steps of Argo Workflows that wait for the application.
	Awaits []Awaits
	// Counted are the nodes whose pods are all in Pods or Neighbors: only of these is the free room known.
	Counted  map[string]bool
	Operator []corev1.Pod // of the operator's controller, in which spark-submit runs; without values of environment variables
	Webhook  []corev1.Pod // of the operator's webhook, where the same files hold them; without values of environment variables
	// Deleted is what logs tell of the application where it is gone; nil: none does.
	Deleted *Deleted
	// Undecodable is a value of the application's pod templates that the operator cannot decode; nil: none was found.
	Undecodable *snapshot.Undecodable
	// Broken are the first other applications that the operator cannot decode.
	Broken []Broken
	// Elsewhere are the operators that were seen, where the flags of none take the application's namespace; nil: one does, or may.
	Elsewhere []*operator.Installation
	Events    []Event // about these objects, Normal ones too
	// Reserves are events about pods of the namespace that may be placeholders of YuniKorn.
	Reserves []Event
	// LostWith are the nodes with which pods were lost that are gone, by pod: the only one that was not ready then.
	LostWith map[string]string
	Nodes    []corev1.Node
	// DaemonSets and CSINodes are those of files: which drivers of volumes should run on nodes, and which do.
	DaemonSets []appsv1.DaemonSet
	CSINodes   []storagev1.CSINode

	Quotas          []corev1.ResourceQuota
	LimitRanges     []corev1.LimitRange
	Claims          []corev1.PersistentVolumeClaim
	ServiceAccounts []corev1.ServiceAccount
	Access          *spark.Access // what the roles and bindings that were seen let service accounts do; nil: no binding was seen
	ConfigMaps      []Keyed
	Secrets         []Keyed // of files: a cluster is not asked for them
	Services        []corev1.Service
	NetworkPolicies []networkingv1.NetworkPolicy
	// Peers are whom pods of the application may have connected to, where policies of its namespace may have been in the way.
	Peers   []Peer
	Servers []Server // Services of something else than Spark
	Queued  []Queued
	Queues  []Queue // of Volcano
	// ClusterQueues are those of Kueue; of a cluster, those of the application's own queues.
	ClusterQueues []ClusterQueue

	Logs []Log
	// Signatures are a team's own, for what no built-in one explains; nil: there are none.
	Signatures *catalog.Set
	// OperatorSaid are lines of the operator's log about a SparkConnect that it cannot make, or errors about an application, oldest first:
	// nothing else tells of these.
	OperatorSaid []Said
	// RunsDenied are lines of the operator's log about runs of the schedule that it could not create, oldest first.
	RunsDenied []Said
	// External are the ExternalSecrets of the namespace, Pools the NodePools of Karpenter, both of files.
	External []External
	Pools    []Pool
	// Deployed is what Argo CD applied, of which the application is a part, the last time last; zero: that was not seen.
	Deployed Deployed
	Pruned   []Pruned // pods of the namespace that Argo CD deleted
	// CelebornExcludes are the workers that a master of Celeborn excludes which refused a shuffle of the application.
	CelebornExcludes []CelebornWorker
	// Proxied are lines of an ingress controller that speaks HTTP/1 to the server of a SparkConnect.
	Proxied []Said
	// Commits are those of others to Delta tables, by their logs, where the application failed at one of its own.
	Commits    []Commit
	Standalone Standalone // of the application of the driver that was asked for
	// WebhookSkips says why the operator's webhook does not see pods of the namespace; nil: it does, or may.
	WebhookSkips *WebhookSkip
	// Trusts are the webhooks that were seen, and whose certificates the API server trusts when it calls them.
	Trusts []Trusted
	// Certificates are those of cert-manager; of a cluster, that of a webhook whose clients did not trust it.
	Certificates []Issued
	// HandshakesRefused are lines of the operator's webhook by which the API server does not trust its certificate, oldest first.
	HandshakesRefused []Handshakes
	Findings          []check.Reported // of all checks, about this application and its platform

	// Unseen is what could not be read, and why: then nothing follows from its absence.
	Unseen []snapshot.Unseen
	// Reader is who read, as the API server knows the user, where something was forbidden; empty: nothing was, or nobody knows.
	Reader string
	// Partial says of a resource ("pods", "events") whether objects may exist that are not here: files, a refused read. What is
	// missing from it is not known to be absent.
	Partial func(resource string) bool
}

// Broken is an application that does not decode.
type Broken struct {
	Object snapshot.Ref
	Text   string // "spec.arguments is a string, which does not belong there"
}

// Event is an event of either API group, in the form of the core group. A series counts once.
type Event struct {
	Type, Reason, Message string
	Source                string // component: kubelet, default-scheduler, spark-operator
	Kubelet               string // node whose kubelet wrote it; empty: another component did, or it does not say
	Involved              snapshot.Ref
	Count                 int
	First, Last           time.Time
}

// Text is what an event says, with how often it was seen, where that is more than once.
func (e *Event) Text() string {
	if e.Count < 2 {
		return e.Message
	}
	return fmt.Sprintf("%s (%d times)", e.Message, e.Count)
}

// Said is a line of the log of a pod of the operator.
type Said struct {
	Pod       snapshot.Ref
	Container string
	Text      string
	At        time.Time
	// Forbidden says that its service account may not do what it needs, Unlisted that it cannot decode one of the applications that it lists.
	Forbidden, Unlisted bool
}

// Log is what was read of the log of one container: its beginning and its end.
type Log struct {
	Namespace, Pod, Container string
	Previous                  bool   // of the container before the last restart
	Head                      string // at most the first 256 KiB; empty where Tail is everything
	Tail                      string // at most the last 4 MiB
	Dropped                   int64  // bytes between the two that were not read; -1: some, nobody knows how many
	Role                      string // driver, executor, or empty
}
