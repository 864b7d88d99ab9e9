package mechanism

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apimachinery/pkg/util/validation"
	helpers "k8s.io/component-helpers/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// takenUp is how long the operator may take to get to a new SparkConnect.
const takenUp = 2 * time.Minute

// unmade is about a SparkConnect of which the operator has not made all parts: its ConfigMap, then the server pod, then the Service, and
// only then its status. An error ends it before the status, and is in the operator's log alone: there are no events (Reconcile in
// internal/controller/sparkconnect/reconciler.go@v2.5.2, #2790, #2967).
func unmade(v *View) []cause.Cause {
	a := v.Application
	if a == nil || a.GetDeletionTimestamp() != nil || v.Driver != nil && v.State != "" {
		return nil
	}
	if v.Driver != nil {
		if out := v.withoutService(); len(out) > 0 {
			return out
		}
	}
	if c, said := v.operatorSaid(); said {
		return []cause.Cause{c}
	}
	age := v.Now.Sub(a.GetCreationTimestamp().Time)
	if age < takenUp && v.Driver == nil {
		return []cause.Cause{{Class: cause.RunningNormally, Certainty: check.Likely, Trust: cause.ByOperator, Subject: v.AppRef(),
			Message: fmt.Sprintf("created %s ago; the operator has not got to it", duration.HumanDuration(age))}}
	}
	if v.Driver == nil && v.State != "" && (v.Partial == nil || v.Partial("pods")) {
		return []cause.Cause{v.notSeen()}
	}
	if v.Driver != nil {
		return nil
	}
	out := v.refusedServer()
	if len(out) == 0 {
		out = append(out, v.nothingSaid(age))
	}
	return out
}

// notSeen is about a server whose pod the input does not hold.
func (v *View) notSeen() cause.Cause {
	return cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Effect: true, Trust: cause.ByOperator, Subject: v.AppRef(),
		At:       v.Since,
		Message:  fmt.Sprintf("%s by its status, and its server pod %s was not seen", v.State, v.serverName()),
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.state", Value: v.State}},
		Next: []command.Command{command.Do("add the pods of the namespace").
			With("kubectl -n %s get pods -l sparkoperator.k8s.io/connect-name=%s -o yaml", v.AppRef().Namespace, v.AppRef().Name)}}
}

func (v *View) serverName() string {
	return cmp.Or(v.text("status", "server", "podName"), v.AppRef().Name+serverSuffix)
}

// operatorSaid is what the log of the operator says of it.
func (v *View) operatorSaid() (cause.Cause, bool) {
	if len(v.OperatorSaid) == 0 {
		return cause.Cause{}, false
	}
	said := v.OperatorSaid[len(v.OperatorSaid)-1]
	if said.At.Before(v.Application.GetCreationTimestamp().Time) {
		return cause.Cause{}, false // about another one of the name
	}
	c := cause.Cause{Class: cause.Submission, Trust: cause.ByOperator, Subject: v.AppRef(), At: said.At,
		Evidence: []cause.Proof{{Object: said.Pod, Field: "log " + said.Container, Value: said.Text, At: said.At}}}
	text := strings.TrimRight(strings.ReplaceAll(said.Text, `\"`, `"`), `}"`)
	if _, rest, found := strings.Cut(text, "failed to create or update "); found {
		text = rest
	}
	what, why, _ := strings.Cut(text, ": ")
	if r, known := NewMessages().Refused(why); known {
		c.Class, c.Message = r.Class, fmt.Sprintf("the operator cannot create the %s: %s", what,
			strings.ReplaceAll(sentence(r.Says), "the driver", "the server"))
		c.Next = []command.Command{command.Do("%s", r.Next)}
		return c, true
	}
	c.Certainty = check.Likely
	c.Message = fmt.Sprintf("the operator cannot create the %s: %s", what, sentence(why))
	c.Next = []command.Command{command.Do("correct what the operator's log names")}
	return c, true
}

