package collect

import (
	"context"
	"encoding/json"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
)

// WhoAmI asks the API server for the name of the user, as kubectl auth whoami does. The request is a POST by its form only, and every
// authenticated user may make it (kubernetes.io/docs/reference/access-authn-authz/authentication, since 1.28).
func WhoAmI(ctx context.Context, conn *apiserver.Connection) (string, error) {
	c, err := newClient(conn, 0, 0)
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(authenticationv1.SelfSubjectReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "SelfSubjectReview"},
	})
	if err != nil {
		return "", err
	}
	answer, err := c.rest.Post().AbsPath("/apis/authentication.k8s.io/v1/selfsubjectreviews").SetHeader("Content-Type", "application/json").
		SetHeader("Accept", "application/json").Body(body).Do(ctx).Raw()
	if err != nil {
		return "", err
	}
	var got authenticationv1.SelfSubjectReview
	if err := utiljson.Unmarshal(answer, &got); err != nil {
		return "", fmt.Errorf("decoding who the user is: %w", err)
	}
	return got.Status.UserInfo.Username, nil
}
