package snapshot

import "github.com/go-json-experiment/json"

// SparkConnect is what checks read of a sparkconnects.sparkoperator.k8s.io (api/v1alpha1@v2.5.2).
type SparkConnect struct {
	Object
	Contested

	// Malformed says what of spec could not be decoded; metadata is good then, the rest is not.
	Malformed string
}

type wireConnect struct {
	wireObject
	Spec wireContestedSpec `json:"spec"`
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
	c := SparkConnect{Object: w.object(loc), Contested: w.Spec.contested()}
	c.NoMainFile = false // it has none
	return c, nil
}
