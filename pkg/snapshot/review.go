package snapshot

import "strings"

// AccessReviews are the API server's own answers to whether a service account may do something, of all its authorizers.
// They are asked for only to confirm what the roles do not allow.
const AccessReviews View = "access reviews"

// Review is such a question.
type Review struct {
	Account
	Request
}

// Ref names the question, so that its answer can be kept like that about an object: a record says yes, none says no.
func (r Review) Ref() Ref {
	q := r.Request
	words := []string{r.Account.Namespace, r.Account.Name, q.Verb, q.Group, q.Resource, q.Subresource, q.Name, q.Namespace}
	return Ref{APIVersion: "authorization.k8s.io/v1", Kind: "SubjectAccessReview", Name: strings.Join(words, " ")}
}

// ReviewOf returns the question that a reference names.
func ReviewOf(ref Ref) (Review, bool) {
	w := strings.Split(ref.Name, " ") // no name of Kubernetes has a space
	if ref.Kind != "SubjectAccessReview" || len(w) != 8 {
		return Review{}, false
	}
	return Review{
		Account: Account{Namespace: w[0], Name: w[1]},
		Request: Request{Verb: w[2], Group: w[3], Resource: w[4], Subresource: w[5], Name: w[6], Namespace: w[7]},
	}, true
}
