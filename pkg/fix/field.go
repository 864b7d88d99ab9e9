package fix

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// field is one that an intent may write: where it is, and what it may hold before and after.
type field struct {
	path     Path // a step "*" is any key, "[uid=*]" any element with that key, "[name=*.x]" one whose name ends in .x
	from, to value
	hidden   bool // its values may quote secrets
}

// value reports whether a field may hold a value, given the last step of its path. Nil is a field that is not there.
type value func(v any, key string) bool

func absent(v any, _ string) bool   { return v == nil }
func anything(_ any, _ string) bool { return true }

func text(v any, _ string) bool {
	_, ok := v.(string)
	return ok
}

func exactly(want string) value { return func(v any, _ string) bool { return equal(v, want) } }

func timestamp(v any, _ string) bool {
	s, _ := v.(string)
	at, err := time.Parse(time.RFC3339, s)
	return err == nil && !at.IsZero()
}

func base64Text(v any, _ string) bool {
	s, ok := v.(string)
	_, err := base64.StdEncoding.DecodeString(s)
	return ok && err == nil
}

func base64OrAbsent(v any, key string) bool { return v == nil || base64Text(v, key) }

// endedExecutor is an entry of status.executorState that may be removed, and written back.
func endedExecutor(v any, key string) bool {
	s, _ := v.(string)
	return hasEnded(s) && len(validation.IsDNS1123Subdomain(key)) == 0
}

func removableFinalizer(v any, key string) bool {
	s, ok := v.(string)
	return ok && s != "" && element("", s) == key && !losesData(s)
}

func ownerWithUID(v any, key string) bool {
	fields, _ := v.(map[string]any)
	uid, _ := fields["uid"].(string)
	return uid != "" && element("uid", uid) == key
}

// ownerApplication is the reference that a driver should have (pkg/util/sparkapplication.go@v2.5.2, GetOwnerReference).
func ownerApplication(v any, key string) bool {
	fields, _ := v.(map[string]any)
	apiVersion, _ := fields["apiVersion"].(string)
	group, _, _ := strings.Cut(apiVersion, "/")
	for name := range fields {
		if !slices.Contains([]string{"apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"}, name) {
			return false
		}
	}
	return ownerWithUID(v, key) && group == snapshot.SparkGroup && equal(fields["kind"], "SparkApplication")
}

// matches reports whether a path is the one of a field.
func (f field) matches(p Path) bool {
	return slices.EqualFunc(f.path, p, func(pattern, step string) bool {
		open, end, wild := strings.Cut(pattern, "*")
		switch {
		case !wild:
			return pattern == step
		case pattern == "*":
			return step != "" && !isElement(step)
		default:
			return len(step) > len(open)+len(end) && strings.HasPrefix(step, open) && strings.HasSuffix(step, end)
		}
	})
}

// folds reports whether a field is one of many that only their names tell apart, so that a few stand for all.
func (f field) folds() bool { return f.path[len(f.path)-1] == "*" }
