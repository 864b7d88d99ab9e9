package node

// The node's network: one bridge, in a network namespace of its own, with the node's address, the pods, and one end of a pair of
// interfaces. The other end, on the machine, has the machine's address there and that of the Service "kubernetes".
const (
	network       = "10.203.0.0/24"
	prefix        = "/24"
	hostAddress   = "10.203.0.1"
	nodeAddress   = "10.203.0.2"
	firstPod      = "10.203.0.10"
	lastPod       = "10.203.0.250"
	services      = "10.96.0.0/16" // --service-cluster-ip-range
	hostInterface = "sparkdoctor0"
	nodeInterface = "uplink"
	bridge        = "pods"
)

// Other fixed names. There is one node at a time, so that a stale one is found.
const (
	// stateDir is neither below /run nor /var/lib, which the node hides, and on a disk, which overlayfs needs.
	stateDir = "/var/tmp/sparkdoctor-node"
	// lockName is an abstract socket (unix(7)): it is gone when the process that listens there is.
	lockName   = "@sparkdoctor-node"
	cgroupName = "sparkdoctor-node"
	cgroupRoot = "/sys/fs/cgroup"
)
