package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/sparkconf"
)

// job is what the arguments ask for.
type job struct {
	options map[string]string // --class X as class → X
	conf    sparkconf.Conf    // of --conf; the last of a key wins, as in Spark
	program []string          // the application and its arguments
}

func parse(args []string) (job, error) {
	j := job{options: map[string]string{}, conf: sparkconf.Conf{}}
	for len(args) > 0 {
		name, isOption := strings.CutPrefix(args[0], "--")
		if !isOption {
			j.program = args
			break
		}
		if slices.Contains([]string{"verbose", "supervise", "load-spark-defaults"}, name) {
			args = args[1:]
			continue
		}
		if len(args) < 2 {
			return job{}, fmt.Errorf("missing argument for option --%s", name)
		}
		if name == "conf" {
			key, value, ok := strings.Cut(args[1], "=")
			if !ok {
				return job{}, fmt.Errorf("configuration %q has no value", args[1])
			}
			j.conf[key] = value
		} else {
			j.options[name] = args[1]
		}
		args = args[2:]
	}
	return j, j.check()
}

// check refuses what Spark refuses before it talks to the cluster.
func (j job) check() error {
	switch {
	case !strings.HasPrefix(j.options["master"], "k8s://"):
		return fmt.Errorf("master must start with k8s://: %q", j.options["master"])
	case j.options["deploy-mode"] != "cluster":
		// The words of Spark (core/src/main/scala/org/apache/spark/deploy/SparkSubmitArguments.scala@v3.5.5); there is no client mode here.
		return errors.New(`org.apache.spark.SparkException: --deploy-mode must be either "client" or "cluster"`)
	case len(j.program) == 0:
		return errors.New("missing application resource")
	}
	return nil
}
