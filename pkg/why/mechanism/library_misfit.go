package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// LibraryMisfit is a library that must be of one release with another, and is of another one, where a class or method is missing that one
// of the two expects: hadoop-aws and Hadoop, what is built for a version of Spark, or for one of Scala. The jar that holds the class would
// mix the releases further. A class of another family that is missing looks alike, and so does a library that fits.
type LibraryMisfit struct {
	Library string  // with its version; empty: a jar, of which only is known what it was built for
	Built   string  // what that is: "Scala 2.13"; empty: Library says it
	Base    Base    // what it does not fit
	From    NamedBy // what names it
	Old     Library
	New     Library // that fits; without a version: any release that has it
	// FirstSDK says that the jars hold AWS SDK 1, which S3A has no use for since Hadoop 3.4 (HADOOP-18073).
	FirstSDK bool
}

// Released reports whether a release is known that fits.
func (d LibraryMisfit) Released() bool { return d.New.Version != "" }

// NamedBy is what names a library.
type NamedBy int

// The places that name a library.
const (
	ByLog         NamedBy = iota // of the driver
	ByPackages                   // spec.deps.packages
	BySetting                    // spark.jars.packages in spec.sparkConf
	ByJars                       // a file of spec.deps.jars
	ByJarsSetting                // a file of spark.jars in spec.sparkConf
)

// OfFile reports whether a file has its name, which says nothing of where another release of it lies.
func (s NamedBy) OfFile() bool { return s == ByJars || s == ByJarsSetting }

// Path is the field of the spec; empty: none names it.
func (s NamedBy) Path() string {
	return [...]string{ByLog: "", ByPackages: "spec.deps.packages", BySetting: "spec.sparkConf.spark.jars.packages",
		ByJars: "spec.deps.jars", ByJarsSetting: "spec.sparkConf.spark.jars"}[s]
}

// Base is what a library must fit: Spark itself, or what comes with it.
type Base struct {
	Name    string // "Scala 2.12", "Hadoop 3.3.4"; empty: Spark itself
	OfSpark string // "3.5.1"
	Scala   bool   // it is a version of Scala
}

// Mechanism names it.
func (LibraryMisfit) Mechanism() cause.ID { return "library-misfit" }

// MisfitOf explains a class or method that is missing by the coordinates of libraries that the spec or the log names.
func MisfitOf(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	if !is || about.Class != cause.Dependency || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	missing := unlinked(&failed)
	if missing == "" {
		return cause.Cause{}, false
	}
	out := cause.Cause{Class: cause.Dependency, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust}
	r := releasesOf(v)
	for _, c := range libraries(v) {
		fits, base := r.fitting(&c, missing)
		if fits == (Library{}) || fits == c.Library {
			continue
		}
		out.Detail = LibraryMisfit{Library: c.Artifact + " " + c.Version, Base: base, From: c.from, Old: c.Library, New: fits,
			FirstSDK: beforeSDK2(v, fits)}
		if c.from != ByLog {
			out.Evidence = []cause.Proof{{Object: v.AppRef(), Field: c.from.Path(), Value: c.seen()}}
		}
		return out, true
	}
	if built := builtFor(missing); built != "" && r.scala != "" && built != r.scala && r.spark != "" {
		out.Detail = LibraryMisfit{Built: "Scala " + built, Base: Base{"Scala " + r.scala, r.spark, true}}
		return out, true
	}
	return cause.Cause{}, false
}

// ofHadoop begins the names of classes of Hadoop.
const ofHadoop = "org.apache.hadoop."

// linkage matches what the JVM throws where a class or a member of it is missing.
var linkage = lazyregexp.New(`(?:^|\.)(?:NoClassDefFoundError|ClassNotFoundException|NoSuchMethodError|NoSuchFieldError|` +
	`AbstractMethodError|IncompatibleClassChangeError|IllegalAccessError|VerifyError|NoSuchMethodException)$`)

// unlinked is what such an exception misses, as it says it, with dots; empty: none is among those of a failure.
func unlinked(f *logs.Failure) string {
	if known, is := f.Meaning.(logs.Known); is && known.Signature.ID == "s3a-duration-suffix" {
		return ofHadoop // whose newer default the older library cannot read
	}
	for _, t := range f.Chain {
		if linkage.MatchString(t.Class) && t.Message != "" && !strings.HasPrefix(t.Message, "Could not initialize class") {
			return strings.ReplaceAll(t.Message, "/", ".")
		}
	}
	return ""
}

// Library is a library by its coordinates in a repository of Maven.
type Library struct{ Group, Artifact, Version string }

// String writes the coordinates as Maven does.
func (l Library) String() string {
	if l.Version == "" {
		return l.Group + ":" + l.Artifact
	}
	return l.Group + ":" + l.Artifact + ":" + l.Version
}

// library is one that an application has.
type library struct {
	Library

	from NamedBy
	file string // that has its name; empty: coordinates do
}

// resolves matches what Ivy says of each library that it resolves.
var resolves = lazyregexp.New(`found ([\w.-]+)#([\w.-]+);(\d[\w.-]*) in`)

// libraries are those that the spec names, then those that the log of the driver says were resolved.
func libraries(v *View) []library {
	var out []library
	add := func(from NamedBy, list []string) {
		for _, one := range list {
			if parts := strings.Split(strings.TrimSpace(one), ":"); len(parts) == 3 {
				out = append(out, library{Library: Library{parts[0], parts[1], parts[2]}, from: from})
			}
		}
	}
	add(ByPackages, v.Spec.Packages)
	add(BySetting, strings.Split(v.Spec.Conf["spark.jars.packages"], ","))
	out = append(out, librariesOfFiles(ByJars, v.Spec.Jars)...)
	out = append(out, librariesOfFiles(ByJarsSetting, strings.Split(v.Spec.Conf["spark.jars"], ","))...)
	for _, m := range allInDriverLogs(v, resolves) {
		out = append(out, library{Library: Library{m[1], m[2], m[3]}, from: ByLog})
	}
	return out
}

// builtFor is the version of Scala that code was built for which misses something of Scala: names and signatures that only 2.13 has, and
// those that it no longer has (src/library/scala/runtime/ScalaRunTime.scala and src/library/scala/package.scala of scala/scala@v2.12.18 and
// @v2.13.14).
func builtFor(missing string) string {
	switch {
	case builtFor213.MatchString(missing):
		return "2.13"
	case builtFor212.MatchString(missing):
		return "2.12"
	default:
		return ""
	}
}

var (
	builtFor213 = lazyregexp.New(`immutable\.ArraySeq scala\.runtime\.ScalaRunTime\$|\)Lscala\.collection\.immutable\.ArraySeq;|` +
		`^(?:scala\.\$less\$colon\$less|scala\.collection\.(?:IterableOnce|IterableOps|StringOps)|scala\.jdk\.)`)
	builtFor212 = lazyregexp.New(`^scala\.(?:Serializable|collection\.(?:GenTraversableOnce|GenIterable|generic\.CanBuildFrom|` +
		`mutable\.WrappedArray))$|mutable\.(?:WrappedArray|ArrayOps) scala\.(?:Predef|LowPriorityImplicits)\b`)
)