// withoutService is about a server whose pod is there, and whose status the operator does not write: it fails at the Service.
func (v *View) withoutService() []cause.Cause {
	said, is := v.operatorSaid()
	if !is && v.Now.Sub(v.Driver.CreationTimestamp.Time) < takenUp {
		return nil
	}
	name := v.serviceName()
	if slices.ContainsFunc(v.Services, func(s corev1.Service) bool { return s.Name == name }) {
		return nil
	}
	c := cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Trust: cause.ByEnvironment, Subject: v.AppRef(),
		Evidence: append([]cause.Proof{{Object: v.AppRef(), Field: "status.state", Value: "not set"}}, said.Evidence...)}
	errs := validation.IsDNS1035Label(name)
	switch {
	case name == "":
		c.Message = "the operator cannot create the Service: spec.server.service has no metadata.name"
		c.Next = []command.Command{command.Do("name the Service in spec.server.service.metadata.name, or remove spec.server.service")}
	case len(errs) > 0:
		c.Message = fmt.Sprintf("the operator cannot create the Service: the API server takes no Service of the name %q (%s)", name, errs[0])
		c.Next = []command.Command{command.Do("create the SparkConnect again under a name that starts with a letter and uses only a-z, 0-9 and " +
			"'-' (max 56)")}
	default:
		return nil
	}
	c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: "the Service", Value: name})
	return []cause.Cause{c}
}

// refusedServer computes why the server pod cannot be created.
func (v *View) refusedServer() []cause.Cause {
	if c, lacks := v.withoutImage(); lacks {
		return []cause.Cause{c}
	}
	p := v.planned()
	if name := p.Spec.ServiceAccountName; name != "" && name != "default" && v.Partial != nil && !v.Partial("serviceaccounts") &&
		!slices.ContainsFunc(v.ServiceAccounts, func(a corev1.ServiceAccount) bool { return a.Name == name }) {
		return []cause.Cause{{Class: cause.Configuration, Trust: cause.ByEnvironment, Subject: v.AppRef(),
			Message: fmt.Sprintf("service account %s does not exist in namespace %s, so the API server refuses the server pod", name,
				v.AppRef().Namespace),
			Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.server.template.spec.serviceAccountName", Value: name}},
			Next: []command.Command{command.Do("create service account %s, or name one that exists in spec.server.template", name).
				With("kubectl -n %s get serviceaccounts", v.AppRef().Namespace)}}}
	}
	if c, lacks := v.quotaLacks(p); lacks {
		return []cause.Cause{c}
	}
	return nil
}

// withoutImage is about a spec that names no image (mutateServerPod in reconciler.go and imageOption in options.go,
// internal/controller/sparkconnect@v2.5.2). Since 2.5.0 the webhook refuses most of these.
func (v *View) withoutImage() (cause.Cause, bool) {
	if v.text("spec", "image") != "" {
		return cause.Cause{}, false
	}
	if image, _ := v.serverContainer()["image"].(string); image != "" {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: cause.Configuration, Trust: cause.BySpec, Subject: v.AppRef(),
		Message:  "the operator creates no server pod because the spec names no image for it",
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.image", Value: "not set"}},
		Next: []command.Command{
			command.Do("set spec.image, or the image of container spark-kubernetes-driver in spec.server.template")}}, true
}

// planned is the server pod that the spec asks for.
func (v *View) planned() *corev1.Pod {
	p := &corev1.Pod{}
	template, _, _ := unstructured.NestedMap(v.Application.Object, "spec", "server", "template")
	// What does not decode asks for nothing that is known.
	if runtime.DefaultUnstructuredConverter.FromUnstructured(template, p) != nil {
		p = &corev1.Pod{}
	}
	p.Spec.ServiceAccountName = cmp.Or(p.Spec.ServiceAccountName, p.Spec.DeprecatedServiceAccount)
	if len(p.Spec.Containers) == 0 {
		p.Spec.Containers = []corev1.Container{{Name: "spark-kubernetes-driver"}}
	}
	return p
}

