package collect

import (
	"cmp"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// undecodable names an object of a listing that could not be decoded, as far as its metadata tells; its namespace is that of the
// listing where it names none.
func undecodable(resource, namespace string, record snapshot.Record, err error) snapshot.Unseen {
	u := snapshot.Unseen{Verb: snapshot.DecodeVerb, Resource: resource, Namespace: namespace, Reason: err.Error()}
	if app, ok := record.(*snapshot.SparkApplication); ok {
		u.Namespace, u.Name = cmp.Or(app.Namespace, namespace), app.Name
	}
	return u
}
