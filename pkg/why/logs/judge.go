package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// strength is how much is known about what a chain tells.
type strength int

const (
	effectOnly strength = iota // it follows from something else
	unclear                    // an exception raised by Spark or a library, of which nothing is known
	plausible                  // known, but another cause may be behind it; or code of the application called what failed
	ownCode                    // raised by code of the application
	certain                    // the message proves it by itself
)

// verdict is what a chain means.
type verdict struct {
	strength  strength
	class     cause.Class
	says      string
	bare      string // what the catalogue alone says
	next      []command.Command
	signature string
	file      string // of a signature that is not built in
	leftover  bool   // see catalog.Signature
	root      *link  // nil: from a plain line
	frame     *frame // of the application's code; nil: none
}

const (
	maxSaid = 240 // of a message of an exception within a sentence
)

// judged says what a chain means, and of whom: of the application, or of a server that it asked.
func judged(links []link) verdict {
	if v, is := brokeOff(links); is {
		return v
	}
	v := meaning(links)
	if v.strength >= plausible && ofMetastore(links) {
		v.says = "the Hive metastore itself failed: " + v.says
		v.next = []command.Command{command.Do("mend it where the metastore runs: its class path, files and identity, not those of the " +
			"application")}
	}
	if host, is := nameservice(links); is && v.signature == "host-unknown" {
		v.class = cause.Configuration
		v.says += "; HDFS takes " + host + " for a host: the Hadoop configuration of this process has no nameservice of that name"
		v.next = []command.Command{command.Do("give driver and executor the Hadoop configuration (spec.hadoopConfigMap, which sets " +
			"HADOOP_CONF_DIR), or set dfs.nameservices and its name nodes in spec.hadoopConf"),
			command.Do("if %s is a host, check its name and the cluster's DNS", host)}
	}
	return v
}

// nameservice is the name that HDFS could not resolve, where it is no host's name with a domain: without its configuration, a client takes
// a nameservice for a host (hadoop-hdfs-project/hadoop-hdfs-client/src/main/java/org/apache/hadoop/hdfs/NameNodeProxiesClient.java of
// apache/hadoop@rel/release-3.3.3).
func nameservice(links []link) (string, bool) {
	ofHDFS := func(f frame) bool { return strings.HasPrefix(f.name, "org.apache.hadoop.hdfs.NameNodeProxiesClient.") }
	if !slices.ContainsFunc(links, func(l link) bool { return slices.ContainsFunc(l.frames, ofHDFS) }) {
		return "", false
	}
	host := ""
	for i := range links {
		l := &links[i]
		if strings.HasSuffix(l.class, "UnknownHostException") {
			host = l.message
		} else if _, name, wraps := strings.Cut(l.message, "UnknownHostException: "); wraps && host == "" {
			host = name
		}
	}
	return host, host != "" && !strings.ContainsAny(host, ".: ")
}

// ofMetastore reports whether the metastore raised the exception: its client only hands it on as a MetaException
// (standalone-metastore/metastore-common/src/gen/thrift/gen-javabean/org/apache/hadoop/hive/metastore/api/ThriftHiveMetastore.java of
// apache/hive@rel/release-3.1.3, which reads it from the connection).
func ofMetastore(links []link) bool {
	of := func(l link) bool { return strings.HasSuffix(l.class, "MetaException") }
	received := func(f frame) bool { return f.name == "org.apache.thrift.TServiceClient.receiveBase" }
	return slices.ContainsFunc(links, of) && slices.ContainsFunc(links, func(l link) bool { return slices.ContainsFunc(l.frames, received) })
}

// meaning is what a chain means by itself, its root first: the deepest exception that the catalogue is certain about, else the deepest that
// it knows, else what its names and words tell, else that the code failed.
func meaning(links []link) verdict {
	if len(links) == 0 {
		return verdict{}
	}
	if effects(links) {
		return verdict{strength: effectOnly, class: cause.Unknown, root: effectOf(links), says: described(effectOf(links))}
	}
	if v, ok := shadowed(links); ok {
		return v
	}
	own := ownFrame(links)
	known, named := verdict{}, false
	for i := range links {
		l := &links[i]
		if i > 0 && known.root == nil && !links[i-1].wraps() && raisedByOwn(&links[i-1]) {
			break // the application raised what this one carries, so that its words only retell it
		}
		m, ok := catalog.Exception(l.class, l.message)
		if !ok || m.Signature.Effect {
			continue
		}
		v := verdict{strength: plausible, class: m.Signature.Class, says: m.Says, bare: m.Says, next: m.Next,
			signature: m.Signature.ID, leftover: m.Signature.Leftover, root: l, frame: own}
		if m.Signature.Certain {
			v.strength = certain
			v.says = inTheirWords(v.says, links[i:])
			return carried(v, links[i+1:])
		}
		switch {
		case known.root == nil:
			known = v
		case !named && known.class == v.class && known.signature != v.signature:
			// What carries a general exception names what it is about: that a connection is refused, and whose.
			v.root, named = known.root, true
			known = v
		}
	}
	if known.root != nil {
		said := described(known.root)
		if begin := cut(gist(known.root.message), maxSaid/4); !strings.Contains(known.says, said) && !strings.Contains(known.says, begin) {
			known.says = shortened(known.says+": "+said, 2*maxSaid)
		}
		return known
	}
	for i := range links {
		if f, ok := familyOf(&links[i]); ok {
			return f.verdict(&links[i], own)
		}
	}
	if f, l, ok := wording(links); ok {
		return f.verdict(l, own)
	}
	if v, ok := required(links, own); ok {
		return v
	}
	return codeVerdict(links, own)
}

