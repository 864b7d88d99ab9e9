package spec

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// OtherSpark is an image that holds another Spark than sparkVersion says.
type OtherSpark struct {
	Says  string // sparkVersion
	Holds string // "3.4"
	Image string // by whose tag it does; empty: the driver's log says so
}

// Mechanism names it.
func (OtherSpark) Mechanism() cause.ID { return "other-spark" }

// OtherArchitecture is a node that an image cannot run on.
type OtherArchitecture struct {
	Node, Architecture string
	Role               cause.Role
	Selected           bool // the pod selects an architecture
}

// Mechanism names it.
func (OtherArchitecture) Mechanism() cause.ID { return "other-architecture" }

// officialTag matches the tag of an image that holds Spark and nothing else: the version of Spark stands first in it. Images of
// applications have versions of their own.
var officialTag = lazyregexp.New(`(?:^|/)(?:spark|spark-py|spark-r|pyspark):v?([234]\.\d+)\.\d+(?:$|[-_@.])`)

// versions is about a dependency that is missing or does not fit, where the image holds another Spark than sparkVersion says, by which
// packages are chosen.
func versions(v *mechanism.View, c *cause.Cause, _ cause.Role) (Note, bool) {
	says := app.ReleaseOf(v.Spec.SparkVersion)
	if c.Class != cause.Dependency || says == (app.Release{}) {
		return Note{}, false
	}
	holds, tagged := app.ReleaseOf(v.Work.Version), ""
	if holds == (app.Release{}) {
		for _, image := range []string{v.Spec.Driver.Image, v.Spec.Image} {
			if m := officialTag.FindStringSubmatch(image); m != nil {
				holds, tagged = app.ReleaseOf(m[1]), image
				break
			}
			if image != "" {
				break
			}
		}
	}
	if holds == (app.Release{}) || holds == says {
		return Note{}, false
	}
	return Note{Detail: OtherSpark{Says: v.Spec.SparkVersion, Holds: holds.String(), Image: tagged},
		Proofs: []cause.Proof{proof(v, "sparkVersion", v.Spec.SparkVersion)}}, true
}

// architecture is about an image that cannot run where it was scheduled.
func architecture(v *mechanism.View, c *cause.Cause, role cause.Role) (Note, bool) {
	if c.Class != cause.Image || !c.Topics.Has(cause.OtherCPU) {
		return Note{}, false
	}
	p := v.Driver
	if role == cause.ExecutorRole && len(v.Executors) > 0 {
		p = v.Executors[0]
	}
	if p == nil {
		return Note{}, false
	}
	node, arch := v.Architecture(p.Spec.NodeName)
	if arch == "" {
		return Note{}, false
	}
	return Note{Detail: OtherArchitecture{Node: p.Spec.NodeName, Architecture: arch, Role: role,
		Selected: p.Spec.NodeSelector[corev1.LabelArchStable] != ""},
		Proofs: []cause.Proof{{Object: node, Field: "metadata.labels[kubernetes.io/arch]", Value: arch}}}, true
}
