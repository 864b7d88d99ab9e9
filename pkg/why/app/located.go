package app

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// Located is another SparkApplication that runs, and the locations that its arguments and settings name.
type Located struct {
	snapshot.Ref

	Locations []string
}

// location matches one in an argument or a setting: "s3a://state/orders", "--checkpoint=/mnt/state/orders".
var location = lazyregexp.New(`(?:^|=)([a-z][a-z0-9+.-]*:/|/)(\S+)$`)

// located keeps what other applications name.
func (s *sorter) located(objects []unstructured.Unstructured) {
	for i := range objects {
		o := &objects[i]
		own := o.GetNamespace() == s.e.Subject.Namespace && o.GetName() == s.application()
		if o.GetKind() != "SparkApplication" || ofApache(o) || own {
			continue
		}
		f := whole.Fields(o.Object)
		if f.Text("status", "applicationState", "state") != "RUNNING" {
			continue
		}
		one := Located{Ref: refOf(o)}
		texts := f.Texts("spec", "arguments")
		for key := range f.Object("spec", "sparkConf") {
			texts = append(texts, f.Text("spec", "sparkConf", key))
		}
		for _, text := range texts {
			if m := location.FindStringSubmatch(text); m != nil {
				one.Locations = append(one.Locations, strings.TrimRight(m[1]+m[2], "/"))
			}
		}
		if len(one.Locations) > 0 {
			slices.Sort(one.Locations)
			s.e.Located = append(s.e.Located, one)
		}
	}
	slices.SortFunc(s.e.Located, func(a, b Located) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}
