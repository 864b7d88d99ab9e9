package archive

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// Encoder writes records as JSON for an archive, without what is zero. They have no secrets
// since they were added to a snapshot.
type Encoder struct {
	Redacted int // how many secrets were taken out of the records written so far
	Lines    int // of logs, that these left blank
	options  json.Options
}

// NewEncoder returns an encoder.
func NewEncoder() *Encoder {
	e := &Encoder{}
	e.options = json.JoinOptions(wire.Options(), json.OmitZeroStructFields(true), json.Deterministic(true))
	e.options = json.JoinOptions(e.options, json.WithMarshalers(json.JoinMarshalers(
		json.MarshalToFunc(func(enc *jsontext.Encoder, text string) error { return enc.WriteToken(jsontext.String(e.count(text))) }),
		json.MarshalToFunc(func(enc *jsontext.Encoder, d time.Duration) error { return enc.WriteToken(jsontext.Int(int64(d))) }),
		json.MarshalToFunc(func(enc *jsontext.Encoder, f snapshot.Features) error {
			return enc.WriteToken(jsontext.String(base64.StdEncoding.EncodeToString([]byte(f))))
		}),
		json.MarshalToFunc(e.labels),
	)))
	return e
}

// Append writes a record behind what there is, on one line.
func (e *Encoder) Append(to []byte, r snapshot.Record) ([]byte, error) {
	snapshot.Clean(r) // what was fetched to confirm a finding may not be part of the snapshot
	text, err := json.Marshal(r, e.options)
	if err != nil {
		return to, err
	}
	return append(append(to, text...), '\n'), nil
}

// Value writes any value on one line in the same way.
func (e *Encoder) Value(v any) ([]byte, error) {
	text, err := json.Marshal(snapshot.Cleaned(v), e.options)
	return append(text, '\n'), err
}

func (e *Encoder) labels(enc *jsontext.Encoder, l snapshot.Labels) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	list := l.Sorted()
	for _, one := range list {
		if err := enc.WriteToken(jsontext.String(one.Key)); err != nil {
			return err
		}
		if err := enc.WriteToken(jsontext.String(e.count(one.Value))); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// count counts the secrets that were taken out of a text.
func (e *Encoder) count(text string) string {
	if strings.Contains(text, snapshot.Redacted) {
		e.Redacted += strings.Count(text, snapshot.Redacted)
		e.Lines += snapshot.RedactedLines(snapshot.LogText(text))
	}
	return text
}

// savedOptions read what Encoder wrote; what records have in common is shared again.
func savedOptions(d *wire.Decoder) json.Options {
	return json.JoinOptions(wire.Options(), json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, to *string) error { return savedText(d, dec, to) }),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, to *time.Duration) error {
			var n int64
			err := json.UnmarshalDecode(dec, &n)
			*to = time.Duration(n)
			return err
		}),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, to *snapshot.Features) error { return savedFeatures(d, dec, to) }),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, to *snapshot.Labels) error {
			var err error
			to.Shared, err = wire.DecodeLabels(dec) // shared with others when the record is complete
			return err
		}),
	)))
}

func savedText(d *wire.Decoder, dec *jsontext.Decoder, to *string) error {
	value, err := dec.ReadValue()
	switch {
	case err != nil:
		return err
	case value.Kind() == 'n':
		*to = ""
		return nil
	case value.Kind() != '"':
		return errors.New("is " + wire.KindWord(value.Kind()) + ", which does not belong there")
	}
	plain := value[1 : len(value)-1]
	if slices.Contains(plain, '\\') {
		if plain, err = jsontext.AppendUnquote(nil, value); err != nil {
			return err
		}
	}
	*to = d.Text(plain)
	return nil
}

func savedFeatures(d *wire.Decoder, dec *jsontext.Decoder, to *snapshot.Features) error {
	var text string
	if err := savedText(d, dec, &text); err != nil {
		return err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw)%8 != 0 {
		return errors.New("is no set of features")
	}
	*to = d.Features(raw)
	return nil
}
