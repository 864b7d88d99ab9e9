package snapshot

import (
	"slices"
	"strings"
)

// protoMetadata reads an ObjectMeta: what decodeObject and objectFrom read of it (field numbers:
// apimachinery/pkg/apis/meta/v1/generated.proto). Kind and place are the caller's.
func (d *Decoder) protoMetadata(raw []byte, o *Object) error {
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
			o.Namespace = d.again(m.bytes, &d.namespace)
		case 5:
			uid = m.bytes
		case 8:
			o.Created, err = protoTime(m.bytes)
		case 9:
			o.seldom().Deleted, err = protoTime(m.bytes)
		case 10:
			o.seldom().GracePeriod = seconds(int64(m.number)) //nolint:gosec // int64 is how it was written
		case 11:
			err = d.protoLabel(m.bytes, o)
		case 12:
			err = d.protoAnnotation(m.bytes, o)
		case 13:
			d.ownersKey = appendSized(d.ownersKey, m.bytes)
			owners++
		case 14:
			o.seldom().Finalizers = append(o.seldom().Finalizers, d.text(m.bytes))
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

// protoLabel gathers the labels that may be shared, as they were written; they lie one after the other and are sorted.
func (d *Decoder) protoLabel(raw []byte, o *Object) error {
	if len(raw) < len(ownLabelHead) || string(raw[:len(ownLabelHead)]) != ownLabelHead {
		d.labelsKey = appendSized(d.labelsKey, raw)
		return nil
	}
	_, value, err := entry(raw)
	o.Labels.own = d.ownLabel(value)
	return err
}

// ownLabelHead is how the entry of the label begins that executors of an application do not share: its key as a text of
// field 1, with its length.
const ownLabelHead = "\x0a\x0d" + ExecutorIDLabel

// protoAnnotation keeps the annotations that are read.
func (d *Decoder) protoAnnotation(raw []byte, o *Object) error {
	key, value, err := entry(raw)
	switch {
	case err != nil:
	case string(key) == IgnoreAnnotation:
		o.seldom().Ignore = string(value)
	case len(d.status.queue) == 0 && namesQueue(key):
		d.status.queue = value
	}
	return err
}

// protoShared takes labels and owners that were seen before, or reads them.
func (d *Decoder) protoShared(o *Object, owners int) (err error) {
	if len(d.labelsKey) > 0 {
		o.Labels.shared, err = d.labels.of(d.labelsKey, func() (*labelSet, error) { return d.splitLabels(d.labelsKey) })
	}
	if err != nil || owners == 0 {
		return err
	}
	o.Owners, err = d.owners.of(d.ownersKey, func() ([]OwnerReference, error) { return d.protoOwners(d.ownersKey, owners) })
	return err
}

// splitLabels undoes what protoLabel put together. Drivers and executors, and applications that are neighbours, have most
// labels in common.
func (d *Decoder) splitLabels(key []byte) (*labelSet, error) {
	var like []Label // those of the set before that are still to come
	if before := d.labels.newest(); before != nil {
		like = before.list
	}
	out := make([]Label, 0, len(like)+2)
	for rest := key; len(rest) > 0; {
		var raw []byte
		raw, rest = cutSized(rest)
		name, value, err := entry(raw)
		if err != nil {
			return nil, err
		}
		for len(like) > 0 && like[0].Key < string(name) {
			like = like[1:]
		}
		if len(like) > 0 && like[0].Key == string(name) {
			out = append(out, Label{like[0].Key, d.like(value, like[0].Value)})
			continue
		}
		out = append(out, Label{d.text(name), d.text(value)})
	}
	return newLabelSet(sortLabels(out)), nil
}

// sortLabels sorts labels by key and keeps the last of those that have the same.
func sortLabels(list []Label) []Label {
	slices.SortStableFunc(list, func(a, b Label) int { return strings.Compare(a.Key, b.Key) })
	kept := list[:0]
	for i, l := range list {
		if i+1 == len(list) || list[i+1].Key != l.Key {
			kept = append(kept, l)
		}
	}
	return slices.Clip(kept)
}

func (d *Decoder) protoOwners(key []byte, n int) ([]OwnerReference, error) {
	out := make([]OwnerReference, 0, n)
	for rest := key; len(rest) > 0; {
		var raw []byte
		raw, rest = cutSized(rest)
		var r OwnerReference
		m := message{rest: raw}
		for m.next() {
			switch m.field {
			case 1:
				r.Kind = d.text(m.bytes)
			case 3:
				r.Name = d.text(m.bytes)
			case 4:
				r.UID = d.text(m.bytes)
			case 5:
				r.APIVersion = d.text(m.bytes)
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