// carried takes what the catalogue is certain of about an exception that hands on the root's words and names more: whose host it is.
func carried(v verdict, carriers []link) verdict {
	for i := range carriers {
		l := &carriers[i]
		m, ok := catalog.Exception(l.class, l.message)
		if ok && m.Signature.Certain && m.Signature.Class == v.class && m.Signature.ID != v.signature && v.root.message != "" &&
			l.class == v.root.class && strings.Contains(l.message, v.root.message) {
			v.says, v.bare, v.next, v.signature = m.Says, m.Says, m.Next, m.Signature.ID
			return v
		}
	}
	return v
}

// inTheirWords adds the words of the exceptions themselves to what the catalogue says, where they name more: a bucket, a column, a host.
// What the deepest leaves out, those that carry it may tell.
func inTheirWords(says string, links []link) string {
	for i := range links {
		if l := &links[i]; !l.wraps() && namesMore(says, l) {
			return shortened(says+": "+described(l), 2*maxSaid)
		}
	}
	return says
}

// namesMore reports whether an exception names something that was not said.
func namesMore(says string, l *link) bool {
	message := gist(strings.Join(strings.Fields(l.message), " "))
	if begin := cut(message, maxSaid/4); begin != "" && strings.Contains(says, begin) {
		return false // it was said in these words
	}
	for _, word := range strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune(" ,;()[]{}'\"`", r) }) {
		word = strings.TrimRight(word, ".:")
		name := strings.ContainsAny(word, "0123456789/_.:@=") && !throwableName.MatchString(word+":") && !strings.HasSuffix(word, "Exception")
		if name && !strings.Contains(says, word) {
			return true
		}
	}
	return false
}

// codeVerdict is for exceptions that neither catalogue nor names explain.
func codeVerdict(links []link, own *frame) verdict {
	root := rootOf(links)
	v := verdict{strength: unclear, class: cause.CodeFailed, root: root, frame: own, says: described(root)}
	effect := false
	for i := range links {
		if m, ok := catalog.Exception(links[i].class, links[i].message); ok && m.Signature.Effect {
			effect = true
		}
	}
	switch {
	case effect:
		v.strength, v.class = effectOnly, cause.Unknown
	case root.wraps():
		v.class = cause.Unknown // what it carried was cut off
	case raisedByOwn(root):
		v.strength = ownCode
	case own != nil && (root.ofData() || len(root.frames) == 0 && !root.python):
		v.strength = plausible
	case !root.ofData():
		v.class = cause.Unknown // a client of something else raised it: whose fault that is, is not known
	}
	switch {
	case v.strength > unclear:
		v.says = "the job's code failed: " + v.says
	case v.strength == unclear:
		v.says = "the application failed with " + v.says
	}
	return v
}

// rootOf is the deepest exception that does not only carry another.
func rootOf(links []link) *link {
	for i := range links {
		if !links[i].wraps() {
			return &links[i]
		}
	}
	return &links[0]
}

func effectOf(links []link) *link {
	for i := range links {
		if links[i].effect() {
			return &links[i]
		}
	}
	return &links[0]
}

// raisedByOwn reports whether the code of the application raised the exception, itself or by what it asked of its language.
func raisedByOwn(l *link) bool {
	if l.home != "" && strings.HasPrefix(l.class, l.home+".") {
		return true // its own exception, whatever was cut off of its frames
	}
	for i := range l.frames {
		f := &l.frames[i]
		if f.remote() {
			return false
		}
		if !f.runtime() && !guards.MatchString(f.name) {
			return f.own(l.home)
		}
	}
	return false
}

// ownFrame is the frame of the application's code that is nearest to the root; else that of code that no list of libraries knows.
func ownFrame(links []link) *frame {
	var other *frame
	for i := range links {
		for k := range links[i].frames {
			f := &links[i].frames[k]
			switch {
			case f.own(links[i].home):
				return f
			case other == nil && !f.library():
				other = f
			}
		}
	}
	return other
}

// gist leaves out what the client of Kubernetes puts around the answer of the API server (kubernetes-client-api/src/main/java/io/fabric8/
// kubernetes/client/dsl/internal/OperationSupport.java@v6.7.2), which guesses at a revoked account whatever was refused.
func gist(message string) string {
	for _, before := range []string{"Service account may have been revoked. ", ". Message: "} {
		if _, after, found := strings.Cut(message, before); found && strings.HasPrefix(message, "Failure executing: ") {
			message = after
			break
		}
	}
	message, _, _ = strings.Cut(message, " Received status: Status(")
	message, _, _ = strings.Cut(message, " Serialization trace:") // where Kryo was when something else failed (KryoException.java, kryo@4.0.2)
	return message
}
