package words

import (
	"fmt"
	"path"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// ofSpec has the words for what the spec gives, or does, before a failure.
func ofSpec(detail cause.Detail) (Phrase, bool) {
	switch d := detail.(type) {
	case mechanism.Collected:
		return Phrase{fmt.Sprintf("its last job collects all rows (%s at %s)", d.Action, path.Base(d.At)),
			[]command.Command{command.Do("write the result from the executors instead of %s, or limit its rows", d.Action)}}, true
	case mechanism.TokenOfSecret:
		says := fmt.Sprintf("the Hadoop delegation token in Secret %s (%s) has expired", d.Secret, d.Field)
		if d.Until != "" {
			says += ": it was good until " + d.Until
		}
		return Phrase{says, []command.Command{command.Do("put a new token into Secret %s and run the application again; Spark renews only "+
			"tokens that it gets itself: a keytab (spark.kerberos.keytab and spark.kerberos.principal) lasts", d.Secret)}}, true
	case mechanism.MountOneSided:
		return mountOneSided(&d), true
	case mechanism.BucketInHost:
		return Phrase{fmt.Sprintf("%s is not true, so the S3 client puts bucket %s before the host of the endpoint, and %s does not exist",
			d.PathStyle.Key, d.Bucket, d.Host), []command.Command{command.Do("set %s to true (path style)", d.PathStyle)}}, true
	default:
		return Phrase{}, false
	}
}

func mountOneSided(d *mechanism.MountOneSided) Phrase {
	other, lack := "driver", "executors have"
	if d.Lacks == cause.DriverRole {
		other, lack = "executor", "the driver has"
	}
	what := map[string]string{"secrets": "Secret ", "configMaps": "ConfigMap ", "volumeMounts": "volume "}[d.Mount.List] + d.Mount.Name
	return Phrase{fmt.Sprintf("%s is mounted at %s by spec.%s.%s only, so %s no %s", what, d.Mount.Path, other, d.Mount.List, lack, d.File),
		[]command.Command{command.Do("add it to spec.%s.%s, too", d.Lacks, d.Mount.List)}}
}
