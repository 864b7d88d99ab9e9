package words

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// relations has the words for what explains or completes another cause. It is a clause of a sentence that the other one begins.
func (t Terms) relations(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.PolicyBlocks:
		return t.policyBlocks(c, &d), true
	case mechanism.DriverNotReady:
		why := "False " + d.Reason + behind(": ", d.Message)
		return Phrase{fmt.Sprintf("the driver pod is not Ready (%s), and DNS names only ready pods for its headless Service", why),
			[]command.Command{command.Do("correct or remove the readiness probe or readiness gate of the driver that fails").
				On("describe", c.Subject)}}, true
	case mechanism.WorkersKilled:
		return t.workersKilled(&d), true
	case mechanism.NeverArrived:
		return neverArrived(c, d), true
	case mechanism.VolumeUndeclared:
		return undeclared(d), true
	case mechanism.HeldBySecret:
		return heldBySecret(&d), true
	case mechanism.ActedAs:
		return actedAs(c, d), true
	case mechanism.WebhookUntrusted:
		return webhookUntrusted(&d), true
	case mechanism.WebhookInMesh:
		return webhookInMesh(d), true
	case mechanism.ProxyLate:
		return proxyLate(d), true
	case mechanism.MountEnded:
		return mountEnded(&d), true
	case mechanism.MeshOneSided:
		return meshOneSided(&d), true
	case mechanism.NeverMet:
		return neverMet(&d), true
	case mechanism.InMesh:
		return Phrase{Says: "the pods are in a service mesh (sidecar " + d.Sidecar + ")"}, true
	case mechanism.RunHoldsSchedule:
		return Phrase{Says: fmt.Sprintf("a run has been due%s, and none starts while run %s is not over (concurrencyPolicy Forbid)",
			lasting(d.Due), d.Run)}, true
	case mechanism.SubmitterElsewhere:
		does := "runs"
		if d.Resolves != "" {
			does = "resolves " + d.Resolves
		}
		return Phrase{Says: "spark-submit " + does + " in the operator's controller pod, " + submitterHas(d.ReadOnly)}, true
	case mechanism.LeftPod:
		return Phrase{Says: "it left pod " + d.Name}, true
	case mechanism.GaveUpWaiting:
		return Phrase{Says: "the driver got no executor and gave up"}, true
	default:
		return completions(c)
	}
}

// submitterHas is what of the operator's pod matters to spark-submit.
func submitterHas(readOnly bool) string {
	if readOnly {
		return "whose root filesystem is read-only (readOnlyRootFilesystem)"
	}
	return "with its image, files and network"
}

func neverArrived(c *cause.Cause, d mechanism.NeverArrived) Phrase {
	if !d.Seen {
		return Phrase{Says: fmt.Sprintf("the spec gives the %s %s, and its pod, which tells whether it got it, was not seen", d.Role, d)}
	}
	lacks := fmt.Sprintf("the %s lacks %s of the spec", d.Role, d)
	if d.WentOn != (cause.Proof{}) {
		lacks = fmt.Sprintf("the %s ran without %s of the spec", d.Role, d)
	}
	says := lacks + ", since the operator's webhook did not change its pod"
	if d.Why.Ignored {
		says += " (failurePolicy Ignore)"
	}
	switch why := d.Why; {
	case why.Skips != nil:
		return Phrase{lacks + ", since " + skips(why.Skips),
			[]command.Command{seeNamespace(why.Skips, c.Subject.Namespace)}}
	case why.Down != nil:
		return Phrase{says + ": " + webhookDown(why.Down), []command.Command{startsWebhook(why.Down),
			command.Do("then run the application again")}}
	case why.Expired != nil:
		return Phrase{says + ": " + expired(why.Expired), renews(why.Expired)}
	case why.Pod != "":
		return Phrase{says + ": its clients did not trust its certificate then (tls: bad certificate)", []command.Command{
			command.Do("let the caBundle of the webhook hold the CA of the certificate that it serves (cert-manager's cainjector writes it), then " +
				"run the application again").With("kubectl get mutatingwebhookconfigurations -o yaml")}}
	}
	return Phrase{says,
		[]command.Command{
			command.Do("see whether the webhook is on, and whether it can be called").With("kubectl sparkdoctor scan -n %s", c.Subject.Namespace),
			command.Do("then run the application again"),
		}}
}

// expired says that the certificate of the webhook had expired, and why it was not renewed, where that was seen.
func expired(d *mechanism.Expired) string {
	says := fmt.Sprintf("Certificate %s had expired (%s)", d.Certificate.Name, d.Until.Format(time.DateOnly))
	if d.Issuer.Missing {
		says += fmt.Sprintf(", and its %s %s does not exist", d.Issuer.Kind, d.Issuer.Name)
	}
	return says
}

