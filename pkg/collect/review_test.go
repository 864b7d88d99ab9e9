package collect

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestAccessReview(t *testing.T) {
	question := snapshot.Review{
		Account: snapshot.Account{Namespace: "team-a", Name: "spark"},
		Request: snapshot.Request{Verb: "update", Group: "sparkoperator.k8s.io", Resource: "sparkapplications", Subresource: "status",
			Namespace: "team-b"},
	}
	for name, c := range map[string]struct {
		status  authorizationv1.SubjectAccessReviewStatus
		refused bool
		allowed bool
		fails   string
	}{
		"allowed": {status: authorizationv1.SubjectAccessReviewStatus{Allowed: true}, allowed: true},
		"denied":  {status: authorizationv1.SubjectAccessReviewStatus{Reason: "no"}},
		"half a verdict": {status: authorizationv1.SubjectAccessReviewStatus{EvaluationError: "webhook: token=0123456789abcdef0123"},
			fails: "webhook"},
		"not my business": {refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, fleet(1)...)
			server.fault = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodPost {
					return false
				}
				if c.refused {
					fail(w, apierrors.NewForbidden(schema.GroupResource{Group: "authorization.k8s.io", Resource: "subjectaccessreviews"}, "", nil))
					return true
				}
				require.Equal(t, "/apis/authorization.k8s.io/v1/subjectaccessreviews", r.URL.Path)
				var got authorizationv1.SubjectAccessReview
				require.NoError(t, json.NewDecoder(r.Body).Decode(&got))
				require.Equal(t, "system:serviceaccount:team-a:spark", got.Spec.User)
				require.Equal(t, []string{"system:serviceaccounts", "system:serviceaccounts:team-a", "system:authenticated"}, got.Spec.Groups)
				require.Equal(t, &authorizationv1.ResourceAttributes{Verb: "update", Group: "sparkoperator.k8s.io", Resource: "sparkapplications",
					Subresource: "status", Namespace: "team-b"}, got.Spec.ResourceAttributes)
				got.Status = c.status
				w.Header().Set("Content-Type", "application/json")
				require.NoError(t, json.NewEncoder(w).Encode(got))
				return true
			}
			_, again, err := Cluster(t.Context(), connected(t, server.config()),
				ClusterOptions{Needs: need(snapshot.SparkApplications), Now: time.Now})
			require.NoError(t, err)
			record, err := again.Fetch(t.Context(), snapshot.AccessReviews, question.Ref())
			if c.refused {
				require.True(t, apierrors.IsForbidden(err), "%v", err)
				return
			}
			if c.fails != "" {
				require.ErrorContains(t, err, c.fails)
				require.NotContains(t, err.Error(), "0123456789abcdef0123")
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.allowed, record != nil)
		})
	}
}
