package words

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
)

// sentence is what another program said, as part of a sentence of ours: one line, without a full stop, cut in the middle where it is long.
// Programs of Kubernetes wrap an error from the left, so that its cause stands at the end.
func sentence(text string) string {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "."))
	if text == "" {
		return "no message says more"
	}
	const most, head = 400, 160
	if line := facts.OneLine(text, len(text)); len(line) > most {
		return strings.ToValidUTF8(line[:head], "") + "… " + strings.ToValidUTF8(line[len(line)-(most-head):], "")
	}
	return facts.OneLine(text, most)
}

// age is how long something lasts or ago it is. Clocks differ: what lies ahead began now.
func age(d time.Duration) string { return duration.HumanDuration(max(d, 0)) }
