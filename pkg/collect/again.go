package collect

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// Again fetches single objects again, to confirm what a finding rests on.
type Again struct {
	c      *client
	served *served
}

// Costs returns what all requests so far took, those of the listings too.
func (a *Again) Costs() []Cost { return a.c.meter.list() }

// Fetch reads one object. A nil record without an error means that it does not exist.
func (a *Again) Fetch(ctx context.Context, v snapshot.View, ref snapshot.Ref) (snapshot.Record, error) {
	if v == snapshot.AccessReviews {
		return a.review(ctx, ref)
	}
	src, listed := snapshot.SourceOf(v)
	if !listed || src.GroupKind() != ref.GroupKind() {
		src = snapshot.Source{View: v, Group: ref.Group(), Kind: ref.Kind, Namespaced: ref.Namespace != "", Encoding: snapshot.Metadata}
	}
	return a.fetch(ctx, src, ref)
}

func (a *Again) fetch(ctx context.Context, src snapshot.Source, ref snapshot.Ref) (snapshot.Record, error) {
	res, err := a.served.find(ref.GroupKind(), src.Version)
	if err != nil {
		return nil, err
	}
	src.Version = res.version
	// An ownerReference may hold any text as a name. What the API server takes for no name names no object, and must
	// not lead to another path.
	if !validSegment(ref.Name) || ref.Namespace != "" && !validSegment(ref.Namespace) {
		return nil, nil
	}
	namespace := ref.Namespace
	if !res.namespaced {
		namespace = ""
	}
	body, err := a.c.get(res.path(namespace)+"/"+ref.Name, acceptOne(src.Encoding)).Do(ctx).Raw()
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return wire.Decode(src, wire.Item{Encoding: snapshot.JSON, Raw: body})
}

func validSegment(name string) bool {
	return name != "" && len(content.IsPathSegmentName(name)) == 0
}

// acceptOne asks for JSON: one object is small, and its decoder is the same.
func acceptOne(e snapshot.Encoding) string {
	if e == snapshot.Metadata {
		return "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
	}
	return "application/json"
}
