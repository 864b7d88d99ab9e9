// Package plan is what package node tells the first process of a node, which boot is: a JSON file.
package plan

// Plan says what the node is, beside the machine that it runs on. Its first process has mount, process and network namespaces of its
// own, so that all of it is gone when that process is.
type Plan struct {
	Dir      string    // the node's state, under the same name as on the machine
	Hide     []string  // directories of the machine that the node has empty ones for
	Settings []string  // kernel settings below /proc/sys that the kubelet writes; the node has copies that nobody reads
	Link     string    // the network interface that leads to the machine; it is there when boot is told to go on
	Bridge   string    // the bridge that Link and all pods hang on
	Address  string    // the node's own, on the bridge, with the length of its prefix
	Route    Route     // how Services are reached
	Programs []Program // started in this order; the end of one is the end of the node
}

// Route leads to a network in CIDR notation by a gateway.
type Route struct{ To, Via string }

// Program is one that runs as long as the node. Its output goes to Dir/Name.log.
type Program struct {
	Name string
	Path string
	Args []string
	Env  []string // added to boot's own
	// Socket is a Unix socket; the next program starts when this one answers there. Empty: at once.
	Socket string
}
