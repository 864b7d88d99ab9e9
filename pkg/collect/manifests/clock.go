package manifests

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// clock is the latest time that the objects of an input were seen at: the same for every question that is asked about it, so it does not
// depend on which objects a question keeps. Beside it the snapshot tells those of its records.
type clock struct {
	now    time.Time // a time after it is a clock that was wrong
	latest time.Time
	dec    jsontext.Decoder // reused
}

func (c *clock) see(t time.Time) {
	if t.After(c.latest) && !t.After(c.now) {
		c.latest = t
	}
}

// read sees the times of an object: those of its status, and for an event all but the metadata. A spec says what is to be, and annotations
// may be any program's.
func (c *clock) read(gk snapshot.GroupKind, object []byte) {
	event := gk.Kind == "Event"
	c.dec.Reset(bytes.NewBuffer(object), lenient())
	_ = eachMember(&c.dec, func(name string) error { // that is JSON: the object was read before
		switch {
		case event && name != `"metadata"`, name == `"status"`:
			return c.value(name)
		default:
			return c.dec.SkipValue()
		}
	})
}

// value sees the times in a value of a member.
func (c *clock) value(name string) error {
	switch c.dec.PeekKind() {
	case '{':
		return eachMember(&c.dec, c.value)
	case '[':
		if _, err := c.dec.ReadToken(); err != nil {
			return err
		}
		for c.dec.PeekKind() != ']' {
			if err := c.value(name); err != nil {
				return err
			}
		}
		_, err := c.dec.ReadToken()
		return err
	case '"':
		value, err := c.dec.ReadValue()
		if err == nil && tellsWhen(name) {
			if at, wrong := snapshot.ParseTime(text(value)); wrong == nil {
				c.see(at)
			}
		}
		return err
	default:
		return c.dec.SkipValue()
	}
}

// tellsWhen reports whether a member is a time at which something was so. Of the kinds that are read, these two lie ahead: the next renewal
// of a Certificate (pkg/apis/certmanager/v1/types_certificate.go of cert-manager/cert-manager@02d90248de), and when Kueue takes a Workload
// up again (apis/kueue/v1beta1/workload_types.go of kubernetes-sigs/kueue@00caa3119f).
func tellsWhen(name string) bool {
	name = strings.Trim(name, `"`)
	if slices.Contains([]string{"renewalTime", "requeueAt"}, name) {
		return false
	}
	return slices.ContainsFunc([]string{"Time", "Timestamp", "At"}, func(end string) bool { return strings.HasSuffix(name, end) })
}
