package cause

// ID names a mechanism: "oom-killed". The file that detects it, its words and its page have the same name.
type ID string

// Detail is what a mechanism found, as typed values: numbers, times, names, and what others said, as they said it. It holds no sentence
// of ours; package words makes one of it, last. Fields called Said, Says, Message, Text, Fault or Why hold words of others to be shown:
// once the mechanism returned, they decide nothing.
type Detail interface {
	Mechanism() ID
}

// Role is whose failure a cause is: which pods, or which step before there are any.
type Role string

// The roles. A driver is also the server of Spark Connect.
const (
	DriverRole     Role = "driver"
	ExecutorRole   Role = "executor"
	OperatorRole   Role = "operator"   // its controller or webhook
	SubmissionRole Role = "submission" // spark-submit, before there is a driver
)

// Topics are what a cause is about beside its class, for those that ask for it: relations, and what to show beside a verdict.
type Topics uint

// The topics.
const (
	Memory        Topics = 1 << iota // heap, metaspace, overhead, garbage collection
	OOMKilled                        // the kubelet recorded OOMKilled
	Exit52                           // the exit code of a JVM for any OutOfMemoryError
	OutOfHeap                        // an OutOfMemoryError that names the memory that was full
	TimesOut                         // heartbeats, futures, broadcasts: time that ran out between processes of Spark
	OwnLimit                         // a pod ended by a limit of its own, not taken away from outside
	Unsaid                           // executors failed, their pods are gone, and nothing says why
	Gone                             // says itself that pods, logs or events are gone
	Killed                           // exit code 137, or a kill for memory
	DriverName                       // the name of the driver's Service, which others look up
	GaveUpWaiting                    // a driver gave up for the time that something took
	Unmutated                        // the operator's webhook did not change a pod
	Unreached                        // executors that cannot reach the driver or each other
	OtherCPU                         // an image built for another CPU architecture than that of the node
	Unwritable                       // a directory that Spark writes to
	InTmp                            // what cannot be written is below /tmp
	WorkerGone                       // a Python worker ended, which leaves open why
	AbsentFile                       // a file or directory that is asked for and is not there
	UnknownHost                      // a name that does not resolve
	PodRefused                       // the API server did not let a pod be created, for a quota or a range of the namespace
	OverQuota                        // a quota has no room, by the API server's words
)

// Has reports whether a cause is about a topic.
func (t Topics) Has(one Topics) bool { return t&one != 0 }
