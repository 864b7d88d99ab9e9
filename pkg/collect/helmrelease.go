package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
)

// ReleaseError says why a release of Helm was not read.
type ReleaseError struct {
	Found     []string // names of several releases, one of which it may be; nil: none, or it could not be read
	Forbidden bool
	Reason    string // empty: no Secret holds it
}

func (e *ReleaseError) Error() string {
	switch {
	case e.Forbidden:
		return "forbidden"
	case len(e.Found) > 0:
		return "several releases: " + strings.Join(e.Found, ", ")
	default:
		return cmp.Or(e.Reason, "not found")
	}
}

// HelmRelease reads the newest revision of a release from the Secrets of a namespace. Without a name it is the only one in it. The
// list brings metadata only, and one Secret is read. Errors are *ReleaseError.
func HelmRelease(ctx context.Context, conn *apiserver.Connection, namespace, name string) (*helm.Release, error) {
	if !validSegment(namespace) || len(validation.IsValidLabelValue(name)) > 0 {
		return nil, &ReleaseError{Reason: "release and namespace have no valid names"}
	}
	c, err := newClient(conn, 50, 100)
	if err != nil {
		return nil, err
	}
	listed, err := c.releases(ctx, namespace, name)
	if err != nil {
		return nil, releaseError(err)
	}
	names := map[string]bool{}
	for i := range listed {
		names[listed[i].Labels[helm.NameLabel]] = true
	}
	if len(listed) == 0 || len(names) > 1 {
		found := make([]string, 0, len(names))
		for one := range names {
			found = append(found, one)
		}
		slices.Sort(found)
		return nil, &ReleaseError{Found: found}
	}
	newest := slices.MaxFunc(listed, func(a, b metav1.PartialObjectMetadata) int { return cmp.Compare(revision(&a), revision(&b)) })
	r, err := c.release(ctx, namespace, &newest)
	if err != nil {
		return nil, releaseError(err)
	}
	for i := range listed {
		r.History = append(r.History, helm.Revision{Number: revision(&listed[i]), Status: listed[i].Labels[helm.StatusLabel]})
	}
	slices.SortFunc(r.History, func(a, b helm.Revision) int { return cmp.Compare(a.Number, b.Number) })
	return r, nil
}

// maxRevisions bounds a history. Helm keeps ten by default (--history-max).
const maxRevisions = 10_000

// releases lists the metadata of the Secrets in which Helm keeps releases.
func (c *client) releases(ctx context.Context, namespace, name string) ([]metav1.PartialObjectMetadata, error) {
	selector := helm.ReleaseOwner
	if name != "" {
		selector += "," + helm.NameLabel + "=" + name
	}
	var out []metav1.PartialObjectMetadata
	var pages apiserver.Pages
	for token := ""; ; {
		body, err := c.get(secrets().path(namespace), acceptMetadata).Param("labelSelector", selector).Param("limit", "500").
			Param("continue", token).Do(ctx).Raw()
		if err != nil {
			return nil, err
		}
		var list metav1.PartialObjectMetadataList
		if err := utiljson.Unmarshal(body, &list); err != nil {
			return nil, errors.New("the list of Secrets is no JSON") // the parser's own text may hold a part of one
		}
		if err := (listKind{"v1", "SecretList", true}).check(list.APIVersion, list.Kind); err != nil {
			return nil, err
		}
		for i := range list.Items {
			if revision(&list.Items[i]) > 0 && validSegment(list.Items[i].Name) {
				out = append(out, list.Items[i])
			}
		}
		if len(out) > maxRevisions {
			return nil, fmt.Errorf("more than %d revisions", maxRevisions)
		}
		token = list.Continue
		if err := pages.Next(token, len(list.Items), firstName(list.Items)); err != nil || token == "" {
			return out, err
		}
	}
}

func firstName(list []metav1.PartialObjectMetadata) string {
	if len(list) == 0 {
		return ""
	}
	return list[0].Namespace + "/" + list[0].Name
}

// release reads a revision. The Secret says in its labels and in its data which one it holds.
func (c *client) release(ctx context.Context, namespace string, of *metav1.PartialObjectMetadata) (*helm.Release, error) {
	body, err := c.get(secrets().path(namespace)+"/"+of.Name, "application/json").Do(ctx).Raw()
	if err != nil {
		return nil, err
	}
	var secret corev1.Secret
	if err := utiljson.Unmarshal(body, &secret); err != nil {
		return nil, fmt.Errorf("secret %s is no JSON", of.Name)
	}
	if secret.Type != helm.ReleaseType {
		return nil, fmt.Errorf("secret %s is of type %.60q, not %s", of.Name, secret.Type, helm.ReleaseType)
	}
	r, err := helm.DecodeRelease(secret.Data[helm.ReleaseKey])
	if err != nil {
		return nil, fmt.Errorf("secret %s cannot be decoded: %w", of.Name, err)
	}
	if r.Name != of.Labels[helm.NameLabel] || r.Revision != revision(of) {
		return nil, fmt.Errorf("secret %s holds another revision than its labels say", of.Name)
	}
	return r, nil
}

func secrets() resource { return resource{version: "v1", name: "secrets", namespaced: true} }

// acceptMetadata does not fall back to whole objects: nothing but the newest revision is to be read.
const acceptMetadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

// revision is what the label of a Secret says; 0: it is none of Helm's.
func revision(o *metav1.PartialObjectMetadata) int {
	n, err := strconv.Atoi(o.Labels[helm.RevisionLabel])
	if err != nil || o.Labels[helm.NameLabel] == "" {
		return 0
	}
	return n
}

func releaseError(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &ReleaseError{Forbidden: apierrors.IsForbidden(err), Reason: reasonOf(err)}
}