// renews is what to do about a certificate that cert-manager did not renew.
func renews(d *mechanism.Expired) []command.Command {
	of := d.Certificate
	does := command.Do("find out why cert-manager does not renew it")
	if d.Issuer.Missing {
		in := ""
		if d.Issuer.Kind == "Issuer" {
			in = " in namespace " + of.Namespace
		}
		does = command.Do("create %s %s%s, or name another in spec.issuerRef; nothing renews the certificate before",
			d.Issuer.Kind, d.Issuer.Name, in)
	}
	return []command.Command{does.With("kubectl -n %s describe certificate %s", of.Namespace, of.Name),
		command.Do("once it is renewed, run the application again")}
}

func webhookDown(d *mechanism.WebhookDown) string {
	says := fmt.Sprintf("it did not run (%s %d, %s", d.Reason, d.Code, phrase.Counted(int(d.Restarts), "restart"))
	if d.Reason == snapshot.OOMKilled && d.Limit != "" {
		says += ", memory limit " + d.Limit
	}
	return says + ")"
}

func startsWebhook(d *mechanism.WebhookDown) command.Command {
	if d.Reason == snapshot.OOMKilled {
		return command.Raise(nil, command.MemoryLimit(nil, true, ""))
	}
	return command.Do("see in its log why webhook pod %s ends", d.Pod)
}

func undeclared(d mechanism.VolumeUndeclared) Phrase {
	has := "spec.volumes is empty"
	if len(d.Volumes) > 0 {
		has = "spec.volumes has " + strings.Join(d.Volumes, ", ")
	}
	return Phrase{fmt.Sprintf("volume %s, which spec.%s.volumeMounts wants at %s, is not in spec.volumes, so it was not mounted (%s)", d.Name,
		d.Role, d.Path, has),
		[]command.Command{command.Do("correct the name in spec.%s.volumeMounts, or add volume %s to spec.volumes", d.Role, d.Name)}}
}

func webhookInMesh(d mechanism.WebhookInMesh) Phrase {
	return Phrase{fmt.Sprintf("the Istio sidecar of pod %s refuses callers outside the mesh", d.Pod),
		[]command.Command{command.Do("annotate the pods of the webhook with traffic.sidecar.istio.io/excludeInboundPorts: %q", d.Port)}}
}

// meshOneSided is about a driver in a mesh and executors outside of it.
func meshOneSided(d *mechanism.MeshOneSided) Phrase {
	out := ""
	if d.Optout != "" {
		out = fmt.Sprintf(" (%s: %q)", d.Key, d.Off)
	}
	next := fmt.Sprintf("keep both out of the mesh (%s: %q for the driver, too)", d.Key, d.Off)
	if d.Proxy == "istio-proxy" {
		next += ", or exclude the driver's ports (traffic.sidecar.istio.io/excludeInboundPorts: \"7078,7079\"); a PeerAuthentication with " +
			"mode STRICT refuses what comes without mTLS"
	}
	return Phrase{fmt.Sprintf("the driver has sidecar %s and the executors have none%s, so its proxy most likely refuses their plain "+
		"connections to the driver port (7078)", d.Proxy, out), []command.Command{command.Do("%s", next)}}
}

// proxyLate is about pods that start with their proxy beside them, not before them.
func proxyLate(d mechanism.ProxyLate) Phrase {
	p := Phrase{Says: fmt.Sprintf("%s ended before %s ran beside them (%s later), and until then no connection of theirs gets through",
		phrase.Counted(d.Pods, "executor"), d.Proxy, age(d.By))}
	field, again := "spec.executor.annotations", ""
	if d.Driver {
		p.Says = fmt.Sprintf("the driver called the API server before its %s was ready (not yet %s later), and until then no connection of "+
			"its gets through", d.Proxy, age(d.By))
		field, again = "spec.driver.annotations", "; then run the application again"
	}
	if d.Pods == 1 {
		p.Says = fmt.Sprintf("an executor ended before its %s ran (%s later), and until then no connection of its gets through", d.Proxy,
			age(d.By))
	}
	if d.Proxy == "linkerd-proxy" {
		p.Do = []command.Command{command.Do("annotate driver and executors with config.linkerd.io/proxy-await: \"enabled\" (%s), or let "+
			"Linkerd inject native sidecars%s", field, again)}
		return p
	}
	p.Do = []command.Command{command.Do("annotate driver and executors with proxy.istio.io/config: '{\"holdApplicationUntilProxyStarts\": "+
		"true}' (%s), or let Istio inject native sidecars%s", field, again)}
	return p
}

