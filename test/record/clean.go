package record

import (
	"bytes"
	"fmt"
	"regexp"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// What stands in the dump for the name and the addresses of the machine that recorded it.
const (
	hostName      = "control-plane-0"
	nodeAddress   = "10.0.0.11"
	serverAddress = "https://10.96.0.1:443"
)

// cleaner takes out of a dump what is the test bed's and no cluster's. All else stays as kubectl printed it.
type cleaner struct{ host, address, server string }

func (c cleaner) clean(text []byte) ([]byte, error) {
	text = bytes.ReplaceAll(text, []byte(c.server), []byte(serverAddress))
	text = regexp.MustCompile(`\b`+regexp.QuoteMeta(c.address)+`\b`).ReplaceAll(text, []byte(nodeAddress))
	// The host's name may be any word, so it is looked for where components put it: in their identities.
	host := regexp.QuoteMeta(c.host)
	text = regexp.MustCompile(`\bdefault-scheduler-`+host+`\b`).ReplaceAll(text, []byte("default-scheduler-"+hostName))
	text = regexp.MustCompile(`\b`+host+`(_[0-9a-f]{8}-)`).ReplaceAll(text, []byte(hostName+"$1"))
	if !bytes.Contains(text, []byte(controlplane.NotKwok)) {
		return text, nil
	}
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, fmt.Errorf("decoding YAML: %w", err)
	}
	var list map[string]any
	if err := utiljson.Unmarshal(asJSON, &list); err != nil { // keeps integers
		return nil, fmt.Errorf("decoding JSON: %w", err)
	}
	unmark(list)
	return yaml.Marshal(list) // as kubectl does
}

// unmark removes the bed's annotation wherever it is: on pods, and in the templates that they are made from.
func unmark(value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			unmark(item)
		}
	case map[string]any:
		if annotations, ok := v["annotations"].(map[string]any); ok {
			delete(annotations, controlplane.NotKwok)
			if len(annotations) == 0 {
				delete(v, "annotations")
			}
		}
		for _, below := range v {
			unmark(below)
		}
	}
}
