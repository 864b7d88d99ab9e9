package snapshot

import (
	"time"

	"github.com/go-json-experiment/json"
)

// SparkConnect is what checks read of a sparkconnects.sparkoperator.k8s.io (api/v1alpha1@v2.5.2).
type SparkConnect struct {
	Object
	Contested

	State       string    // status.state; empty until the operator got as far as to make the server pod
	Started     time.Time // status.startTime
	ServerPodIP string    // status.server.podIp

	// Malformed says what of spec could not be decoded; metadata is good then, the rest is not.
	Malformed string
}

type wireConnect struct {
	wireObject
	Spec   wireContestedSpec `json:"spec"`
	Status struct {
		State   string   `json:"state"`
		Started wireTime `json:"startTime"`
		Server  struct {
			PodIP string `json:"podIp"`
		} `json:"server"`
	} `json:"status"`
}

func decodeSparkConnect(raw []byte, loc Location) (SparkConnect, error) {
	var w wireConnect
	if err := json.Unmarshal(raw, &w, decodeOptions()); err != nil {
		var head struct{ wireObject }
		if json.Unmarshal(raw, &head, decodeOptions()) != nil {
			return SparkConnect{}, err
		}
		return SparkConnect{Object: head.object(loc), Malformed: problemOf(err)}, nil // what owns and hangs is still told
	}
	c := SparkConnect{Object: w.object(loc), Contested: w.Spec.contested(), State: w.Status.State, Started: w.Status.Started.Time, ServerPodIP: w.Status.Server.PodIP}
	c.NoMainFile = false // it has none
	return c, nil
}
