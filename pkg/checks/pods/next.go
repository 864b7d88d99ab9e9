package pods

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func orphanPodNext(f *check.Finding, _ *check.Context) []check.Command {
	switch {
	case f.What == "running":
		return []check.Command{
			check.Logs("see what the job still writes", f.Object, "", false),
			f.Repair("delete " + podsText(f) + ", once nothing needs what the job writes"),
		}
	case len(f.Fixes) == 0:
		return []check.Command{command.Do("read the log, and delete the pod").On("delete", f.Object)}
	default:
		return []check.Command{f.Repair("delete " + podsText(f))}
	}
}

// podsText is what a repair of the finding takes away.
func podsText(f *check.Finding) string {
	if len(f.Fixes) > 1 || len(f.Objects) > 1 {
		return "the pods"
	}
	return "the pod"
}

func unmutatedNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	again := command.Do("then submit the application again: pods that exist cannot be changed")
	switch {
	case f.Kind == executorEnv:
		return []check.Command{command.Do("set driver.env as well: this release adds the executors' env only then")}
	case len(f.CausedBy) > 0:
		return []check.Command{again}
	case in == nil:
		return []check.Command{command.Do("see which webhooks are registered").With("kubectl get mutatingwebhookconfigurations"), again}
	case in.Webhook == nil:
		return []check.Command{command.EnableWebhook(in), again}
	default:
		return []check.Command{
			command.Do("see what the webhook logged when the pods were created").
				With("kubectl -n %s logs deployment/%s --timestamps", in.Webhook.Namespace, in.Webhook.Name),
			again,
		}
	}
}

func orphanExecutorNext(f *check.Finding, _ *check.Context) []check.Command {
	text := "delete the executor: nothing uses what it computes"
	if len(f.Objects) > 1 {
		text = "delete the executors: nothing uses what they compute"
	}
	if len(f.Fixes) == 0 {
		return []check.Command{command.Command{Text: text}.On("delete", snapshot.Ref{
			APIVersion: "v1", Kind: "Pod", Namespace: f.Object.Namespace, Name: f.Object.Name,
		})}
	}
	return []check.Command{f.Repair(text)}
}
