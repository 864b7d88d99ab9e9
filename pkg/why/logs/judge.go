package logs

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// verdict is what a chain means.
type verdict struct {
	meaning  Meaning // nil: nothing
	strength Strength
	class    cause.Class
	root     *link  // nil: from a plain line
	frame    *frame // of the application's code; nil: none

	ofMetastore bool
	refused     string // what the metastore may not see
	nameservice string
	before      Throwable // that the application handled when it called what then failed
	earlier     *Finding
}

// signature is the id of the catalogue's entry, or the name of what is as well known; empty: neither.
func (v *verdict) signature() string {
	switch v.meaning.(type) {
	case Known, JVMCrashed, HeapStaysFull:
		return string(v.meaning.Mechanism())
	default:
		return ""
	}
}

// about is what the catalogue says that the verdict is about.
func (v *verdict) about() cause.Topics {
	known, is := v.meaning.(Known)
	if !is {
		return 0
	}
	return known.Signature.Topics()
}

// leftover reports whether an earlier failure may be behind it; see catalog.Signature.
func (v *verdict) leftover() bool {
	known, is := v.meaning.(Known)
	return is && known.Signature.Leftover
}

// finding is the verdict as a value for others.
func (v *verdict) finding() Finding {
	out := Finding{Meaning: v.meaning, Strength: v.strength, OfMetastore: v.ofMetastore, Refused: v.refused,
		Nameservice: v.nameservice, For: v.before, Earlier: v.earlier}
	if v.root != nil {
		out.Root = v.root.throwable()
	}
	if v.frame != nil {
		out.Frame = v.frame.place()
	}
	return out
}

// judged says what a chain means, and of whom: of the application, or of a server that it asked.
func judged(links []link) verdict {
	if v, is := brokeOff(links); is {
		return v
	}
	v := meaning(links)
	v.ofMetastore = v.strength >= Plausible && ofMetastore(links)
	for i := 0; i < len(links) && v.ofMetastore && v.class == cause.Credentials && v.refused == ""; i++ {
		v.refused = location.FindString(links[i].message)
	}
	if host, is := nameservice(links); is && v.about().Has(cause.UnknownHost) {
		v.class, v.nameservice = cause.Configuration, host
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
	inside := func(f frame) bool {
		return strings.HasPrefix(f.name, "org.apache.hadoop.hive.metastore.HiveMetaStore$HMSHandler.")
	}
	framed := func(is func(frame) bool) bool {
		return slices.ContainsFunc(links, func(l link) bool { return slices.ContainsFunc(l.frames, is) })
	}
	if framed(inside) {
		return false // this process has one of its own
	}
	told := func(l link) bool { return ofHandler.MatchString(l.message) || ofHandler.MatchString(l.text) }
	return slices.ContainsFunc(links, told) || slices.ContainsFunc(links, of) && framed(received)
}

// ofHandler matches what the handler of a metastore says of an exception of the file system below it: a client puts no such words around
// its own (standalone-metastore/metastore-common/src/main/java/org/apache/hadoop/hive/metastore/utils/MetaStoreUtils.java of
// apache/hive@rel/release-3.1.3, logAndThrowMetaException).
var ofHandler = lazyregexp.New(`MetaException\(message:Got exception: [\w.]+Exception`)

// location matches one of an object store or HDFS.
var location = lazyregexp.New(`\b(?:s3[an]?|abfss?|wasbs?|gs|hdfs)://[\w.@/=-]*\w`)

// meaning is what a chain means by itself, its root first: the deepest exception that the catalogue is certain about, else the deepest that
// it knows, else what its names and words tell, else that the code failed.
func meaning(links []link) verdict {
	if len(links) == 0 {
		return verdict{}
	}
	if effects(links) {
		return verdict{meaning: Consequence{}, strength: EffectOnly, class: cause.Unknown, root: effectOf(links)}
	}
	if v, ok := shadowed(links); ok {
		return v
	}
	own := ownFrame(links)
	if v := catalogued(links, own); v.root != nil {
		return v
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

// catalogued is what the catalogue knows of a chain; without a root: nothing.
func catalogued(links []link, own *frame) verdict {
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
		v := verdict{strength: Plausible, class: m.Signature.Class, root: l, frame: own}
		meant := Known{Signature: m.Signature, Groups: m.Groups, Quoted: []Throwable{l.throwable()}}
		switch {
		case m.Signature.Certain:
			v.strength = Certain
			meant.Quoted = withoutWrappers(links[i:])
			v.meaning = carried(meant, l, links[i+1:])
			return v
		case known.root == nil:
			known = v
		case !named && known.class == v.class && known.signature() != m.Signature.ID:
			// What carries a general exception names what it is about: that a connection is refused, and whose.
			named = true
			meant.Quoted = []Throwable{known.root.throwable()}
		default:
			continue
		}
		known.meaning = meant
	}
	return known
}

// withoutWrappers are the exceptions that do not only carry another.
func withoutWrappers(links []link) (out []Throwable) {
	for i := range links {
		if !links[i].wraps() {
			out = append(out, links[i].throwable())
		}
	}
	return out
}

// carried takes what the catalogue is certain of about an exception that hands on the root's words and names more: whose host it is.
func carried(of Known, root *link, carriers []link) Known {
	for i := range carriers {
		l := &carriers[i]
		m, ok := catalog.Exception(l.class, l.message)
		if ok && m.Signature.Certain && m.Signature.Class == of.Signature.Class && m.Signature.ID != of.Signature.ID && root.message != "" &&
			l.class == root.class && strings.Contains(l.message, root.message) {
			return Known{Signature: m.Signature, Groups: m.Groups}
		}
	}
	return of
}

// bare reports whether an exception of the JVM came without frames.
func (l *link) bare() bool { return !l.python && len(l.frames) == 0 }

// codeVerdict is for exceptions that neither catalogue nor names explain.
func codeVerdict(links []link, own *frame) verdict {
	root := rootOf(links)
	v := verdict{strength: Unclear, class: cause.CodeFailed, root: root, frame: own}
	effect := false
	for i := range links {
		if m, ok := catalog.Exception(links[i].class, links[i].message); ok && m.Signature.Effect {
			effect = true
		}
	}
	switch {
	case effect:
		v.strength, v.class = EffectOnly, cause.Unknown
	case root.wraps():
		v.class = cause.Unknown // what it carried was cut off
	case raisedByOwn(root):
		v.strength = OwnCode
	case own != nil && (root.ofData() || root.bare()):
		v.strength = Plausible
	case !root.ofData():
		v.class = cause.Unknown // a client of something else raised it: whose fault that is, is not known
	}
	switch {
	case v.strength > Unclear:
		v.meaning = CodeRaised{}
	case v.strength == Unclear:
		v.meaning = Unexplained{}
	default:
		v.meaning = Consequence{}
	}
	return v
}