// quotaLacks computes whether a quota has no room for a pod, or counts what the pod does not set and nothing sets for it: then the API
// server refuses it (kubernetes.io/docs/concepts/policy/resource-quotas).
func (v *View) quotaLacks(p *corev1.Pod) (cause.Cause, bool) {
	requests, limits := helpers.PodRequests(p, helpers.PodResourcesOptions{}), helpers.PodLimits(p, helpers.PodResourcesOptions{})
	for i := range v.Quotas {
		q := &v.Quotas[i]
		if len(q.Spec.Scopes) > 0 || q.Spec.ScopeSelector != nil {
			continue // whether it counts this pod is not known
		}
		ref := snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name, UID: string(q.UID)}
		for _, name := range sortedNames(q.Status.Hard) {
			hard, used := q.Status.Hard[name], q.Status.Used[name]
			c := cause.Cause{Class: cause.Quota, Certainty: check.Likely, Trust: cause.ByEnvironment, Subject: ref,
				Evidence: []cause.Proof{{Object: ref, Field: "status.hard[" + string(name) + "]", Value: hard.String()},
					{Object: ref, Field: "status.used[" + string(name) + "]", Value: used.String()}}}
			want, counted, sets := counts(name, requests, limits)
			if !counted {
				continue
			}
			if !sets {
				if v.defaulted(name) {
					continue
				}
				c.Message = fmt.Sprintf("ResourceQuota %s counts %s, which the server's container does not set, so the API server refuses the "+
					"server pod (must specify %s)", q.Name, name, name)
				c.Next = []command.Command{command.Do("set %s of the container in spec.server.template", resourceField(name))}
				return c, true
			}
			left := hard.DeepCopy()
			left.Sub(used)
			if left.Cmp(want) >= 0 {
				continue
			}
			c.Message = fmt.Sprintf("ResourceQuota %s has no room for the server pod: it asks for %s of %s, and %s of %s are used", q.Name,
				want.String(), name, used.String(), hard.String())
			c.Next = []command.Command{command.Do("free quota %s, raise it, or lower the resources of the container in spec.server.template",
				q.Name).On("describe", ref)}
			return c, true
		}
	}
	return cause.Cause{}, false
}

// nothingSaid is about a server pod that is not there for a reason that only the operator knows.
func (v *View) nothingSaid(age time.Duration) cause.Cause {
	c := cause.Cause{Class: cause.Unknown, Certainty: check.Likely, Effect: true, Trust: cause.ByOperator, Subject: v.AppRef(),
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.state", Value: cmp.Or(v.State, "not set")}}}
	conf := v.AppRef().Name + "-conf"
	taken := slices.Contains(v.ConfigMaps, conf)
	switch {
	case taken:
		c.Message = fmt.Sprintf("the operator took it up, because its ConfigMap %s exists, but does not create server pod %s", conf,
			v.serverName())
		c.Evidence = append(c.Evidence, cause.Proof{Object: snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: v.AppRef().Namespace,
			Name: conf}, Field: "metadata.name", Value: conf})
	case v.State == "":
		c.Message = fmt.Sprintf("the operator has not written a status for %s: it does not watch namespace %s, is down, or fails at it",
			duration.HumanDuration(age), v.AppRef().Namespace)
	default:
		c.Message = fmt.Sprintf("server pod %s is gone, and the operator does not create it again", v.serverName())
	}
	c.Next = []command.Command{scanConnect(v)}
	for i := range v.Operator {
		p := &v.Operator[i]
		c.Next = append([]command.Command{command.Do("read in the operator's log why: a SparkConnect gets no events").
			With("kubectl -n %s logs %s --since=1h", p.Namespace, p.Name)}, c.Next...)
		break
	}
	return c
}
