package snapshot

import (
	"slices"
	"strings"
)

// What an application asks for that only some releases of the operator get wrong. Most ask for none of it.
const (
	AskPullPolicy      = "imagePullPolicy"
	AskPullSecrets     = "imagePullSecrets"
	AskPackages        = "deps.packages"
	AskMemoryLocalDir  = "volumes[].emptyDir.medium"    // of a mounted volume that Spark uses as a local directory
	AskOpenLocalDir    = "volumes[].emptyDir.sizeLimit" // which is not set, of such a volume
	AskGangOfUnknown   = "batchScheduler"               // with dynamic allocation and without executor.instances
	localDirVolumeName = "spark-local-dir-"             // pkg/common/spark.go@v2.5.2
)

// wireAsks are the fields of spec behind them.
type wireAsks struct {
	PullPolicy  string    `json:"imagePullPolicy"`
	PullSecrets []ignored `json:"imagePullSecrets"`
	Deps        struct {
		Packages []ignored `json:"packages"`
	} `json:"deps"`
}

// wireSpecVolume is one of spec.volumes.
type wireSpecVolume struct {
	wireNamed
	EmptyDir *struct {
		Medium    string   `json:"medium"`
		SizeLimit *ignored `json:"sizeLimit"`
	} `json:"emptyDir"`
}

// asks returns those of an application, sorted.
func (s *wireSpec) asks() []string {
	var out []string
	add := func(is bool, ask string) {
		if is && !slices.Contains(out, ask) {
			out = append(out, ask)
		}
	}
	add(s.PullPolicy != "", AskPullPolicy)
	add(len(s.PullSecrets) > 0, AskPullSecrets)
	add(len(s.Deps.Packages) > 0, AskPackages)
	batch := s.batchScheduler()
	add(batch != "" && batch != "yunikorn" && s.DynamicAllocation.Enabled && !s.Executor.counted, AskGangOfUnknown)
	for _, v := range s.Volumes {
		if v.EmptyDir == nil || !strings.HasPrefix(v.Name, localDirVolumeName) || !slices.Contains(slices.Concat(s.Driver.mounts, s.Executor.mounts), v.wireNamed) {
			continue
		}
		add(v.EmptyDir.Medium != "", AskMemoryLocalDir)
		add(v.EmptyDir.SizeLimit == nil, AskOpenLocalDir)
	}
	slices.Sort(out)
	return slices.Clip(out)
}

// Asking reports whether the application asks for something of the list above.
func (a *SparkApplication) Asking(ask string) bool { return slices.Contains(a.Asks, ask) }
