package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// review asks the API server whether a service account may do something. The request is a POST by its form only: nothing
// is kept of it (kubernetes.io/docs/reference/access-authn-authz/authorization). A nil record says no.
func (a *Again) review(ctx context.Context, ref snapshot.Ref) (snapshot.Record, error) {
	q, ok := snapshot.ReviewOf(ref)
	if !ok {
		return nil, fmt.Errorf("%s is no question about access", ref)
	}
	body, err := json.Marshal(authorizationv1.SubjectAccessReview{
		TypeMeta: metav1.TypeMeta{APIVersion: ref.APIVersion, Kind: ref.Kind},
		Spec: authorizationv1.SubjectAccessReviewSpec{
			User: q.User(), Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + q.Account.Namespace, "system:authenticated"},
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Verb: q.Verb, Group: q.Group, Resource: q.Resource, Subresource: q.Subresource, Name: q.Request.Name, Namespace: q.Request.Namespace,
			},
		},
	})
	if err != nil {
		return nil, err
	}
	answer, err := a.c.rest.Post().AbsPath("/apis/authorization.k8s.io/v1/subjectaccessreviews").SetHeader("Content-Type", "application/json").
		SetHeader("Accept", "application/json").Body(body).Do(ctx).Raw()
	if err != nil {
		return nil, err
	}
	var got authorizationv1.SubjectAccessReview
	if err := utiljson.Unmarshal(answer, &got); err != nil {
		return nil, fmt.Errorf("decoding an access review: %w", err)
	}
	switch {
	case got.Status.Allowed:
		return &snapshot.Object{Ref: ref}, nil
	case got.Status.EvaluationError != "":
		return nil, errors.New(snapshot.Redact(got.Status.EvaluationError))
	default:
		return nil, nil
	}
}
