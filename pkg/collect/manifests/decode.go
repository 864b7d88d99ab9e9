package manifests

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

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

// add decodes one document. It reports false for what is no Kubernetes object.
func (b *builder) add(d document) (bool, error) {
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
		return true, b.over
	}
	if _, full := b.inFull.byKind[h.groupKind()]; full || len(sources) > 0 {
		b.clock.read(h.groupKind(), item.Raw)
	}
	if b.raw[h.groupKind()] {
		b.spend(int64(len(item.Raw)))
		c.raw = bytes.Clone(item.Raw)
	}
	b.keep(h, item, c)
	held := false // by a view in which owners are looked for
	for _, src := range sources {
		if wanted(src, h) && b.decode(src, item, c) && ownable(src.View) {
			held = true
		}
	}
	if !held {
		b.possibleOwner(h, item, c)
	}
	return true, b.over
}

// decode puts an object into its view. It reports false where that was not possible.
func (b *builder) decode(src snapshot.Source, item wire.Item, c *copied) bool {
	if src.View == snapshot.SparkApplications { // the sizes of its parts are those of what the API server keeps, without blanks
		var err error
		if b.compact, err = jsontext.AppendFormat(b.compact[:0], item.Raw, lenient(), jsontext.PreserveRawStrings(true)); err == nil {
			item.Raw = b.compact
		}
	}
	record, err := b.decoder.Decode(src, item)
	if err != nil {
		resource := schema.GroupResource{Group: src.Group, Resource: src.Resource}
		b.bad[src.View] = append(b.bad[src.View], undecoded{c, undecodable(resource.String(), record, item.Location, err)})
	}
	if record == nil {
		return false
	}
	b.put(src.View, record, c)
	return true
}

// put adds a record of a copy to a view.
func (b *builder) put(v snapshot.View, r snapshot.Record, c *copied) {
	b.spend(input.Size(r))
	b.Add(v, r)
	c.key, c.views = snapshot.KeyOf(r), append(c.views, v)
}

// spend takes from the budget what something takes that is kept.
func (b *builder) spend(size int64) {
	if err := b.spent.Keep(size); err != nil {
		b.over = err
	}
}

// possibleOwner keeps the metadata of an object that no view holds: it can still be the owner of a Spark object.
func (b *builder) possibleOwner(h head, item wire.Item, c *copied) {
	gk := h.groupKind()
	source := snapshot.Source{View: snapshot.Owners, Version: h.APIVersion, Kind: h.Kind, Namespaced: !snapshot.ClusterScoped(gk)}
	record, err := b.decoder.Decode(source, item)
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
		snapshot.WebhookServices, snapshot.WebhookEndpoints, snapshot.OperatorPods, snapshot.WebhookSecrets, snapshot.Leases, snapshot.HookJobs,
		snapshot.Nodes, snapshot.ResourceQuotas, snapshot.RoleBindings, snapshot.ClusterRoleBindings, snapshot.Roles,
		snapshot.ClusterRoles, snapshot.ServiceAccounts, snapshot.OperatorCRDs, snapshot.CRDRules:
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
