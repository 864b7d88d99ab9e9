package collect

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// undecodable names an object that could not be decoded, as far as its metadata or its place in the input tell.
func undecodable(resource string, record snapshot.Record, loc snapshot.Location, err error) snapshot.Unseen {
	u := snapshot.Unseen{Verb: "decode", Resource: resource, Reason: err.Error()}
	if app, ok := record.(*snapshot.SparkApplication); ok {
		u.Namespace, u.Name = app.Namespace, app.Name
	}
	if loc != (snapshot.Location{}) {
		u.Reason = (&inputError{loc, err}).Error()
	}
	return u
}
