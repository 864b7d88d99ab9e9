package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// partBytes is how much of a view is put into one entry, which a tar wants to be whole in memory.
const partBytes = 4 << 20

// Write writes an archive of a snapshot as it was before anything was fetched again, and what was fetched. The same
// snapshot gives the same bytes. It completes the manifest and returns it.
func Write(ctx context.Context, to io.Writer, m Manifest, s *snapshot.Snapshot, answers []Answer) (Manifest, error) {
	saved, err := s.Saved()
	if err != nil {
		return m, err
	}
	m.Kind = kind
	m.Format = Format
	m.Snapshot = saved
	m.Answers = len(answers)
	m.Removed = removed(saved.Views)
	// The manifest comes first and says what was taken out, so the records are gone through twice.
	if m.Redacted, err = redactions(ctx, s, saved.Views); err != nil {
		return m, err
	}
	z := gzip.NewWriter(to)
	w := &writer{ctx: ctx, tar: tar.NewWriter(z), encoder: NewEncoder(), budget: newBudget(defaultLimits()), at: saved.TakenAt}
	if err := w.manifest(m); err != nil {
		return m, err
	}
	for _, v := range saved.Views {
		if err := w.view(s, v.View); err != nil {
			return m, err
		}
	}
	if err := w.answers(answers); err != nil {
		return m, err
	}
	if err := w.tar.Close(); err != nil {
		return m, err
	}
	return m, z.Close()
}

// redactions counts what encoding takes out of each view.
func redactions(ctx context.Context, s *snapshot.Snapshot, views []snapshot.SavedView) ([]Redacted, error) {
	out := []Redacted{}
	e := NewEncoder()
	var line []byte
	for _, v := range views {
		e.Redacted, e.Lines = 0, 0
		for r := range s.Records(v.View) {
			var err error
			if line, err = e.Append(line[:0], r); err != nil {
				return nil, fmt.Errorf("%s: %w", v.View, err)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		if e.Redacted > 0 {
			out = append(out, Redacted{v.View, e.Redacted, e.Lines})
		}
	}
	return out, nil
}

type writer struct {
	ctx     context.Context //nolint:containedctx // of one call of Write
	tar     *tar.Writer
	encoder *Encoder
	budget  *budget
	at      time.Time
}

func (w *writer) manifest(m Manifest) error {
	text, err := w.encoder.Value(m)
	if err != nil {
		return err
	}
	text = inert(text)
	if len(text) > maxManifest {
		return fmt.Errorf("the manifest takes %d bytes, more than the %d that are read again", len(text), maxManifest)
	}
	return w.entry(ManifestName, text)
}

// inert writes characters that do not show as escapes: people look at the manifest, which quotes servers.
func inert(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, c := range string(bytes.TrimSuffix(text, []byte("\n"))) {
		switch high, low := utf16.EncodeRune(c); {
		case unicode.IsGraphic(c):
			out = utf8.AppendRune(out, c)
		case c > 0xffff:
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, c)
		}
	}
	return append(out, '\n')
}

// view writes the records of a view, in parts.
func (w *writer) view(s *snapshot.Snapshot, v snapshot.View) error {
	var b []byte
	part := 0
	flush := func(upTo int) error {
		part++
		err := w.entry(partName(v, part), b[:upTo])
		b = append(b[:0], b[upTo:]...)
		return err
	}
	for r := range s.Records(v) {
		start := len(b)
		var err error
		if b, err = w.encoder.Append(b, r); err != nil {
			return err
		}
		if err := w.budget.record(b[start:]); err != nil {
			return err
		}
		if len(b)-start > partBytes && start > 0 { // a log, which is large enough by itself
			if err := flush(start); err != nil {
				return err
			}
		}
		if len(b) > partBytes {
			if err := flush(len(b)); err != nil {
				return err
			}
		}
	}
	if len(b) == 0 {
		return nil
	}
	return flush(len(b))
}

// answerLine is an answer as it is written.
type answerLine struct {
	View   snapshot.View `json:"view"`
	Ref    snapshot.Ref  `json:"ref"`
	Failed string        `json:"failed"`
	Gone   bool          `json:"gone"`
	Record rawRecord     `json:"record"`
}

func (w *writer) answers(list []Answer) error {
	if len(list) == 0 {
		return nil
	}
	var b bytes.Buffer
	for _, a := range list {
		line := answerLine{View: a.View, Ref: a.Ref, Failed: a.Failed, Gone: a.Record == nil && a.Failed == ""}
		if a.Record != nil {
			text, err := w.encoder.Append(nil, a.Record)
			if err != nil {
				return err
			}
			line.Record = rawRecord(bytes.TrimSpace(text))
		}
		text, err := w.encoder.Value(line)
		if err != nil {
			return err
		}
		b.Write(text)
	}
	return w.entry(answersName, b.Bytes())
}

func (w *writer) entry(name string, content []byte) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if err := w.budget.entry(int64(len(content))); err != nil {
		return err
	}
	if len(content) > maxEntry {
		return fmt.Errorf("%s would take %d bytes, more than the %d that are read again", name, len(content), maxEntry)
	}
	h := &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(content)), ModTime: w.at, Format: tar.FormatUSTAR}
	if err := w.tar.WriteHeader(h); err != nil {
		return err
	}
	_, err := w.tar.Write(content)
	return err
}
