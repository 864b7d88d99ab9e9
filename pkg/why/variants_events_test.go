package why_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
)

// inOtherGroup are the fields of an event of events.k8s.io by those of the core group (zz_generated.conversion.go in
// pkg/apis/events/v1 of kubernetes).
func inOtherGroup() map[string]string {
	return map[string]string{"involvedObject": "regarding", "message": "note", "source": "deprecatedSource", "count": "deprecatedCount",
		"firstTimestamp": "deprecatedFirstTimestamp", "lastTimestamp": "deprecatedLastTimestamp", "reportingComponent": "reportingController"}
}

// formats are those of the operator (internal/controller/sparkapplication/controller.go@38082f33).
func formats() []string {
	return []string{"failed to submit SparkApplication %s: %s", "SparkApplication %s failed: %s", "SparkApplication %s completed",
		"SparkApplication %s was submitted successfully", "SparkApplication %s is pending rerun", "SparkApplication %s is suspending",
		"Driver %s is running", "Driver %s completed", "Driver %s failed", "Executor %s is pending", "Executor %s is running",
		"Executor %s completed", "Executor %s failed with ExitCode: %d, Reason: %s, Pod Message: %s"}
}

// asNext is an event of the operator as its master writes it.
func asNext(event map[string]any) bool {
	about, _ := event["involvedObject"].(map[string]any)
	message, _ := event["message"].(string)
	for _, format := range formats() {
		pattern := strings.NewReplacer("%s", `((?s:.*?))`, "%d", `(-?\d+)`).Replace(regexp.QuoteMeta(format))
		m := regexp.MustCompile(`^` + pattern + `$`).FindStringSubmatch(message)
		if m == nil || about["kind"] != "SparkApplication" {
			continue
		}
		var values []any
		for i, verb := range regexp.MustCompile(`%[sd]`).FindAllString(format, -1) {
			if n, err := strconv.Atoi(m[i+1]); verb == "%d" && err == nil {
				values = append(values, int32(n)) //nolint:gosec // an exit code
			} else {
				values = append(values, m[i+1])
			}
		}
		if strings.HasPrefix(format, "Executor") {
			values = append([]any{about["name"]}, values...)
		}
		event["action"], event["message"] = format, fmt.Sprintf(fmt.Sprint(values[0]), values[1:]...)
		return true
	}
	return false
}

// TestEventsOfEachGroup: the API server serves one event in two groups, and files may hold either. Those of the operator's master tell what
// those of a release tell.
func TestEventsOfEachGroup(t *testing.T) {
	t.Parallel()
	next := 0
	for _, of := range sampling.NightlyOf(shown(t)) {
		c := decoded(t, of)
		var documents []string
		for _, o := range c.objects {
			if o.GetKind() == "Event" && o.GetAPIVersion() == "v1" {
				if asNext(o.Object) {
					next++
				}
				for core, other := range inOtherGroup() {
					if value, has := o.Object[core]; has {
						delete(o.Object, core)
						o.Object[other] = value
					}
				}
				o.SetAPIVersion("events.k8s.io/v1")
			}
			text, err := yaml.Marshal(o.Object)
			require.NoError(t, err)
			documents = append(documents, string(text))
		}
		changed := of
		changed.ObjectsYAML = strings.Join(documents, "\n---\n")
		want, got := why.Open(asItIs(t, &of)), openCase(t, &changed)
		require.Equal(t, want.Timeline, got.Timeline, of.ID)
		require.Len(t, got.Causes, len(want.Causes), of.ID)
		for i := range want.Causes {
			was, is := &want.Causes[i], &got.Causes[i]
			require.Equal(t, was.Message, is.Message, of.ID)
			require.Equal(t, was.Certainty, is.Certainty, of.ID)
			require.Equal(t, was.Evidence, is.Evidence, of.ID)
		}
	}
	require.Positive(t, next)
}
