package wire

import (
	"cmp"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

type wireSchedule struct {
	wireObject
	Spec struct {
		Schedule string          `json:"schedule"`
		TimeZone string          `json:"timeZone"`
		Policy   string          `json:"concurrencyPolicy"`
		Suspend  bool            `json:"suspend"`
		Template sized[wireSpec] `json:"template"`
	} `json:"spec"`
	Status struct {
		State       string   `json:"scheduleState"`
		Reason      string   `json:"reason"`
		LastRun     wireTime `json:"lastRun"`
		NextRun     wireTime `json:"nextRun"`
		LastRunName string   `json:"lastRunName"`
	} `json:"status"`
}

func (d *Decoder) decodeSchedule(_ snapshot.Source, item Item) (*snapshot.Schedule, error) {
	var w wireSchedule
	if err := json.Unmarshal(item.Raw, &w, Options()); err != nil {
		var head struct{ wireObject }
		if json.Unmarshal(item.Raw, &head, Options()) != nil {
			return nil, err
		}
		out := &snapshot.Schedule{Object: head.object(item.Location), Malformed: Problem(err)} // what owns and hangs is still told
		d.object(&out.Object)
		return out, nil
	}
	out := &snapshot.Schedule{
		Object: w.object(item.Location), Cron: w.Spec.Schedule, TimeZone: w.Spec.TimeZone, Policy: w.Spec.Policy, Suspended: w.Spec.Suspend,
		Template: d.scheduleTemplate(&w), State: w.Status.State,
		SpecChanged: w.Metadata.ManagedFields.Value.SpecChanged,
		Reason:      redact.Excerpt(w.Status.Reason, keptErrorMessage),
		LastRun:     w.Status.LastRun.Time, NextRun: w.Status.NextRun.Time, LastRunName: w.Status.LastRunName,
	}
	d.object(&out.Object)
	return out, nil
}

func (d *Decoder) scheduleTemplate(w *wireSchedule) snapshot.SparkApplication {
	run := wireApplication{wireObject: w.wireObject, Spec: w.Spec.Template}
	a := d.keptApplication(&run, nil, snapshot.Location{})
	a.Object = snapshot.Object{}
	a.Sizes = snapshot.Sizes{}
	a.SpecChanged = time.Time{}
	a.StatusChanged = time.Time{}
	return a
}

type wireConnect struct {
	wireObject
	Spec   wireConnectSpec `json:"spec"`
	Status struct {
		State   string   `json:"state"`
		Started wireTime `json:"startTime"`
		Server  struct {
			PodIP string `json:"podIp"`
		} `json:"server"`
		Executors struct {
			Running int `json:"running"`
		} `json:"executors"`
		Conditions []struct {
			Type   string   `json:"type"`
			Status string   `json:"status"`
			Since  wireTime `json:"lastTransitionTime"`
		} `json:"conditions"`
	} `json:"status"`
}

// unready is since when the server is not ready, or zero.
func (w *wireConnect) unready() time.Time {
	for _, c := range w.Status.Conditions {
		if c.Type == "ServerPodReady" && c.Status == "False" {
			return c.Since.Time
		}
	}
	return time.Time{}
}

type wireConnectSpec struct {
	SparkVersion string   `json:"sparkVersion"`
	SparkConf    wireConf `json:"sparkConf"`
	Server       struct {
		Template struct {
			Spec struct {
				Account string `json:"serviceAccountName"`
				Same    string `json:"serviceAccount"`
			} `json:"spec"`
		} `json:"template"`
	} `json:"server"`
	Executor struct {
		Memory    string   `json:"memory"`
		Template  *ignored `json:"template"`
		Instances int      `json:"instances"`
	} `json:"executor"`
	DynamicAllocation struct {
		Enabled bool `json:"enabled"`
	} `json:"dynamicAllocation"`
}

func (d *Decoder) decodeSparkConnect(_ snapshot.Source, item Item) (*snapshot.SparkConnect, error) {
	var w wireConnect
	if err := json.Unmarshal(item.Raw, &w, Options()); err != nil {
		var head struct{ wireObject }
		if json.Unmarshal(item.Raw, &head, Options()) != nil {
			return nil, err
		}
		c := &snapshot.SparkConnect{Object: head.object(item.Location), Malformed: Problem(err)} // what owns and hangs is still told
		d.object(&c.Object)
		return c, nil
	}
	c := &snapshot.SparkConnect{
		Object: w.object(item.Location), ReleaseDependentFields: snapshot.ReleaseDependentFields{Settings: w.Spec.SparkConf.settings},
		SparkVersion: w.Spec.SparkVersion, ExecutorTemplate: w.Spec.Executor.Template != nil, ExecutorMemory: w.Spec.Executor.Memory,
		ServerAccount: cmp.Or(w.Spec.Server.Template.Spec.Account, w.Spec.Server.Template.Spec.Same),
		State:         w.Status.State, Started: w.Status.Started.Time, ServerPodIP: w.Status.Server.PodIP,
		Running: w.Status.Executors.Running, Unready: w.unready(), Executors: w.Spec.Executor.Instances,
		Allocates: w.Spec.DynamicAllocation.Enabled || w.Spec.SparkConf.DynamicAllocation,
	}
	d.object(&c.Object)
	return c, nil
}
