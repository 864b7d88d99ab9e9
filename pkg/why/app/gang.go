package app

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Gang is what a pod asks YuniKorn to reserve before it starts, by its annotations
// (pkg/common/constants/constants.go and pkg/common/utils/gang_utils.go of apache/yunikorn-k8shim@v1.6.0).
type Gang struct {
	Parts   []GangPart
	Style   string        // gangSchedulingStyle: Hard or Soft; empty: it is not set, and Soft holds
	Timeout time.Duration // placeholderTimeoutInSeconds; 0: it is not set
}

// GangPart are members of a gang that ask for the same.
type GangPart struct {
	Name      string              `json:"name"`
	MinMember int64               `json:"minMember"`
	Each      corev1.ResourceList `json:"minResource"`
}

// GangOf reads the annotations of a pod. What does not decode is absent.
func GangOf(p *corev1.Pod) Gang {
	const prefix = "yunikorn.apache.org/"
	var g Gang
	if json.Unmarshal([]byte(p.Annotations[prefix+"task-groups"]), &g.Parts) != nil {
		g.Parts = nil
	}
	for _, one := range strings.Fields(p.Annotations[prefix+"schedulingPolicyParameters"]) {
		switch name, value, _ := strings.Cut(one, "="); name {
		case "gangSchedulingStyle":
			g.Style = value
		case "placeholderTimeoutInSeconds":
			seconds, _ := strconv.Atoi(value) // 0: it is none
			g.Timeout = time.Duration(seconds) * time.Second
		}
	}
	return g
}

// Placeholder is a pod that holds room for a member of a gang until that is there.
type Placeholder struct {
	Name  string
	Group string // of the gang
	Node  string // on which it got room; empty: on none
	Said  Event  // why the autoscaler adds no node for it; zero: it does not say
}

// Placeholders are those of a gang that events tell of, by name. YuniKorn names one for the application and its group: tg-APPLICATION-
// GROUP-HASH, where the first two may be cut off (GeneratePlaceholderName in pkg/common/utils/gang_utils.go of apache/yunikorn-k8shim
// @v1.6.0).
func (e *Evidence) Placeholders(application string, g *Gang) []Placeholder {
	const least = len("spark-") + 8 // of the ID of an application, to tell it from others
	byName := map[string]*Placeholder{}
	for i := range e.Reserves {
		one := &e.Reserves[i]
		name := one.Involved.Name
		for _, part := range g.Parts {
			id, _, is := strings.Cut(strings.TrimPrefix(name, placeholderPrefix), "-"+part.Name+"-")
			if !is || len(id) < least || !strings.HasPrefix(application, id) {
				continue
			}
			if byName[name] == nil {
				byName[name] = &Placeholder{Name: name, Group: part.Name}
			}
			p := byName[name]
			p.Node = cmp.Or(p.Node, one.ScheduledTo())
			if one.Reason == "NotTriggerScaleUp" {
				p.Said = *one
			}
		}
	}
	out := make([]Placeholder, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, *byName[name])
	}
	return out
}

const placeholderPrefix = "tg-"

// Members are all of its pods.
func (g *Gang) Members() (n int64) {
	for _, one := range g.Parts {
		n += one.MinMember
	}
	return n
}

// Total is what all of its members ask for.
func (g *Gang) Total() corev1.ResourceList {
	out := corev1.ResourceList{}
	for _, one := range g.Parts {
		for name, each := range one.Each {
			sum, all := out[name], each.DeepCopy()
			all.Mul(one.MinMember)
			sum.Add(all)
			out[name] = sum
		}
	}
	return out
}
