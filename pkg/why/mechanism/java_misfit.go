package mechanism

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// JavaMisfit is a Java that what runs on it does not fit, by its release: as the log names it, else the tag of the image. An image whose
// tag names another Java than its log looks alike: the log counts.
type JavaMisfit struct {
	Signature string // by which the log tells of it
	Java      string // "25.0.1", "1.8.0_382"; of a tag "25"
	Release   int    // of it: 25
	Image     string // of the container; empty: it was not seen
	Spark4    bool   // else older, or not known
	Class     string // that does not fit, of java-version
	For       int    // the Java that it was compiled for; 0: none is named
}

// Mechanism names it.
func (JavaMisfit) Mechanism() cause.ID { return "java-misfit" }

var (
	// core/src/main/scala/org/apache/spark/{SparkContext,executor/Executor}.scala@v3.5.5
	runsJava = lazyregexp.New(`(?:SparkContext: |Executor: |"msg": ?")Java version (\d+(?:[._]\d+)*)`)
	// of an image: apache/spark:4.0.1-scala2.13-java17-python3-ubuntu, eclipse-temurin:21-jre
	taggedJava = lazyregexp.New(`(?i)(?:java|jdk|jre|temurin|corretto|zulu)[-_:]?(8|11|17|2[0-9])(?:$|[-_.])`)
)

// MisfitJava names the Java of the process that failed.
func MisfitJava(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || failed.OfMetastore || about.Role == cause.SubmissionRole {
		return cause.Cause{}, false
	}
	d := JavaMisfit{Signature: known.Signature.ID, Spark4: app.ReleaseOf(sparkVersion(v)).Major == 4}
	switch d.Signature {
	case "java-get-subject":
	case "java-version":
		d.Class, d.For = known.Groups["class"], javaOf(known.Groups["version"])
		if d.For == 0 {
			return cause.Cause{}, false
		}
	default:
		return cause.Cause{}, false
	}
	role, pod := actingPod(v, about, &failed)
	c := mainContainer(pod)
	if c != nil {
		d.Image = c.Image
	}
	if d.Java = javaIn(v, about, role, c); d.Java == "" {
		return cause.Cause{}, false
	}
	d.Release = number(strings.TrimPrefix(d.Java, "1.")) // as those up to 8 call themselves
	if d.For != 0 && d.Release >= d.For {
		return cause.Cause{}, false // another Java than that of Spark ran the class
	}
	out := cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: role, Subject: about.Subject, At: about.At, Trust: about.Trust,
		Topics: about.Topics, Detail: d}
	if c != nil {
		out.Evidence = []cause.Proof{{Object: Ref(pod), Field: "spec.containers[" + c.Name + "].image", Value: c.Image}}
	}
	return out, true
}

var leading = lazyregexp.New(`^\d+`)

// number is what a text begins with; 0: none.
func number(text string) int {
	n, _ := strconv.Atoi(leading.FindString(text))
	return n
}

// javaIn is the Java by the log of the process, else by the tag of its image; empty: neither tells.
func javaIn(v *View, about *cause.Cause, role cause.Role, c *corev1.Container) string {
	for i := range v.Logs {
		l := &v.Logs[i]
		if l.Previous || l.Pod != about.Subject.Name || role == cause.ExecutorRole && about.Trust != cause.ByExecutorLog {
			continue
		}
		for _, text := range []string{l.Head, l.Tail} {
			if m := runsJava.FindStringSubmatch(text); m != nil {
				return m[1]
			}
		}
	}
	if c == nil {
		return ""
	}
	if m := taggedJava.FindStringSubmatch(c.Image[strings.LastIndexByte(c.Image, '/')+1:]); m != nil {
		return m[1]
	}
	return ""
}

// javaOf is the release of Java that writes class files of a major version: 61 is that of 17 (docs.oracle.com, The Java Virtual Machine
// Specification, Java SE 25, table 4.1-A); 0: of an older one than 8, or no number.
func javaOf(classFile string) int {
	const before = 44
	major := number(classFile)
	if major < before+8 {
		return 0
	}
	return major - before
}
