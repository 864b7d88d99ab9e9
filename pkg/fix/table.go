package fix

import (
	"reflect"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// rule is what one kind of intent may write, whoever states the intent: a check, a plan file or a record.
type rule struct {
	intent Intent               // zero, of its kind
	name   string               // of the intent in a plan
	target string               // the intent's field in a plan that names the object it writes
	kinds  []snapshot.GroupKind // of that object
	write  Write
	fields []field // that a step may change; none of a delete
	hold   []Path  // what a step must find unchanged besides
	undo   Undo
}

// Write is the kind of request that the steps of an intent send; the zero value patches the object itself.
type Write struct {
	Subresource string
	Delete      bool
}

// Kinds as kubectl names them: kind, then group.
const (
	applications       = "SparkApplication." + snapshot.SparkGroup
	schedules          = "ScheduledSparkApplication." + snapshot.SparkGroup
	connects           = "SparkConnect." + snapshot.SparkGroup
	mutatingWebhooks   = "MutatingWebhookConfiguration.admissionregistration.k8s.io"
	validatingWebhooks = "ValidatingWebhookConfiguration.admissionregistration.k8s.io"
)

func kinds(names ...string) []snapshot.GroupKind {
	out := make([]snapshot.GroupKind, 0, len(names))
	for _, name := range names {
		kind, group, _ := strings.Cut(name, ".")
		out = append(out, snapshot.GroupKind{Group: group, Kind: kind})
	}
	return out
}

// table is all that sparkdoctor writes. Reading a plan or a record, resolving an intent and sending a step all ask it, so
// that a file cannot have anything written that no check would. The spec of an application is in no row: writing it makes
// the operator stop the job and submit it again (internal/controller/sparkapplication/event_filter.go@v2.5.2).
func table() []rule {
	ownerReference := Path{"metadata", "ownerReferences", "[uid=*]"}
	webhook := "[name=*." + snapshot.SparkGroup + "]" // pkg/webhook/webhook.go@spark-operator-chart-1.1.0, and every release since
	return []rule{
		{
			intent: AddOwner{}, name: "addOwner", target: "pod", kinds: kinds("Pod"), undo: exact(),
			fields: []field{{path: ownerReference, from: absent, to: ownerApplication}},
		},
		{
			intent: DeleteObject{}, name: "deleteObject", target: "object", write: Write{Delete: true},
			kinds: kinds("Pod", "Secret", "Service", "Ingress.networking.k8s.io", "ConfigMap",
				mutatingWebhooks, validatingWebhooks, applications),
			undo: noUndo("a deleted object is gone"),
		},
		{
			intent: DropAnnotation{}, name: "dropAnnotation", target: "object", kinds: kinds(applications),
			fields: []field{{path: Path{"metadata", "annotations", LastAppliedAnnotation}, from: text, to: absent, hidden: true}},
			undo:   noUndo("the annotation may quote secrets of the manifest, so its value is not kept"),
		},
		{
			intent: Touch{}, name: "kick", target: "application", kinds: kinds(applications),
			fields: []field{{path: Path{"metadata", "annotations", TouchedAtAnnotation}, from: anything, to: timestamp}},
			undo:   noUndo("what the operator does cannot be taken back"),
		},
		{
			intent: PatchBundle{}, name: "patchBundle", target: "configuration",
			kinds: kinds(mutatingWebhooks, validatingWebhooks), undo: exact(),
			fields: []field{{path: Path{"webhooks", webhook, "clientConfig", "caBundle"}, from: base64OrAbsent, to: base64Text}},
		},
		{
			intent: PruneExecutorState{}, name: "pruneExecutorState", target: "application", kinds: kinds(applications), undo: exact(),
			write:  Write{Subresource: "status"},
			fields: []field{{path: Path{"status", "executorState", "*"}, from: endedExecutor, to: absent}},
			hold:   []Path{{"status", "submissionID"}},
		},
		{
			intent: ReassertBundle{}, name: "reassertBundle", target: "configuration", kinds: kinds(mutatingWebhooks, validatingWebhooks),
			fields: []field{{path: Path{"metadata", "annotations", ReassertedAtAnnotation}, from: anything, to: timestamp}},
			undo:   noUndo("the operator writes caBundle, and would write the same again"),
		},
		{
			intent: RemoveFinalizer{}, name: "removeFinalizer", target: "object", kinds: kinds(applications, schedules, connects, "Pod"),
			fields: []field{{path: Path{"metadata", "finalizers", "[=*]"}, from: removableFinalizer, to: absent}},
			undo:   noUndo("without its last finalizer the object is gone"),
		},
		{
			intent: Restart{}, name: "restart", target: "deployment", kinds: kinds("Deployment.apps"),
			fields: []field{{
				path: Path{"spec", "template", "metadata", "annotations", RestartedAtAnnotation}, from: anything, to: timestamp,
			}},
			undo: noUndo("a restart has nothing to restore"),
		},
		{
			intent: SetFailurePolicy{}, name: "setFailurePolicy", target: "configuration", kinds: kinds(mutatingWebhooks), undo: exact(),
			fields: []field{{path: Path{"webhooks", webhook, "failurePolicy"}, from: exactly("Ignore"), to: exactly("Fail")}},
		},
		{
			intent: StripOwner{}, name: "stripOwner", target: "dependent",
			kinds: kinds(applications, schedules, connects, "Pod", "Service", "Ingress.networking.k8s.io", "ConfigMap",
				"PersistentVolumeClaim", "PodGroup.scheduling.volcano.sh", "PodGroup.scheduling.x-k8s.io"),
			fields: []field{
				{path: ownerReference, from: ownerWithUID, to: absent},
				{path: Path{"metadata", "annotations", FormerOwnerAnnotation}, from: anything, to: text},
			},
			undo: noUndo("with the reference the garbage collector would delete the object"),
		},
	}
}

// ruleOf returns the row of an intent. A Restore writes what another row may write, the other way round, if that row says
// that its undo is exact.
func ruleOf(i Intent) (rule, bool) {
	if back, ok := i.(Restore); ok {
		r, known := ruleNamed(back.Of)
		return r.reversed(), known && r.undo.Exact
	}
	return rowOf(i)
}

// rowOf returns the row of the table with an intent of this type.
func rowOf(i Intent) (rule, bool) {
	return row(func(r rule) bool { return reflect.TypeOf(r.intent) == reflect.TypeOf(i) })
}

func ruleNamed(name string) (rule, bool) { return row(func(r rule) bool { return r.name == name }) }

func row(is func(rule) bool) (rule, bool) {
	list := table()
	at := slices.IndexFunc(list, is)
	if at < 0 {
		return rule{}, false
	}
	return list[at], true
}

// reversed is what taking back may write. That is not taken back in turn: a fix looks before it writes, a record does not.
func (r rule) reversed() rule {
	fields := make([]field, 0, len(r.fields))
	for _, f := range r.fields {
		fields = append(fields, field{path: f.path, from: f.to, to: f.from, hidden: f.hidden})
	}
	return rule{
		intent: Restore{}, name: "restore", target: "object", kinds: r.kinds, write: r.write, fields: fields, hold: r.hold,
		undo: noUndo("fix repairs it again, and looks before it does"),
	}
}

// WriteOf returns which request the steps of an intent send.
func WriteOf(i Intent) Write {
	r, _ := ruleOf(i)
	return r.write
}

// KindsOf returns the kinds of objects that an intent may write.
func KindsOf(i Intent) []snapshot.GroupKind {
	r, _ := ruleOf(i)
	return r.kinds
}

// UndoOf returns whether what an intent writes can be taken back.
func UndoOf(i Intent) Undo {
	r, _ := ruleOf(i)
	return r.undo
}
