package snapshot

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// managedFields keeps of metadata.managedFields when spec and status were last written. The API server dates an entry
// when its manager last changed anything in it, so they are not newer than that.
type managedFields struct{ SpecChanged, StatusChanged time.Time }

// UnmarshalJSONFrom passes over all but times and the names of what lies at the top. What is malformed tells nothing.
func (m *managedFields) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '[' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		if err := m.entry(dec); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

func (m *managedFields) entry(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	var at time.Time
	spec, status := false, false
	err := rawMembers(dec, func(name []byte) error {
		switch {
		case string(name) == "time" && dec.PeekKind() == '"':
			token, err := dec.ReadToken()
			if err == nil {
				at, _ = time.Parse(time.RFC3339, token.String())
			}
			return err
		case string(name) == "fieldsV1" && dec.PeekKind() == '{':
			return rawMembers(dec, func(field []byte) error {
				spec, status = spec || string(field) == "f:spec", status || string(field) == "f:status"
				return dec.SkipValue()
			})
		default:
			return dec.SkipValue()
		}
	})
	if at = at.UTC(); at.Year() > 9999 {
		return err
	}
	if spec && at.After(m.SpecChanged) {
		m.SpecChanged = at
	}
	if status && at.After(m.StatusChanged) {
		m.StatusChanged = at
	}
	return err
}
