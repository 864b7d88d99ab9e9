package words

import (
	"fmt"
	"math"
	"path"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// explains has the words for what the spec and the pods tell of a failure in a log, before that.
func explains(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.ActionRefused:
		return actionRefused(&d), true
	case mechanism.StateMisfit:
		return stateMisfit(&d), true
	case mechanism.LibraryMisfit:
		return misfit(d), true
	case mechanism.ModuleOneSided:
		return oneSided(d), true
	case mechanism.IdentityOneSided:
		return noIdentity(&d), true
	case mechanism.SparkMoved:
		return Phrase{fmt.Sprintf("image %s runs Spark %s, and a jar does not fit it: spec.sparkVersion says %s", d.Image, d.Runs, d.Says),
			[]command.Command{command.Do("name an image of Spark %s by a tag that does not move, or build the jar for Spark %s",
				d.Says, d.Runs)}}, true
	case mechanism.ArchiveUnnamed:
		name := path.Base(d.Archive.File)
		if d.Archive.Name != "" {
			name += "#" + d.Archive.Name
		}
		return Phrase{fmt.Sprintf("archive %s was not unpacked as %s, so %s does not exist", name, d.Folder, d.Program),
			[]command.Command{command.Do("give it as %s#%s", d.Archive.File, d.Folder)}}, true
	case mechanism.ProxyAsked:
		return Phrase{fmt.Sprintf("%s sends the connection to the API server, %s, to the proxy %s: NO_PROXY does not name it", d.Variable, d.Host,
			d.Proxy), []command.Command{command.Do("add %s to NO_PROXY in spec.driver.env and spec.executor.env, or .svc for all Services",
			d.Host)}}, true
	case mechanism.NameserviceUnset:
		return nameserviceUnset(&d), true
	case mechanism.MountedNoexec:
		return noexec(d), true
	case mechanism.ServiceElsewhere, mechanism.ServerNotReady, mechanism.PortUnserved, mechanism.UnresolvedBefore:
		return behindService(d), true
	case mechanism.UnquotedSetting:
		return unquotedSetting(&d), true
	case mechanism.HugePagesShort:
		return hugePages(&d), true
	case mechanism.GPUShared:
		return gpuShared(&d), true
	case mechanism.FieldDropped:
		held := ""
		if d.Source.Name != "" {
			held = fmt.Sprintf(", which takes %s from %s %s", d.Key, d.Source.Kind, d.Source.Name)
		}
		return Phrase{fmt.Sprintf("the API server did not keep spec.%s%s: CustomResourceDefinition %s is older than that field", d.Path, held,
			d.CRD),
			[]command.Command{command.Do("apply the CRDs of the operator's release, which helm upgrade leaves as they are, then apply the "+
				"application again").With("kubectl explain sparkapplication.spec.%s", d.Path)}}, true
	case mechanism.SubmitterNameless:
		return Phrase{"the operator's controller pod, in which spark-submit runs, has a user ID without a name in /etc/passwd",
			[]command.Command{command.Do("run the controller as a user of its image: controller.podSecurityContext.runAsUser=185 in the " +
				"Helm values (OpenShift: SCC nonroot-v2)")}}, true
	default:
		return ofSpec(c.Detail)
	}
}

func nameserviceUnset(d *mechanism.NameserviceUnset) Phrase {
	do := command.Do("add hdfs-site.xml, with dfs.nameservices and the name nodes of %s, to ConfigMap %s", d.Name, d.ConfigMap)
	if len(d.Others) == 1 {
		do.Text += fmt.Sprintf("; ConfigMap %s of this namespace has the file", d.Others[0])
	}
	return Phrase{fmt.Sprintf("ConfigMap %s (spec.hadoopConfigMap) has no hdfs-site.xml, which names the nameservice %s", d.ConfigMap, d.Name),
		[]command.Command{do}}
}

func misfit(d mechanism.LibraryMisfit) Phrase {
	if d.Built != "" {
		return Phrase{fmt.Sprintf("a jar was built for %s, and the image has %s", d.Built, baseText(d.Base)), []command.Command{command.Do(
			"build the application and its libraries for %s, or use an image of this Spark for %s", d.Base.Name, d.Built)}}
	}
	from := " of " + d.From.Path()
	if d.From == mechanism.ByLog {
		from = ", which the log names,"
	}
	says := fmt.Sprintf("%s%s does not fit %s", d.Library, from, baseText(d.Base))
	if d.Base.Scala && !d.Released() {
		return Phrase{says, []command.Command{command.Do("use a release of %s instead of %s, if there is one; else an image of Spark with the "+
			"Scala of the library", d.New, d.Old)}}
	}
	if d.From.OfFile() && d.Released() {
		do := fmt.Sprintf("use %s-%s.jar instead of %s-%s.jar", d.New.Artifact, d.New.Version, d.Old.Artifact, d.Old.Version)
		if d.FirstSDK {
			do += ", and the jar of software.amazon.awssdk:bundle instead of aws-java-sdk-bundle: Hadoop 3.4 has AWS SDK 2"
		}
		return Phrase{says, []command.Command{command.Do("%s", do)}}
	}
	return Phrase{says, []command.Command{command.Do("use %s instead of %s", d.New, d.Old)}}
}

