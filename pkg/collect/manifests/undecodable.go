package manifests

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// undecodable names an object that could not be decoded, as far as its metadata or its place in the input tell.
func undecodable(resource string, record snapshot.Record, loc snapshot.Location, err error) snapshot.Unseen {
	u := snapshot.Unseen{Verb: snapshot.DecodeVerb, Resource: resource, Reason: (&inputError{loc, err}).Error()}
	if app, ok := record.(*snapshot.SparkApplication); ok {
		u.Namespace, u.Name = app.Namespace, app.Name
	}
	return u
}

// undecoded is an object of the input that could not be decoded.
type undecoded struct {
	copied *copied
	unseen snapshot.Unseen
}

// judged are those that no newer copy replaces.
func judged(list []undecoded) []snapshot.Unseen {
	var out []snapshot.Unseen
	for _, u := range list {
		if !u.copied.replaced {
			out = append(out, u.unseen)
		}
	}
	return out
}
