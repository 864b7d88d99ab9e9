package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// Absent is an object that the kubelet looked for in vain, or a key that an object lacks.
type Absent struct {
	Kind, Name string // of the object; of one that lacks a key the kind is spelled as the kubelet does, and the name may be empty
	Key        string // empty: the object itself does not exist
}

// lacking are the keys of the object that lacks one, where they are known.
func (v *View) lacking(a Absent) []string {
	if a.Key == "" || a.Name == "" {
		return nil
	}
	list := v.Secrets
	if strings.HasPrefix(strings.ToLower(a.Kind), "config") {
		list = v.ConfigMaps
	}
	for _, one := range list {
		if one.Name == a.Name {
			return one.Keys
		}
	}
	return nil
}

// absent matches what the kubelet says of an object that is not there.
var absent = lazyregexp.New(`(?i)\b(secret|configmap|serviceaccount|persistentvolumeclaim)s? "(?:[^"/]+/)?([^"]+)" (?:is )?not found`)

// lacksKey matches what it says of a key.
var lacksKey = lazyregexp.New(`(?i)couldn't find key (\S+) in (Secret|ConfigMap) (?:[^/\s]+/)?(\S+)` +
	`|references non-existent (secret|config) key: (\S+)`)

// absentIn is the object that a message of the kubelet names as absent; zero: it names none. Most messages name none, and a scan reads one
// of each pod that waits: words that each of these has are looked for first.
func absentIn(message string) Absent {
	if !strings.Contains(message, "not found") && !strings.Contains(message, " key") {
		return Absent{}
	}
	if m := absent.FindStringSubmatch(message); m != nil {
		return Absent{Kind: map[string]string{"secret": "Secret", "configmap": "ConfigMap", "serviceaccount": "ServiceAccount",
			"persistentvolumeclaim": "PersistentVolumeClaim"}[strings.ToLower(m[1])], Name: m[2]}
	}
	if m := lacksKey.FindStringSubmatch(message); m != nil {
		return Absent{Kind: m[2] + m[4], Name: m[3], Key: m[1] + m[5]}
	}
	return Absent{}
}
