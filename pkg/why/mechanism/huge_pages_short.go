package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// HugePagesShort is a JVM that puts its heap into huge pages (-XX:+UseLargePages) of which its container may have fewer: the kernel
// enforces the limit when a page is touched, and sends SIGBUS (Documentation/admin-guide/cgroup-v1/hugetlb.rst of torvalds/linux@v6.6;
// limits of hugepages-SIZE: content/en/docs/tasks/manage-hugepages/scheduling-hugepages.md of kubernetes/website). A heap that fits looks
// alike, and so does the SIGBUS of a file that was mapped and is shorter by now.
type HugePagesShort struct {
	Role     cause.Role
	Resource corev1.ResourceName // hugepages-2Mi
	Limit    resource.Quantity
	Heap     int64 // MiB
}

// Mechanism names it.
func (HugePagesShort) Mechanism() cause.ID { return "huge-pages-short" }

// HugePages explains a JVM that crashed with SIGBUS.
func HugePages(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	crash, is := failed.Meaning.(logs.JVMCrashed)
	if !is || !crash.Bus {
		return cause.Cause{}, false
	}
	role, pod := actingPod(v, about, &failed)
	c := mainContainer(pod)
	if c == nil || !strings.Contains(v.Spec.JavaOptions(string(role)), "-XX:+UseLargePages") {
		return cause.Cause{}, false
	}
	d := HugePagesShort{Role: role, Heap: v.Spec.Heap(string(role))}
	for _, name := range sortedNames(c.Resources.Limits) {
		if q := c.Resources.Limits[name]; strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix) && !q.IsZero() {
			d.Resource, d.Limit = name, q
		}
	}
	if d.Resource == "" || d.Heap<<20 <= d.Limit.Value() {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: cause.Configuration, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Topics: cause.Memory, Detail: d, Evidence: []cause.Proof{{Object: Ref(pod), Field: "spec.containers[" + c.Name +
			"].resources.limits[" + string(d.Resource) + "]", Value: d.Limit.String()}}}, true
}