func baseText(b mechanism.Base) string {
	if b.Name == "" {
		return "Spark " + b.OfSpark
	}
	return b.Name + " of Spark " + b.OfSpark
}

func oneSided(d mechanism.ModuleOneSided) Phrase {
	where, has, field := "executors", "driver", "executor"
	if d.Lacks == cause.DriverRole {
		where, has, field = "driver", "executors", "driver"
	}
	return Phrase{fmt.Sprintf("Python module %s is not found on the %s: PYTHONPATH is set for the %s only", d.Module, where, has),
		[]command.Command{command.Do("set PYTHONPATH in %s.env, too, or give the module to both by deps.pyFiles", field)}}
}

// noIdentity is about executors that lack the identity of the driver.
func noIdentity(d *mechanism.IdentityOneSided) Phrase {
	if d.Label != "" {
		return Phrase{fmt.Sprintf("executors get no token of service account %s: their pods lack the label %s, which the driver's has", d.Account,
			d.Label), []command.Command{command.Do("give executors the label %s: %q", d.Label, d.Value)}}
	}
	return Phrase{fmt.Sprintf("service account %s of the executors names no identity of the cloud (%s), and %s of the driver names %s",
		d.Account, d.Annotation, d.Driver, d.Role),
		[]command.Command{command.Do("give executors service account %s, or annotate %s and let the identity trust it", d.Driver, d.Account)}}
}

func hugePages(d *mechanism.HugePagesShort) Phrase {
	return Phrase{fmt.Sprintf("the kernel sent SIGBUS to the JVM of the %s: its heap of %s lies in huge pages (-XX:+UseLargePages), and its "+
		"container may have %s of these (%s)", d.Role, mebibytes(d.Heap), d.Limit.String(), d.Resource),
		[]command.Command{command.Do("raise the limit and the request of %s in %s.template above the heap, or lower %s.memory below %s",
			d.Resource, d.Role, d.Role, d.Limit.String())}}
}

func noexec(d mechanism.MountedNoexec) Phrase {
	own := "-Djava.io.tmpdir"
	if d.RocksDB {
		own = "ROCKSDB_SHAREDLIB_DIR"
	}
	return Phrase{fmt.Sprintf("native library %s cannot be run from volume %s, an emptyDir on a disk of the node that is mounted with noexec",
		d.File, d.Volume),
		[]command.Command{command.Do("set emptyDir.medium: Memory and a sizeLimit for volume %s, or unpack into no emptyDir: %s", d.Volume, own)}}
}

// gpuShared is about the memory of a GPU that several executors see as theirs.
func gpuShared(d *mechanism.GPUShared) Phrase {
	if len(d.Others) > 0 {
		says := fmt.Sprintf("node %s offers its GPU to %d pods (time-slicing), each of which sees all of its memory, and %s runs there: of "+
			"the %s MB that an executor asks for, %s MB are free", d.Node, d.Replicas, phrase.FirstOf(d.Others), tenths(d.Least), tenths(d.Free))
		return Phrase{says, []command.Command{command.Do("give each executor a GPU of its own, or lower spark.rapids.memory.gpu.allocFraction, "+
			"maxAllocFraction and minAllocFraction below 1/%d in all applications that share it; they apply when an executor starts", d.Replicas)}}
	}
	says := fmt.Sprintf("executor %s has %.0f MB of the GPU of node %s (time-sliced among %d pods): of the %s MB that each asks for, %s MB "+
		"are free", d.Holder, d.Pool, d.Node, d.Replicas, tenths(d.Least), tenths(d.Free))
	return Phrase{says, []command.Command{command.Do("lower spark.rapids.memory.gpu.allocFraction and minAllocFraction so that %d executors "+
		"share the GPU, or run one executor for each GPU", d.Together)}}
}

// tenths is a number with one decimal at most.
func tenths(number float64) string { return strconv.FormatFloat(math.Round(10*number)/10, 'f', -1, 64) }
