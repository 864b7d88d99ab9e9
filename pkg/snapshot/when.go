package snapshot

import (
	"fmt"
	"strings"
	"time"
)

// ParseTime reads a time of RFC 3339 as UTC. One whose offset takes it out of the years that can be written again, in JSON as in RFC
// 3339, is an error: such a time is not known.
func ParseTime(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("is %.40q, no RFC 3339 time", text)
	}
	if at = at.UTC(); !Writable(at) {
		return time.Time{}, fmt.Errorf("is %.40q, which is out of range", text)
	}
	return at, nil
}

// Writable reports whether a time can be written as JSON: time.Time.MarshalJSON refuses any other.
func Writable(at time.Time) bool { return at.UTC().Year() >= 0 && at.UTC().Year() <= 9999 }

// OutOfRange reports whether a text is a time of RFC 3339 that is not Writable.
func OutOfRange(text string) bool {
	if !strings.HasPrefix(text, "9999-12-31T") && !strings.HasPrefix(text, "0000-01-01T") {
		return false
	}
	at, err := time.Parse(time.RFC3339, text)
	return err == nil && !Writable(at)
}
