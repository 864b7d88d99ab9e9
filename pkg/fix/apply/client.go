package apply

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Client reads single objects as they are now, and sends steps.
type Client struct {
	dynamic   dynamic.Interface
	discovery discovery.DiscoveryInterface
	mapper    meta.RESTMapper
	manager   string
}

// Options say how a client writes.
type Options struct {
	Manager string  // the field manager that the API server notes
	QPS     float32 // requests a second; 0: 50, as when reading: with client-go's 5 a hundred objects take minutes
	Burst   int     // requests at once before QPS counts; 0: 100
}

// NewClient makes one.
func NewClient(conn *apiserver.Connection, o Options) (*Client, error) {
	config := conn.Config()
	config.QPS, config.Burst = cmp.Or(o.QPS, 50), cmp.Or(o.Burst, 100)
	d, err := dynamic.NewForConfigAndClient(config, conn.Client())
	if err != nil {
		return nil, err
	}
	groups, err := discovery.NewDiscoveryClientForConfigAndClient(config, conn.Client())
	if err != nil {
		return nil, err
	}
	// Not kubectl's own mapper, which keeps what it discovers on disk.
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(groups))
	return &Client{dynamic: d, discovery: groups, mapper: mapper, manager: o.Manager}, nil
}

// Manager is the field manager of what it writes.
func (c *Client) Manager() string { return c.manager }

// System is a namespace that every cluster has and that is never deleted, so its UID identifies the cluster.
const System = "kube-system"

// ClusterUID returns what tells this cluster from any other: the UID of a namespace.
func (c *Client) ClusterUID(ctx context.Context, namespace string) (string, error) {
	o, err := c.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Get(ctx, namespace, metav1.GetOptions{})
	if err != nil {
		return "", fmt.Errorf("reading the namespace %s, whose UID names the cluster: %w", namespace, apiserver.Named(err))
	}
	return string(o.GetUID()), nil
}

// pageSize bounds a page of the pods of one application.
const pageSize = 500

// Fetch reads what intents need. An object that does not exist, or whose kind is not served, is left out.
func (c *Client) Fetch(ctx context.Context, reads []fix.Read) (fix.Fresh, error) {
	f := fix.NewFresh()
	for _, r := range reads {
		at, err := c.resource(r.Ref)
		if meta.IsNoMatchError(err) {
			if err = c.notServed(r.Ref); err == nil {
				continue
			}
		}
		if err != nil {
			return f, fmt.Errorf("reading %s: %w", r.Ref, err)
		}
		if r.Selector != "" {
			list, err := c.list(ctx, at, r.Selector)
			if err != nil {
				return f, fmt.Errorf("listing what has %s in namespace %s: %w", r.Selector, r.Ref.Namespace, err)
			}
			f.PutList(r, list)
			continue
		}
		o, err := at.Get(ctx, r.Ref.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return f, fmt.Errorf("reading %s: %w", r.Ref, apiserver.Named(err))
		}
		f.Put(o)
	}
	return f, nil
}

func (c *Client) list(ctx context.Context, at dynamic.ResourceInterface, selector string) ([]*fix.Object, error) {
	var out []*fix.Object
	options := metav1.ListOptions{LabelSelector: selector, Limit: pageSize}
	for pages := (apiserver.Pages{}); ; {
		page, err := at.List(ctx, options)
		if err != nil {
			return nil, apiserver.Named(err)
		}
		for i := range page.Items {
			out = append(out, &page.Items[i])
		}
		options.Continue = page.GetContinue()
		first := ""
		if len(page.Items) > 0 {
			first = page.Items[0].GetNamespace() + "/" + page.Items[0].GetName()
		}
		if err := pages.Next(options.Continue, len(page.Items), first); err != nil || options.Continue == "" {
			return out, err
		}
	}
}

