package collect

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// FileOptions say what to read instead of a cluster.
type FileOptions struct {
	Paths     []string // files, directories, URLs, "-"
	Recursive bool
	Stdin     io.Reader
	Complete  bool      // the files are everything: what is not there is absent
	AsOf      time.Time // zero: the latest time in the input, or Now if it has none
	Now       time.Time
	Namespace string // of objects of namespaced kinds that name none; empty: they stay without
	// SkipUnreadable reads the other files where one of several cannot be read.
	SkipUnreadable bool
}

// Input tells what was read.
type Input struct {
	Files   []string // what was read, in order
	Objects int
	Unread  int  // objects of kinds that no check reads, and documents in directories that are no objects
	Dated   bool // TakenAt is the latest time in the input

	Unreadable []string    // files that could not be read to their end, each with the place and the reason
	Duplicates int         // objects that were dropped, because the input holds an equal or a newer copy
	Differing  []Differing // of these, what was dropped although nothing tells which copy is newer

	Archive *archive.Archive // the input is one; nil: plain files
}

// Files reads plain files, or one archive, into a snapshot. Text that does not parse is an error that names the place; of several
// files the others are read all the same if that is asked for, and the snapshot then does not hold everything.
func Files(ctx context.Context, o FileOptions) (*snapshot.Snapshot, Input, error) {
	sources, err := expand(o.Paths, o.Recursive, o.Stdin)
	if err != nil {
		return nil, Input{}, err
	}
	b := &fileBuilder{
		Builder: snapshot.NewBuilder(time.Time{}), decoder: wire.NewDecoder(), present: map[snapshot.View]bool{}, bad: map[snapshot.View][]undecoded{},
		byKind: sourcesByKind(), badOwners: map[snapshot.GroupKind][]undecoded{}, namespace: o.Namespace,
		copies: newCopies(),
		custom: customKinds{defined: map[snapshot.GroupKind]definition{}, seen: map[snapshot.GroupKind]bool{}},
	}
	for _, s := range sources {
		err := b.read(ctx, s)
		if err != nil && (!o.SkipUnreadable || len(sources) == 1 || ctx.Err() != nil) {
			return nil, b.input, err
		}
		if err != nil {
			b.input.Unreadable = append(b.input.Unreadable, err.Error())
		}
	}
	if len(b.input.Unreadable) > 0 {
		o.Complete = false // what is missing may be in them
	}
	b.FromFiles(o.Complete)
	if b.input.Archive != nil {
		if len(b.input.Files) > 1 {
			return nil, b.input, fmt.Errorf("%s is an archive of a whole cluster and is judged by itself, but there are other files", b.saved)
		}
		return b.input.Archive.Snapshot, b.input, nil
	}
	if b.input.Objects+b.lists == 0 && len(b.input.Unreadable) > 0 {
		return nil, b.input, errors.New(b.input.Unreadable[0])
	}
	if b.input.Objects+b.lists == 0 {
		return nil, b.input, fmt.Errorf("%s: no Kubernetes object found", strings.Join(o.Paths, ", "))
	}
	return b.seal(o), b.input, nil
}

type fileBuilder struct {
	*snapshot.Builder
	decoder *wire.Decoder
	input   Input
	saved   string // name of the archive
	lists   int
	compact []byte // reused
	whole   []byte // reused
	byKind  map[snapshot.GroupKind][]snapshot.Source
	present map[snapshot.View]bool
	bad     map[snapshot.View][]undecoded
	copies  copies

	namespace string // of FileOptions
	custom    customKinds
	badOwners map[snapshot.GroupKind][]undecoded // objects outside the views that could not be decoded
}

// sourcesByKind maps a kind to the views that its objects may be in: a Service is a dependent, or what a webhook calls.
func sourcesByKind() map[snapshot.GroupKind][]snapshot.Source {
	m := map[snapshot.GroupKind][]snapshot.Source{}
	for _, one := range snapshot.Sources() {
		for _, s := range one.InGroups() {
			m[s.GroupKind()] = append(m[s.GroupKind()], s)
		}
	}
	return m
}

func (b *fileBuilder) read(ctx context.Context, s source) error {
	stream, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer stream.Close() //nolint:errcheck // read only
	found, lists := 0, 0
	u := unpacker{saved: func(name string, from *archive.Limited, t *tar.Reader, manifest *tar.Header) error {
		b.input.Files, b.saved = append(b.input.Files, name), name
		a, err := archive.Read(ctx, from, t, manifest)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		b.input.Archive = a
		return nil
	}}
	u.text = func(name string, r io.Reader) error {
		b.input.Files = append(b.input.Files, name)
		var held heldItems
		take := func(d document) error {
			isObject, err := b.add(d)
			switch {
			case err != nil:
				return &inputError{d.Location, err}
			case isObject && d.IsList:
				lists++
			case isObject:
				found++
			case s.named:
				return &inputError{d.Location, errNoObject}
			default:
				b.input.Unread++
			}
			return nil
		}
		if err := readDocuments(name, r, func(d document) error { return held.pass(d, take) }); err != nil {
			return err
		}
		return held.rest(take)
	}
	n, err := u.unpack(s.name, stream, 0)
	b.input.Objects += found
	b.lists += lists
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && n == 0 && s.named:
		return fmt.Errorf("%s: the archive holds no .yaml, .yml or .json file", s.name)
	case err == nil && found+lists == 0 && s.named && b.saved == "":
		return fmt.Errorf("%s: no Kubernetes object found", s.name)
	}
	return err
}

