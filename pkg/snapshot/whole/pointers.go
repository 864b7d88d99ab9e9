package whole

import (
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// The functions below return the names by which an object refers to others.

// Queue is the queue that a Workload of Kueue or a PodGroup of Volcano is in; empty: it names none.
func Queue(w *snapshot.Whole) string {
	f := fieldsOf(w)
	if name := f.Text("spec", "queueName"); name != "" {
		return name
	}
	return f.Text("spec", "queue")
}

// ClusterQueue is that of a LocalQueue of Kueue.
func ClusterQueue(localQueue *snapshot.Whole) string {
	return fieldsOf(localQueue).Text("spec", "clusterQueue")
}

// Request is the CertificateRequest by which cert-manager asks for the next certificate of a Certificate, named for it and the next
// revision (pkg/controller/certificates/requestmanager/requestmanager_controller.go of cert-manager, gate StableCertificateRequestName);
// empty: it asks for none.
func Request(certificate *snapshot.Whole) string {
	f := fieldsOf(certificate)
	for _, one := range f.Objects("status", "conditions") {
		if one.Text("type") == "Issuing" && one.Text("status") == "True" {
			return certificate.Name + "-" + strconv.Itoa(f.Count("status", "revision")+1)
		}
	}
	return ""
}
