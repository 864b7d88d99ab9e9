package operator

// QueueLabel is the label by which Kueue knows in which queue something waits (kueue.sigs.k8s.io/docs/reference/labels-and-annotations).
const QueueLabel = "kueue.x-k8s.io/queue-name"

// QueueLabelsSince is the first release that keeps the labels of Kueue, those below kueue.x-k8s.io/, from the pods of an
// application that has them; before it, pods have all labels of their application (driverConfOption and executorConfOption
// in internal/controller/sparkapplication/submission.go@v2.3.0, @v2.4.0 and @v2.5.2, #2714).
func QueueLabelsSince() Version { return Version{2, 4, 0} }