// add decodes one document. It reports false for what is no Kubernetes object.
func (b *fileBuilder) add(d document) (bool, error) {
	h := d.Head
	if h.complete(d.List) {
		d.JSON = b.typed(d.JSON, h)
	}
	if h.APIVersion == "" || h.Kind == "" {
		return false, nil
	}
	if d.IsList {
		h.Kind = strings.TrimSuffix(h.Kind, "List")
		for _, src := range b.byKind[h.groupKind()] {
			b.present[src.View] = true
		}
		return true, nil
	}
	sources := b.byKind[h.groupKind()]
	item := wire.Item{Encoding: snapshot.JSON, Raw: b.defaulted(d.JSON, sources), Location: d.Location}
	if len(sources) == 0 {
		b.input.Unread++
	}
	b.custom.see(h.groupKind(), d.JSON)
	for _, src := range sources {
		b.present[src.View] = true
	}
	c, judged := b.enter(h, item, sources)
	if !judged {
		return true, nil
	}
	held := false // by a view in which owners are looked for
	for _, src := range sources {
		if wanted(src, h) && b.decode(src, item, c) && ownable(src.View) {
			held = true
		}
	}
	if !held {
		b.sight(h, item, c)
	}
	return true, nil
}

// decode puts an object into its view. It reports false where that was not possible.
func (b *fileBuilder) decode(src snapshot.Source, item wire.Item, c *copied) bool {
	if src.View == snapshot.SparkApplications { // the sizes of its parts are those of what the API server keeps, without blanks
		var err error
		if b.compact, err = jsontext.AppendFormat(b.compact[:0], item.Raw, lenient(), jsontext.PreserveRawStrings(true)); err == nil {
			item.Raw = b.compact
		}
	}
	record, err := b.decoder.Decode(src, item)
	if err != nil {
		resource := resource{group: src.Group, name: src.Resource}
		b.bad[src.View] = append(b.bad[src.View], undecoded{c, undecodable(resource.full(), record, item.Location, err)})
	}
	if record == nil {
		return false
	}
	b.put(src.View, record, c)
	return true
}

// put adds a record of a copy to a view.
func (b *fileBuilder) put(v snapshot.View, r snapshot.Record, c *copied) {
	b.Add(v, r)
	c.key, c.views = snapshot.KeyOf(r), append(c.views, v)
}

// sight keeps the metadata of an object that no view holds: it can still be the owner of a Spark object.
func (b *fileBuilder) sight(h head, item wire.Item, c *copied) {
	gk := h.groupKind()
	record, err := b.decoder.Decode(snapshot.Source{View: snapshot.Owners, Version: h.APIVersion, Kind: h.Kind, Namespaced: !snapshot.ClusterScoped(gk)}, item)
	if err != nil {
		b.badOwners[gk] = append(b.badOwners[gk], undecoded{c, undecodable(gk.String(), record, item.Location, err)})
		return
	}
	b.put(snapshot.Owners, record, c)
}

// ownable reports whether the snapshot looks for owners among the objects of a view itself.
func ownable(v snapshot.View) bool {
	switch v {
	case snapshot.Deployments, snapshot.MutatingWebhooks, snapshot.ValidatingWebhooks, snapshot.WarningEvents, snapshot.Namespaces,
		snapshot.WebhookServices, snapshot.WebhookEndpoints, snapshot.OperatorPods, snapshot.WebhookSecrets, snapshot.Leases, snapshot.Nodes, snapshot.ResourceQuotas,
		snapshot.RoleBindings, snapshot.ClusterRoleBindings, snapshot.Roles, snapshot.ClusterRoles, snapshot.ServiceAccounts, snapshot.OperatorCRDs:
		return false
	default:
		return true
	}
}

// wanted applies the selectors that a server would apply to the listing.
func wanted(src snapshot.Source, h head) bool {
	switch src.View {
	case snapshot.SparkPods:
		return h.LaunchedBy == "true"
	case snapshot.OperatorPods:
		return h.LaunchedBy != "true"
	case snapshot.WarningEvents:
		return snapshot.EventIsRead(h.Reason)
	default:
		return true
	}
}
