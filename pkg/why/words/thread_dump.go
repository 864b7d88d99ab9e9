package words

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"

// threadDump asks the JVM of a pod for what its threads do. On SIGQUIT it writes that to its output, which is the pod's log; jstack is only
// in images with a JDK, and the first process of Spark's image is tini (resource-managers/kubernetes/docker/src/main/dockerfiles/spark/
// entrypoint.sh@v3.5.5).
func threadDump(does, namespace, pod string) command.Command {
	return command.Do("%s: it is written to the log of %s", does, pod).With(
		"kubectl -n %s exec %s -- sh -c 'kill -QUIT $(grep -lx java /proc/[0-9]*/comm | cut -d/ -f3)'", namespace, pod)
}
