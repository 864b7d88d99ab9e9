package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// failureCauses has the words for what nodes, identities and files tell of a failure in a log, before that.
func (t Terms) failureCauses(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.BuiltForOther:
		return t.builtForOther(d), true
	case mechanism.FederationMissing:
		return t.unfederated(d), true
	case mechanism.TrustRefused:
		return trustRefused(&d), true
	case mechanism.AccountDenied:
		return t.accountDenied(&d), true
	case mechanism.JavaMisfit:
		return javaMisfit(&d), true
	case mechanism.LabelRequired:
		return t.labelRequired(d), true
	case mechanism.ConnectUnpackaged:
		return t.connectUnpackaged(d), true
	case mechanism.MainJarMissing:
		says := fmt.Sprintf("the main application file %s does not exist in image %s", d.Jar, d.Image)
		if d.Class != "" {
			says += ", so class " + d.Class + " was not found"
		}
		return Phrase{says, []command.Command{t.do("correct {spec.mainApplicationFile} to a jar that the image holds, or use an image with " +
			"this one")}}, true
	case mechanism.CelebornDisks:
		return celebornDisks(&d), true
	case mechanism.WholeResult:
		return wholeResult(d), true
	case mechanism.BucketMissing:
		return bucketMissing(&d), true
	case mechanism.WindowsScript:
		return windowsScript(c, &d), true
	case mechanism.OtherWriter:
		return otherWriter(&d), true
	default:
		return ofGiven(c)
	}
}

func (t Terms) connectUnpackaged(d mechanism.ConnectUnpackaged) Phrase {
	where := "spark.jars.packages"
	if !d.Setting {
		where = "{spec.deps.packages}"
	}
	return Phrase{fmt.Sprintf("the spark-connect jar, with class SparkConnectServer, is not in image %s: images of Spark lack it before 4.0",
		d.Image), []command.Command{t.do("add %s to "+where+", or its jar to the image", d.Package)}}
}

func (t Terms) builtForOther(d mechanism.BuiltForOther) Phrase {
	what, build := "image "+d.Image, "build the image for "+d.Arch+", too"
	if d.Program != "" {
		what, build = d.Program, "give a build for "+d.Arch+", too"
	}
	if d.Archive != "" {
		what, build = d.Program+" of archive "+d.Archive, "give the archive for "+d.Arch+", too"
	}
	if d.Runs == "" && d.Other != "" {
		return Phrase{fmt.Sprintf("%s is built for another architecture than %s, that of node %s", what, d.Arch, d.Node),
			[]command.Command{command.Do("%s, or, if it is built for %s, keep the pods on such nodes (nodeSelector kubernetes.io/arch: %s)", build,
				d.Other, d.Other)}}
	}
	if d.Runs == "" {
		return Phrase{fmt.Sprintf("%s is built for another architecture than %s, that of node %s", what, d.Arch, d.Node),
			[]command.Command{command.Do("%s, or keep pods off such nodes with kubernetes.io/arch in their nodeSelector", build)}}
	}
	return Phrase{fmt.Sprintf("%s is built for %s and cannot run on %s (node %s)", what, d.Runs, d.Arch, d.Node),
		[]command.Command{command.Do("%s, or keep the pods on %s nodes (kubernetes.io/arch)", build, d.Runs)}}
}

func (t Terms) unfederated(d mechanism.FederationMissing) Phrase {
	whose := "the driver runs"
	if d.Role == cause.ExecutorRole {
		whose = "the executors run"
	}
	says := fmt.Sprintf("%s as service account %s, for which the managed identity has no federated credential (AADSTS%s)", whose, d.Account,
		d.Code)
	if d.Driver != "" {
		says += "; the driver runs as " + d.Driver
	}
	other := ""
	if d.Driver != "" {
		other = ", or let executors run as " + d.Driver + ", if that has one"
	}
	return Phrase{says, []command.Command{command.Do("add a federated credential for %s to the managed identity (audience "+
		"api://AzureADTokenExchange)%s", d.Account, other)}}
}

func (t Terms) labelRequired(d mechanism.LabelRequired) Phrase {
	policy := "policy " + d.Policy
	if d.Rule != "" {
		policy += " (rule " + d.Rule + ")"
	}
	says := fmt.Sprintf("%s refuses the executors: they lack label %s", policy, d.Key)
	switch {
	case d.Set != "":
		says = fmt.Sprintf("%s refuses the executors: it does not accept their label %s=%s", policy, d.Key, d.Set)
	case d.Driver != "":
		says += ", which the driver has"
	}
	return Phrase{says, []command.Command{command.Do("set label %s under executor.labels as the policy asks, or change the policy", d.Key)}}
}

func wholeResult(d mechanism.WholeResult) Phrase {
	says := fmt.Sprintf("the JDBC driver of %s read the whole result of a query into the Java heap", d.Driver)
	if d.One {
		says += ", in one task (the table is read as one partition)"
	}
	fetch := "set the option fetchsize of the reader, such as 10000 (where it is 0, the driver of PostgreSQL reads all rows at once)"
	if d.Driver == mechanism.MySQL {
		fetch = "add useCursorFetch=true to the JDBC URL and set fetchsize, which counts only then"
	}
	return Phrase{says, []command.Command{command.Do("%s, and read in parts: partitionColumn, lowerBound, upperBound and numPartitions",
		fetch)}}
}
