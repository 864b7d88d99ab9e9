package words

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// bucketMissing is about a location that the application was given. Flux and envsubst put nothing in place of a variable that is not set
// (fluxcd/flux2 issues 2148 and 4694).
func bucketMissing(d *mechanism.BucketMissing) Phrase {
	field := d.Field
	if d.Flag != "" {
		field += " (" + d.Flag + ")"
	}
	if d.Named {
		return Phrase{fmt.Sprintf("%s is %s, whose bucket Java does not take for a host name (underscore)", field, d.Value),
			[]command.Command{command.Do("use a bucket without an underscore in its name in %s", d.Field)}}
	}
	says := fmt.Sprintf("%s is %s, without a bucket", field, d.Value)
	if d.More > 0 {
		says += fmt.Sprintf(", and so are %s", phrase.Counted(d.More, "other field"))
	}
	next := command.Do("write the bucket into %s, and set the variable that should give it: envsubst and other templates put nothing in "+
		"place of one that is not set", d.Field)
	if d.Flux.Name != "" {
		next = command.Do("set the variable for the bucket in spec.postBuild of Kustomization %s (namespace %s): Flux puts nothing in place "+
			"of one that is not set, until StrictPostBuildSubstitutions is on; then create the application again", d.Flux.Name, d.Flux.Namespace).
			With("kubectl -n %s get kustomization %s -o yaml", d.Flux.Namespace, d.Flux.Name)
	}
	return Phrase{says, []command.Command{next}}
}

// windowsScript is about a script of a ConfigMap. JSON writes a carriage return as two characters, which sed replaces.
func windowsScript(c *cause.Cause, d *mechanism.WindowsScript) Phrase {
	says := fmt.Sprintf("script %s of ConfigMap %s has Windows line ends (CR LF), so the %s found no interpreter", d.Key, d.ConfigMap, d.Role)
	if d.Interpreter != "" {
		says += fmt.Sprintf(" \"%s\\r\"", d.Interpreter)
	}
	return Phrase{says + " at " + d.At, []command.Command{
		command.Do("replace CR LF by LF in ConfigMap %s, and in the file that it is made of (dos2unix %s), then run it again",
			d.ConfigMap, d.Key).
			With(`kubectl -n %s get configmap %s -o json | sed 's/\\r\\n/\\n/g' | kubectl replace -f -`, c.Subject.Namespace, d.ConfigMap)}}
}

// otherWriter is about two commits to a Delta table (docs.delta.io, Concurrency control).
func otherWriter(d *mechanism.OtherWriter) Phrase {
	of, at := "", ""
	if d.Operation != "" {
		of = " (" + d.Operation
		if d.Partition != "" {
			of += ", partition " + d.Partition
		}
		of += ")"
	}
	if !d.At.IsZero() {
		at = " at " + d.At.Format(time.TimeOnly)
	}
	says := fmt.Sprintf("application %s committed version %d%s of Delta table %s%s while this one worked on an older version, so its commit "+
		"was refused (%s)", d.Application, d.Version, of, mechanism.TableName(d.Table), at, d.Exception)
	next := fmt.Sprintf("run %s again once %s has ended, and do not let the two overlap", d.Own, d.Application)
	if d.Over {
		next = fmt.Sprintf("run %s again now, as %s has ended, and do not let the two overlap", d.Own, d.Application)
	}
	if d.Schedule != "" {
		next = fmt.Sprintf("set concurrencyPolicy: Forbid in ScheduledSparkApplication %s, so that its runs do not overlap", d.Schedule)
	}
	return Phrase{says, []command.Command{command.Do("%s; or add %s to the condition of both, if they write different values of it", next,
		cmp.Or(d.Column, "the partition"))}}
}
