package app

import (
	"encoding/json"
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
