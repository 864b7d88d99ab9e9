package load

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pattern is an application with all that belongs to it, as the API server stored it.
type pattern struct {
	stored     []keyValue
	namespace  string
	name       string
	submission string
	uids       []string
	tokens     []string // names of the volumes with the accounts' tokens, no two of which are alike
}

// tokenName is what the API server calls such a volume: five letters at random.
func tokenName() *regexp.Regexp { return regexp.MustCompile("kube-api-access-[a-z0-9]{5}") }

// largePatternName and ordinaryPatternName are of the length of any application's name: in protobuf, texts are stored
// with their length.
const (
	patternNamespace    = "fleet-000"
	largePatternName    = "app-large"
	ordinaryPatternName = "app-plain"
)

const (
	applicationKeys = "/registry/sparkoperator.k8s.io/sparkapplications/"
	podKeys         = "/registry/pods/"
)

// kinds are where etcd holds what belongs to applications, owners first.
func kinds() []string {
	return []string{applicationKeys, podKeys, "/registry/configmaps/", "/registry/services/specs/", "/registry/events/"}
}

// read finds in etcd what belongs to the pattern.
func (p *pattern) read(ctx context.Context, s store) error {
	for _, prefix := range kinds() {
		found, err := s.under(ctx, prefix+p.namespace+"/"+p.name)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("nothing of %s is stored under %s", p.name, prefix)
		}
		p.stored = append(p.stored, driversFirst(found)...)
	}
	for _, kv := range p.stored {
		for _, name := range tokenName().FindAllString(string(kv.Value), -1) {
			if !slices.Contains(p.tokens, name) {
				p.tokens = append(p.tokens, name)
			}
		}
	}
	return nil
}

// driversFirst puts owners before what they own: what is there without its owner is garbage, and soon collected.
func driversFirst(list []keyValue) []keyValue {
	isDriver := func(kv keyValue) bool { return bytes.HasSuffix(kv.Key, []byte("-driver")) }
	slices.SortStableFunc(list, func(a, b keyValue) int {
		switch {
		case isDriver(a) == isDriver(b):
			return 0
		case isDriver(a):
			return -1
		default:
			return 1
		}
	})
	return list
}

// copyAs returns the same for application number i: names, namespace and UIDs are of equal length, so that they can be
// replaced where they stand.
func (p *pattern) copyAs(i, namespaces int, extras bool) []keyValue {
	submission := numbered(p.submission, i)
	pairs := []string{
		p.namespace, namespaceOf(i, namespaces), p.name, nameOf(i), p.submission, submission,
		strings.ReplaceAll(p.submission, "-", ""), strings.ReplaceAll(submission, "-", ""),
	}
	for _, uid := range p.uids {
		pairs = append(pairs, uid, numbered(uid, i))
	}
	for k, token := range p.tokens {
		pairs = append(pairs, token, fmt.Sprintf("kube-api-access-%05s", strconv.FormatInt(int64(i*len(p.tokens)+k), 36)))
	}
	replace := strings.NewReplacer(pairs...)
	var out []keyValue
	for _, kv := range p.stored {
		if !extras && !bytes.HasPrefix(kv.Key, []byte(podKeys)) && !bytes.HasPrefix(kv.Key, []byte(applicationKeys)) {
			continue
		}
		out = append(out, keyValue{[]byte(replace.Replace(string(kv.Key))), []byte(replace.Replace(string(kv.Value)))})
	}
	return out
}

// numbered makes a UID that no other copy has.
func numbered(uid string, i int) string { return fmt.Sprintf("%08x", i+1) + uid[8:] }

// Name returns the name and the namespace of an application of a fleet.
func Name(i, namespaces int) (name, namespace string) { return nameOf(i), namespaceOf(i, namespaces) }

func nameOf(i int) string { return fmt.Sprintf("app-%05d", i) }

func namespaceOf(i, namespaces int) string { return fmt.Sprintf("fleet-%03d", i%namespaces) }
