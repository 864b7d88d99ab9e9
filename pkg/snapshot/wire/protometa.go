package wire

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// protoMetadata reads an ObjectMeta: what decodeObject and objectFrom read of it (field numbers:
// apimachinery/pkg/apis/meta/v1/generated.proto). Kind and place are the caller's.
func (d *Decoder) protoMetadata(raw []byte, o *snapshot.Object) error {
	var name, uid []byte
	d.labelsKey, d.ownersKey = d.labelsKey[:0], d.ownersKey[:0]
	owners := 0
	m := message{rest: raw}
	for m.next() {
		var err error
		switch m.field {
		case 1:
			name = m.bytes
		case 3:
			o.Namespace = intern(&d.sharer, m.bytes)
		case 5:
			uid = m.bytes
		case 8:
			o.Created, err = protoTime(m.bytes)
		case 9:
			seldomOf(o).Deleted, err = protoTime(m.bytes)
		case 10:
			seldomOf(o).GracePeriod = seconds(int64(m.number)) //nolint:gosec // int64 is how it was written
		case 11:
			err = d.protoLabel(m.bytes, o)
		case 12:
			err = d.protoAnnotation(m.bytes, o)
		case 13:
			d.ownersKey = appendSized(d.ownersKey, m.bytes)
			owners++
		case 14:
			seldomOf(o).Finalizers = append(seldomOf(o).Finalizers, intern(&d.sharer, m.bytes))
		}
		if err != nil {
			return err
		}
	}
	if m.err != nil {
		return m.err
	}
	// One piece of memory for what every object has for itself.
	d.key = append(append(d.key[:0], name...), uid...)
	both := string(d.key)
	o.Name, o.UID = both[:len(name)], both[len(name):]
	return d.protoShared(o, owners)
}

// seldomOf is where to write what few objects have.
func seldomOf(o *snapshot.Object) *snapshot.Seldom {
	if o.Seldom == nil {
		o.Seldom = &snapshot.Seldom{}
	}
	return o.Seldom
}

// protoLabel gathers the labels that may be shared, as they were written; they lie one after the other and are sorted.
func (d *Decoder) protoLabel(raw []byte, o *snapshot.Object) error {
	if len(raw) < len(ownLabelHead) || string(raw[:len(ownLabelHead)]) != ownLabelHead {
		d.labelsKey = appendSized(d.labelsKey, raw)
		return nil
	}
	_, value, err := entry(raw)
	o.Labels.Own = d.ownLabel(value)
	return err
}

// ownLabelHead is how the entry of the label begins that executors of an application do not share: its key as a text of
// field 1, with its length.
const ownLabelHead = "\x0a\x0d" + snapshot.ExecutorIDLabel

// protoAnnotation keeps the annotations that are read.
func (d *Decoder) protoAnnotation(raw []byte, o *snapshot.Object) error {
	key, value, err := entry(raw)
	switch {
	case err != nil:
	case string(key) == snapshot.IgnoreAnnotation:
		seldomOf(o).Ignore = string(value)
	case string(key) == snapshot.UsersAnnotation:
		seldomOf(o).Users = string(value)
	case string(key) == snapshot.GroupsAnnotation:
		seldomOf(o).Groups = string(value)
	case len(d.status.queue) == 0 && namesQueue(key):
		d.status.queue = value
	}
	return err
}

// protoShared takes labels and owners that were seen before, or reads them.
func (d *Decoder) protoShared(o *snapshot.Object, owners int) (err error) {
	if len(d.labelsKey) > 0 {
		o.Labels.Shared, err = d.labels.of(d.labelsKey, func() (*snapshot.LabelSet, error) { return d.splitLabels(d.labelsKey) })
	}
	if err != nil || owners == 0 {
		return err
	}
	o.Owners, err = d.owners.of(d.ownersKey, func() ([]snapshot.OwnerReference, error) { return d.protoOwners(d.ownersKey, owners) })
	return err
}

// splitLabels undoes what protoLabel put together.
func (d *Decoder) splitLabels(key []byte) (*snapshot.LabelSet, error) {
	count := 0
	for rest := key; len(rest) > 0; count++ {
		_, rest = cutSized(rest)
	}
	out := make([]snapshot.Label, 0, count)
	for rest := key; len(rest) > 0; {
		var raw []byte
		raw, rest = cutSized(rest)
		name, value, err := entry(raw)
		if err != nil {
			return nil, err
		}
		out = append(out, snapshot.Label{Key: intern(&d.sharer, name), Value: intern(&d.sharer, value)})
	}
	return snapshot.NewLabelSet(snapshot.SortLabels(out)), nil
}

func (d *Decoder) protoOwners(key []byte, n int) ([]snapshot.OwnerReference, error) {
	out := make([]snapshot.OwnerReference, 0, n)
	for rest := key; len(rest) > 0; {
		var raw []byte
		raw, rest = cutSized(rest)
		var r snapshot.OwnerReference
		m := message{rest: raw}
		for m.next() {
			switch m.field {
			case 1:
				r.Kind = intern(&d.sharer, m.bytes)
			case 3:
				r.Name = intern(&d.sharer, m.bytes)
			case 4:
				r.UID = intern(&d.sharer, m.bytes)
			case 5:
				r.APIVersion = intern(&d.sharer, m.bytes)
			case 6:
				r.Controller = m.number != 0
			case 7:
				r.BlockOwnerDeletion = m.number != 0
			}
		}
		if m.err != nil {
			return nil, m.err
		}
		out = append(out, r)
	}
	return out, nil
}