// resource returns where objects of a kind are read and written.
func (c *Client) resource(ref snapshot.Ref) (dynamic.ResourceInterface, error) {
	m, err := c.mapping(ref)
	if err != nil {
		return nil, err
	}
	if m.Scope.Name() == meta.RESTScopeNameNamespace {
		return c.dynamic.Resource(m.Resource).Namespace(ref.Namespace), nil
	}
	return c.dynamic.Resource(m.Resource), nil
}

// notServed makes sure that the server does not know a kind: mappers leave out groups whose discovery failed, and an
// owner that cannot be looked at is not missing.
func (c *Client) notServed(ref snapshot.Ref) error {
	list, err := c.discovery.ServerResourcesForGroupVersion(ref.APIVersion)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return apiserver.Named(err)
	}
	if slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Kind == ref.Kind }) {
		return fmt.Errorf("kind %s of %s is served, but could not be mapped to a resource", ref.Kind, ref.APIVersion)
	}
	return nil
}

func (c *Client) mapping(ref snapshot.Ref) (*meta.RESTMapping, error) {
	gv, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		return nil, err
	}
	// An owner may be named in a version that is not served any more; the garbage collector goes by the kind.
	m, err := c.mapper.RESTMapping(schema.GroupKind{Group: gv.Group, Kind: ref.Kind}, gv.Version)
	if meta.IsNoMatchError(err) {
		return c.mapper.RESTMapping(schema.GroupKind{Group: gv.Group, Kind: ref.Kind})
	}
	return m, err
}

// send carries a step out, or has the server only try it.
func (c *Client) send(ctx context.Context, s fix.Step, dryRun bool) (*fix.Object, error) {
	if err := s.Permitted(); err != nil {
		return nil, &forbidden{err}
	}
	at, err := c.resource(s.Target)
	if err != nil {
		return nil, err
	}
	var only []string
	if dryRun {
		only = []string{metav1.DryRunAll}
	}
	if s.Delete {
		uid, version := types.UID(s.Target.UID), s.Version()
		return nil, apiserver.Named(at.Delete(ctx, s.Target.Name, metav1.DeleteOptions{
			DryRun: only, Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version},
		}))
	}
	body, err := json.Marshal(s.Patch())
	if err != nil {
		return nil, err
	}
	var subresource []string
	if s.Subresource != "" {
		subresource = []string{s.Subresource}
	}
	written, err := at.Patch(ctx, s.Target.Name, types.JSONPatchType, body, metav1.PatchOptions{DryRun: only, FieldManager: c.manager},
		subresource...)
	return written, apiserver.Named(err)
}

// Lacks returns those permissions that the user does not have. The reviews are asked for with dryRun, since they are
// requests to create.
func (c *Client) Lacks(ctx context.Context, list []plan.Permission) ([]plan.Permission, error) {
	var out []plan.Permission
	for _, p := range list {
		m, err := c.mapping(p.Object)
		if err != nil {
			return nil, err
		}
		review := &authorizationv1.SelfSubjectAccessReview{
			TypeMeta: metav1.TypeMeta{APIVersion: "authorization.k8s.io/v1", Kind: "SelfSubjectAccessReview"},
			Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: p.Object.Namespace, Verb: p.Verb, Group: m.Resource.Group, Version: m.Resource.Version, Resource: m.Resource.Resource,
				Subresource: p.Subresource, Name: p.Object.Name,
			}},
		}
		body, err := runtime.DefaultUnstructuredConverter.ToUnstructured(review)
		if err != nil {
			return nil, err
		}
		answer, err := c.dynamic.Resource(schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1",
			Resource: "selfsubjectaccessreviews"}).
			Create(ctx, &unstructured.Unstructured{Object: body}, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil {
			return nil, fmt.Errorf("asking what the user may do: %w", apiserver.Named(err))
		}
		if allowed, _, _ := unstructured.NestedBool(answer.Object, "status", "allowed"); !allowed {
			out = append(out, p)
		}
	}
	return out, nil
}
