package why

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// inWords says the causes that hold a detail, and reads from the words of the others what they are about.
func inWords(all []cause.Cause) []cause.Cause {
	for i := range all {
		c := &all[i]
		if c.Detail == nil {
			retopic(c)
			continue
		}
		if c.Message == "" {
			p := words.Of(c)
			c.Message, c.Next = p.Says, p.Do
		}
	}
	return all
}

// retopic adds the topics and the role that the words of a cause tell: of one without a detail, and of one that others added words to.
func retopic(c *cause.Cause) {
	lower := strings.ToLower(c.Message)
	about := func(topic cause.Topics, text string, words ...string) {
		for _, w := range words {
			if strings.Contains(text, w) {
				c.Topics |= topic
			}
		}
	}
	about(cause.Memory, lower, "memory", "heap", "gc ", "metaspace")
	about(cause.OOMKilled, c.Message, "OOMKilled")
	about(cause.Exit52, c.Message, "exit code 52")
	about(cause.TimesOut, lower, "heartbeat", "futures timed out", "broadcast")
	about(cause.OwnLimit, c.Message, "OOMKilled", "exit code 137", "activeDeadlineSeconds", "exceeds the limit", "exceeds the total limit",
		"exceeds its local", "liveness")
	about(cause.Unsaid, c.Message, mechanism.Unsaid)
	if c.Trust == cause.ByExecutorLog {
		about(cause.OutOfHeap, c.Message, "OutOfMemoryError")
	}
	if c.Class == cause.Image {
		about(cause.OtherCPU, c.Message, "exec format error", "architecture")
	}
	if c.Signature == "local-dir" || c.Signature == "disk-read-only" {
		about(cause.InTmp, c.Message, "/tmp")
	}
	if c.Role == "" {
		c.Role = cause.Role(roleOf(c))
	}
}
