package mechanism

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// HeldBySecret is where a credential comes from that a service did not accept: a key of a Secret, by a variable of the pod. It does not say
// why the credential is wrong. A setting that holds it looks alike, and so does a pod with several keys that may be meant.
type HeldBySecret struct {
	Secret, Key string
	What        string // it is: "client secret"
	Sure        bool   // the service says that the credential is wrong; else the call may have been refused for something else
	Signed      bool   // requests are signed with it, so that a part of it, or a line break behind it, makes another key
	Variable    string // empty: all keys of the Secret are variables
	Role        cause.Role
	Owner       snapshot.Ref // what writes the Secret; zero: nothing owns it
}

// Mechanism names it.
func (HeldBySecret) Mechanism() cause.ID { return "held-by-secret" }

// heldCredential is a kind of credential, and what it may be called.
type heldCredential struct {
	what   string
	called []*lazyregexp.Regexp
	sure   bool // the service says that the credential is wrong, not only that it does not accept the call
}

// heldCredentials are what a credential is called in variables, keys and settings, by the signature of the service that did not accept it.
// Of several, the first that fits just one key counts.
//
//nolint:gochecknoglobals // a table
var heldCredentials = map[string]heldCredential{
	"azure-secret":           {"client secret", []*lazyregexp.Regexp{clientSecret, anySecret}, true},
	"azure-secret-expired":   {"client secret", []*lazyregexp.Regexp{clientSecret, anySecret}, true},
	"abfs-auth-failed":       {"account key or SAS", []*lazyregexp.Regexp{storageKey}, false},
	"gcs-key-deleted":        {"key", []*lazyregexp.Regexp{lazyregexp.New(`(?i)\.json$|service[_.-]?account|google`)}, true},
	"iceberg-not-authorized": {"credential", []*lazyregexp.Regexp{lazyregexp.New(`(?i)credential|token`)}, false},
	"jdbc-login":             {"password", []*lazyregexp.Regexp{password}, false},
	"jdbc-oracle-account":    {"password", []*lazyregexp.Regexp{password}, true},
	"kafka-authentication":   {"login", []*lazyregexp.Regexp{lazyregexp.New(`(?i)jaas`), password}, false},
	"kafka-password":         {"login", []*lazyregexp.Regexp{lazyregexp.New(`(?i)jaas`), password}, false},
	"mongodb-login":          {"password", []*lazyregexp.Regexp{password, lazyregexp.New(`(?i)mongo.*(?:uri|url)`)}, false},
	"neo4j-login":            {"password", []*lazyregexp.Regexp{password}, false},
	"oss-access-key":         {"access key", []*lazyregexp.Regexp{lazyregexp.New(`(?i)access[_.-]?key[_.-]?secret`), anySecret}, false},
	"redis-login":            {"password", []*lazyregexp.Regexp{password, lazyregexp.New(`(?i)redis.*auth`)}, false},
	"rest-token-refused":     {"credential", []*lazyregexp.Regexp{lazyregexp.New(`(?i)credential`), clientSecret}, false},
	"s3-access-key":          {"access key", []*lazyregexp.Regexp{lazyregexp.New(`(?i)access[_.-]?key(?:[_.-]?id)?$`)}, true},
	"s3-expired-token":       {"session token", []*lazyregexp.Regexp{lazyregexp.New(`(?i)session[_.-]?token`)}, true},
	"s3-signature":           {"secret key", []*lazyregexp.Regexp{lazyregexp.New(`(?i)secret[_.-]?(?:access[_.-]?)?key`)}, false},
	"salesforce-login":       {"password", []*lazyregexp.Regexp{password}, false},
	"schema-registry-login":  {"key and secret", []*lazyregexp.Regexp{lazyregexp.New(`(?i)registry.*(?:secret|auth|info)`), anySecret}, false},
	"sftp-login":             {"password or key", []*lazyregexp.Regexp{password, loginKey}, false},
	"snowflake-key":          {"private key", []*lazyregexp.Regexp{lazyregexp.New(`(?i)private[_.-]?key|\.p8$|\.pem$`)}, false},
}

// Names of credentials that many services share.
var (
	anySecret    = lazyregexp.New(`(?i)secret`)
	clientSecret = lazyregexp.New(`(?i)client[_.-]?secret`)
	storageKey   = lazyregexp.New(`(?i)(?:account|storage|access)[_.-]?key|(?:^|[_.-])sas(?:$|[_.-])`)
	loginKey     = lazyregexp.New(`(?i)private[_.-]?key|id_rsa|id_ed25519`)
	password     = lazyregexp.New(`(?i)passw(?:or)?d|passphrase|(?:^|[_.-])pwd(?:$|[_.-])`)
)

// SecretOf says which key of a Secret holds the credential that a service did not accept.
func SecretOf(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, _ := failed.Meaning.(logs.Known)
	role, pod := actingPod(v, about, &failed)
	if pod == nil || known.Signature.ID == "" {
		return cause.Cause{}, false
	}
	held, kind := heldIn(v, pod), heldCredentials[known.Signature.ID]
	for _, called := range kind.called {
		inSetting := func(name string) bool { return called.MatchString(name) && !strings.Contains(name, ".secretKeyRef.") }
		for _, settings := range []map[string]string{v.Spec.Conf, v.Spec.HadoopConf} {
			for name := range settings {
				if inSetting(name) {
					return cause.Cause{}, false
				}
			}
		}
		fits := slices.DeleteFunc(slices.Clone(held), func(h HeldBySecret) bool {
			return !called.MatchString(h.Variable) && !called.MatchString(h.Key)
		})
		if len(fits) > 1 {
			return cause.Cause{}, false
		}
		if len(fits) == 0 {
			continue
		}
		d := fits[0]
		d.What, d.Sure, d.Signed = kind.what, kind.sure, known.Signature.ID == "s3-signature"
		d.Role, d.Owner = role, v.secretOwner(d.Secret)
		field, value := "env["+d.Variable+"].valueFrom.secretKeyRef", d.Secret+":"+d.Key
		if d.Variable == "" {
			field, value = "envFrom.secretRef", d.Secret
		}
		return cause.Cause{Class: cause.Credentials, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
			Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: Ref(pod), Field: "spec.containers." + field, Value: value}}}, true
	}
	return cause.Cause{}, false
}

// heldIn are the keys of Secrets that a pod has as variables, each once. Of envFrom they are known where the Secret was seen.
func heldIn(v *View, pod *corev1.Pod) []HeldBySecret {
	c := mainContainer(pod)
	if c == nil {
		return nil
	}
	var out []HeldBySecret
	add := func(one HeldBySecret) {
		same := func(h HeldBySecret) bool { return h.Secret == one.Secret && h.Key == one.Key }
		if !slices.ContainsFunc(out, same) {
			out = append(out, one)
		}
	}
	for _, e := range c.Env {
		if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
			add(HeldBySecret{Secret: e.ValueFrom.SecretKeyRef.Name, Key: e.ValueFrom.SecretKeyRef.Key, Variable: e.Name})
		}
	}
	for _, from := range c.EnvFrom {
		for i := range v.Secrets {
			if from.SecretRef == nil || v.Secrets[i].Name != from.SecretRef.Name {
				continue
			}
			for _, key := range v.Secrets[i].Keys {
				add(HeldBySecret{Secret: v.Secrets[i].Name, Key: key})
			}
		}
	}
	return out
}