// atWork has the words for what a driver that runs is at.
func (t Terms) atWork(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.BatchLate:
		return Phrase{"a batch of its stream took longer than its trigger: " + d.Line, []command.Command{command.Do("if it does not catch up: " +
			"give it more executors, read less at once (maxOffsetsPerTrigger, maxFilesPerTrigger), or allow a longer trigger")}}, true
	case mechanism.Committing:
		return Phrase{fmt.Sprintf("all tasks of its last job finished, and the driver has been committing the output%s, on an object store "+
			"one file after the other", lasting(d.For)), []command.Command{command.Do("if this takes too long: use a committer that does not " +
			"rename (the S3A committers, or a table format), and write fewer files")}}, true
	case mechanism.BetweenWork:
		return Phrase{fmt.Sprintf("its last job finished%s, and none has begun since", ago(d.For)), []command.Command{
			threadDump("if that was all its work, the program does not end: call SparkContext.stop at the end of main, and see what it waits for "+
				"in a thread dump", c.Subject.Namespace, c.Subject.Name)}}, true
	case mechanism.StreamAtWork:
		return Phrase{Says: streamAtWork(&d)}, true
	case mechanism.ServerIdle:
		return Phrase{Says: fmt.Sprintf("the driver is an idle %s: no job%s, and dynamic allocation removed its executors",
			d.Server, lasting(d.Since))}, true
	case mechanism.SessionClosed:
		return sessionClosed(&d), true
	case mechanism.StageAtWork:
		says := d.Stage.String() + within(d.For)
		if d.Quiet > 0 {
			says += "; for the last " + age(d.Quiet) + " no task has finished, and the driver has logged nothing"
		}
		return Phrase{Says: says}, true
	case mechanism.StagePace:
		return Phrase{Says: fmt.Sprintf("stage %d: %s, %d of them in %s, the last%s; the other %d take %s at this pace", d.Pace.Stage,
			d.Tasks.Finished(), d.Pace.Tasks, age(d.Pace.Over), ago(d.Ago), d.Tasks.Of-d.Tasks.Done, age(d.Rest))}, true
	case mechanism.StageRerun:
		return Phrase{Says: fmt.Sprintf("stage %s runs again, since %s and tasks could not fetch shuffle output (FetchFailed)", d.Rerun.Stage,
			gone(&d.Rerun.Lost))}, true
	case mechanism.LossesTold:
		p := Phrase{Says: "by the driver's log " + Lost(d.Lost)}
		if limit := Limit(d.Limit); limit != "" {
			p.Says += ": " + limit
			p.Do = []command.Command{t.do("raise {executor.memoryOverhead}, or hold less beside the heap")}
		}
		return p, true
	default:
		return Phrase{}, false
	}
}

// neverMet is about a step of a Workflow that waits for what does not come.
func neverMet(d *mechanism.NeverMet) Phrase {
	says := fmt.Sprintf("step %s of Workflow %s waits for %s, and the operator leaves what completed %s", d.Step, d.Workflow.Name, d.Success,
		d.State)
	where := d.Template
	if where.Name == "" {
		where = d.Workflow
	}
	return Phrase{says, []command.Command{command.Do("set successCondition of template %s in %s %s to status.applicationState.state == %s, "+
		"then stop Workflow %s and submit it again", d.Of, where.Kind, where.Name, d.State, d.Workflow.Name).On("edit", where)}}
}

// workersKilled is about Python workers, of which an executor has one a task.
func (t Terms) workersKilled(d *mechanism.WorkersKilled) Phrase {
	size, within, held := "", "", ""
	if !d.Largest.IsZero() {
		amount := phrase.Amount(d.Largest, corev1.ResourceMemory)
		size, held = " (up to "+amount+")", ", and one process held "+amount
	}
	if d.Limit > 0 {
		count := "one at a time"
		if d.AtOnce > 1 {
			count = fmt.Sprintf("%d at once", d.AtOnce)
		}
		within = fmt.Sprintf("; an executor runs %s within its limit of %d MiB", count, d.Limit)
	}
	processes := phrase.Counted(d.Processes, "Python process")
	return Phrase{fmt.Sprintf("the kernel killed %s%s for memory while tasks failed%s", processes, size, within),
		[]command.Command{t.do("raise spark.executor.pyspark.memory or {executor.memoryOverhead}: Python works outside the JVM's heap%s",
			held)}}
}
