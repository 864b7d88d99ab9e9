package mechanism

import (
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// QuotaKeepsSlots is a barrier stage without the slots that it needs because a ResourceQuota has no room for executors that were asked for:
// the driver's log holds the API server's refusal. A stage that asks for more than the spec's executors have looks alike, and no refusal
// comes with it.
type QuotaKeepsSlots struct {
	Quota  string
	Said   string            // by the API server: "requested: …, used: …, limited: …"
	Amount                   // of one executor
	Needs  resource.Quantity // what the quota would have to allow; zero: not known
	Slots  int               // that the stage needs; 0: the log does not say
	Has    int
}

// Mechanism returns its ID.
func (QuotaKeepsSlots) Mechanism() cause.ID { return "quota-keeps-slots" }

var (
	slotsLack = lazyregexp.New(`requires (\d+) slots, but only (\d+) are available`)
)

// askedAgain is within what time of the failure the last refusal stands: while executors are wanted, Spark asks for them again with each
// snapshot of its pods, every few seconds (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/scheduler/cluster/k8s/
// ExecutorPodsAllocator.scala@v3.5.5).
const askedAgain = 10 * time.Minute

// KeptByQuota returns the quota that keeps the executors of a barrier stage away.
func KeptByQuota(v *View, c *cause.Cause) (cause.Cause, bool) {
	said := v.Work.Refused
	if said == nil || c.Signature != "barrier-slots" || c.Trust != cause.ByDriverLog {
		return cause.Cause{}, false
	}
	ago := c.At.Sub(said.At)
	timed := !c.At.IsZero() && !said.At.IsZero()
	if timed && (ago < 0 || ago > askedAgain) {
		return cause.Cause{}, false
	}
	r, known := NewMessages().Refused(said.Root.Message)
	if !known || r.Kind != QuotaExceeded {
		return cause.Cause{}, false
	}
	d := QuotaKeepsSlots{Quota: r.Name, Said: r.Said, Amount: r.Amount}
	f, _ := c.Detail.(logs.Failure)
	for _, line := range append([]string{f.Root.Message}, f.Lines...) {
		if m := slotsLack.FindStringSubmatch(line); m != nil {
			d.Slots, _ = strconv.Atoi(m[1])
			d.Has, _ = strconv.Atoi(m[2])
		}
	}
	if known, is := f.Meaning.(logs.Known); is && d.Slots == 0 {
		if m := slotsLack.FindStringSubmatch(known.Groups["detail"]); m != nil {
			d.Slots, _ = strconv.Atoi(m[1])
			d.Has, _ = strconv.Atoi(m[2])
		}
	}
	d.room(v)
	return cause.Cause{Class: cause.Quota, Role: cause.ExecutorRole, Certainty: check.Proven, Trust: cause.ByDriverLog, Subject: c.Subject,
		Container: c.Container, At: said.At, Topics: r.Topics, Detail: d,
		Evidence: []cause.Proof{{Object: c.Subject, Field: v.logField(), At: said.At,
			Value: "exceeded quota: " + d.Quota + ", " + d.Said}}}, true
}

// room computes what the quota would have to allow for all slots of the stage: an executor runs as many tasks as its cores are multiples of
// spark.task.cpus (core/src/main/scala/org/apache/spark/resource/ResourceProfile.scala@v3.5.5).
func (d *QuotaKeepsSlots) room(v *View) {
	if d.Resource == "" {
		return
	}
	per := 1
	if n, err := strconv.Atoi(v.Spec.Conf["spark.task.cpus"]); err == nil && n > 0 {
		per = n
	}
	slots := max(v.Spec.Executor.Cores, 1) / per
	if slots < 1 || d.Slots <= d.Has {
		return
	}
	asks := d.Asks.DeepCopy()
	asks.Mul(int64((d.Slots - d.Has + slots - 1) / slots))
	d.Needs = d.Used.DeepCopy()
	d.Needs.Add(asks)
}
