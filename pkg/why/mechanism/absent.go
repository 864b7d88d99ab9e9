package mechanism

import (
	"maps"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
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

// KeyFix is where a key that an object lacks can be put right.
type KeyFix struct {
	Refs  []FieldRef   // of the spec, that name the key
	Near  string       // the only key of the object that is nearly the same; empty: none is
	Owner snapshot.Ref // what writes the object; zero: nothing owns it
}

// FieldRef is a field of a role in which a variable names a key.
type FieldRef struct{ Field, Variable string }

// fixes says where a key that a Secret lacks is named, and what writes the Secret.
func (v *View) fixes(a Absent, has []string) KeyFix {
	var fix KeyFix
	if a.Kind != "Secret" || a.Key == "" || a.Name == "" {
		return fix
	}
	for _, role := range []string{"driver", "executor"} {
		spec := v.Spec.Role(role)
		for _, list := range []struct {
			field string
			refs  []app.KeyRef
		}{{role + ".env", spec.EnvRefs}, {role + ".envSecretKeyRefs", spec.EnvSecretKeyRefs}} {
			for _, ref := range list.refs {
				if ref.Secret == a.Name && ref.Key == a.Key {
					fix.Refs = append(fix.Refs, FieldRef{list.field, ref.Variable})
				}
			}
		}
		prefix, value := "spark.kubernetes."+role+".secretKeyRef.", a.Name+":"+a.Key // docs/running-on-kubernetes.md@v3.5.5
		for _, name := range slices.Sorted(maps.Keys(v.Spec.Conf)) {
			if variable, is := strings.CutPrefix(name, prefix); is && v.Spec.Conf[name] == value {
				fix.Refs = append(fix.Refs, FieldRef{"sparkConf", variable})
			}
		}
	}
	var near []string
	for _, key := range has {
		if wordsAmong(a.Key, key) || wordsAmong(key, a.Key) {
			near = append(near, key)
		}
	}
	if len(near) == 1 {
		fix.Near = near[0]
	}
	fix.Owner = v.secretOwner(a.Name)
	return fix
}

// wordsAmong reports whether a name is another one with more words: "db-password" and "password".
func wordsAmong(short, long string) bool {
	words := func(name string) []string {
		return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	}
	has := words(long)
	for _, word := range words(short) {
		if !slices.Contains(has, word) {
			return false
		}
	}
	return true
}

// secretOwner is what writes a Secret; zero: nothing owns it.
func (v *View) secretOwner(name string) snapshot.Ref {
	for i := range v.Secrets {
		if v.Secrets[i].Name == name {
			return v.Secrets[i].Owner
		}
	}
	return snapshot.Ref{}
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
