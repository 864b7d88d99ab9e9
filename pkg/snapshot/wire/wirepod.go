package wire

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// wirePod is all that is read of a pod. JSON is decoded into it by its tags, protobuf by the field numbers in
// protopod.go; a fuzz test holds both to what the types of k8s.io/api say.
type wirePod struct {
	Metadata wireHead      `json:"metadata"`
	Spec     wirePodSpec   `json:"spec"`
	Status   wirePodStatus `json:"status"`
}

type wirePodSpec struct {
	Containers        []wireContainer     `json:"containers"`
	InitContainers    []wireNamedThing    `json:"initContainers"`
	Volumes           []wireVolume        `json:"volumes"`
	HostAliases       []wireHostAlias     `json:"hostAliases"`
	Tolerations       []wirePodToleration `json:"tolerations"`
	NodeSelector      wirePairs           `json:"nodeSelector"`
	SecurityContext   filled              `json:"securityContext"`
	HostNetwork       bool                `json:"hostNetwork"`
	ShareProcesses    bool                `json:"shareProcessNamespace"`
	DNSConfig         present[ignored]    `json:"dnsConfig"`
	Affinity          present[ignored]    `json:"affinity"`
	TerminationGrace  present[int64]      `json:"terminationGracePeriodSeconds"`
	SchedulerName     wireText            `json:"schedulerName"`
	NodeName          wireText            `json:"nodeName"` // each pod has its own: protoPod reads it
	PriorityClassName wireText            `json:"priorityClassName"`
}

type wireContainer struct {
	Name      wireText         `json:"name"`
	Env       []wireNamedThing `json:"env"`
	EnvFrom   []wirePodEnvFrom `json:"envFrom"`
	Ports     []wirePort       `json:"ports"`
	Resources struct {
		Requests wireQuantities `json:"requests"`
		Limits   wireQuantities `json:"limits"`
	} `json:"resources"`
	SecurityContext filled           `json:"securityContext"`
	Lifecycle       present[ignored] `json:"lifecycle"`
}

type wireNamedThing struct {
	Name wireText `json:"name"`
}

type wirePodEnvFrom struct {
	ConfigMap present[wireNamedThing] `json:"configMapRef"`
	Secret    present[wireNamedThing] `json:"secretRef"`
}

type wirePort struct {
	Name          wireText `json:"name"`
	ContainerPort int32    `json:"containerPort"`
}

type wireVolume struct {
	Name      wireText                `json:"name"`
	ConfigMap present[wireNamedThing] `json:"configMap"`
}

type wireHostAlias struct {
	IP wireText `json:"ip"`
}

type wirePodToleration struct {
	Key      wireText `json:"key"`
	Operator wireText `json:"operator"`
	Value    wireText `json:"value"`
	Effect   wireText `json:"effect"`
}

// wireText is a string that need not be kept.
type wireText []byte

func (t *wireText) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch raw.Kind() {
	case '"':
		*t, err = unquoted(raw)
		return err
	case 'n':
		*t = nil
		return nil
	default:
		return fmt.Errorf("is %s, which does not belong there", KindWord(raw.Kind()))
	}
}

// unquoted returns the text of a JSON string, with bytes that are no UTF-8 replaced.
func unquoted(raw jsontext.Value) ([]byte, error) {
	text, err := jsontext.AppendUnquote(nil, raw)
	if err == nil {
		return text, nil
	}
	var lenient string
	err = json.Unmarshal(raw, &lenient, Options())
	return []byte(lenient), err
}

type wirePair struct{ Key, Value wireText }

// wirePairs are a map of strings.
type wirePairs []wirePair

func (p *wirePairs) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return members(dec, func(name string) error {
		pair := wirePair{Key: wireText(name)}
		err := json.UnmarshalDecode(dec, &pair.Value)
		*p = append(*p, pair)
		return err
	})
}

// wireQuantities are a map of quantities, as text.
type wireQuantities []wirePair

func (q *wireQuantities) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return members(dec, func(name string) error {
		pair := wirePair{Key: wireText(name)}
		if dec.PeekKind() == '0' { // Quantity.UnmarshalJSON takes numbers, too
			raw, err := dec.ReadValue()
			pair.Value = wireText(raw.Clone())
			*q = append(*q, pair)
			return err
		}
		err := json.UnmarshalDecode(dec, &pair.Value)
		*q = append(*q, pair)
		return err
	})
}

// of returns the quantity of a resource, empty if there is none. The last of equal names counts.
func (q wireQuantities) of(name string) wireText {
	for i := len(q) - 1; i >= 0; i-- {
		if string(q[i].Key) == name {
			return q[i].Value
		}
	}
	return nil
}

// present is a value that may be null or missing.
type present[T any] struct {
	Set   bool
	Value T
}

func (p *present[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	p.Set = dec.PeekKind() != 'n'
	return json.UnmarshalDecode(dec, &p.Value)
}

// filled is whether a value is more than null, false, zero or empty.
type filled bool

func (f *filled) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if kind := value.Kind(); kind == '{' || kind == '[' {
		*f = len(bytes.TrimSpace(value[1:len(value)-1])) > 0
	} else {
		*f = !filled(slices.Contains([]string{"null", "false", "0", `""`}, string(value)))
	}
	return err
}
