package collect

import (
	"context"
	"fmt"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// maxNames bounds what is offered to choose from.
const maxNames = 500

// Names returns the names of objects of a view in a namespace, empty for all or none, in one request for each version that the server may
// have: for a person who is typing. Nothing is discovered, and of a long list the first page is enough.
func Names(ctx context.Context, conn *apiserver.Connection, v snapshot.View, namespace string) ([]string, error) {
	src, known := snapshot.SourceOf(v)
	if !known || src.ByName {
		return nil, fmt.Errorf("view %s is not listed", v)
	}
	c, err := newClient(conn, 0, 0)
	if err != nil {
		return nil, err
	}
	var body []byte
	for _, version := range append([]string{src.Version}, src.Older...) {
		path := resource{group: src.Group, version: version, name: src.Resource}.path(namespace)
		body, err = c.rest.Get().AbsPath(path).Param("limit", strconv.Itoa(maxNames)).Param("labelSelector", src.LabelSelector).
			SetHeader("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json").Do(ctx).Raw()
		if !apierrors.IsNotFound(err) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	var list metav1.PartialObjectMetadataList
	if err := utiljson.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("listing %s: %w", src.Resource, err)
	}
	names := make([]string, 0, len(list.Items))
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	return names, nil
}
