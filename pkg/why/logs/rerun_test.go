package logs

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestRerun: a stage runs again where a task of another attempt could not fetch from an executor that was lost.
func TestRerun(t *testing.T) {
	const (
		lost = "26/11/22 04:48:51 ERROR TaskSchedulerImpl: Lost executor 4 on 10.8.14.5: \nThe executor with id 4 exited with exit code " +
			"143(SIGTERM).\n"
		idle  = "26/11/22 04:48:51 ERROR TaskSchedulerImpl: Lost executor 9 on 10.8.14.9: Executor decommission.\n"
		fetch = "26/11/22 04:49:39 WARN TaskSetManager: Lost task 2.0 in stage 87.0 (TID 51) (10.8.12.5 executor 2): " +
			"FetchFailed(BlockManagerId(4, 10.8.14.5, 7079, None), shuffleId=31, mapIndex=902, mapId=498811, reduceId=2594, message=\n)\n"
		first = "26/11/22 05:41:11 INFO TaskSetManager: Finished task 7.0 in stage 87.0 (TID 517) in 61347 ms on 10.8.12.5 (executor 2) (7/14)\n"
		again = "26/11/22 05:41:11 INFO TaskSetManager: Finished task 7.0 in stage 87.1 (TID 517) in 61347 ms on 10.8.12.5 (executor 2) (7/14)\n"
	)
	rerun := func(log string) *Rerun { return Digest(&app.Log{Tail: log}, Clock{}).Rerun }
	found := rerun(lost + idle + fetch + again)
	require.NotNil(t, found)
	require.Equal(t, "87.1", found.Stage)
	require.Equal(t, []string{"4"}, found.Lost.Executors)
	require.Equal(t, 143, found.Lost.Code)
	require.NotNil(t, rerun(lost+fetch+strings.Replace(again, "87.1", "86.1", 1)), "the stage before it is computed again")
	require.Equal(t, time.Date(2026, 11, 22, 4, 49, 39, 0, time.UTC), found.At)
	for name, log := range map[string]string{
		"the first attempt goes on":             lost + fetch + first,
		"no task failed to fetch":               lost + again,
		"the executor was not lost":             idle + fetch + again,
		"a task that was tried again by itself": lost + fetch + strings.Replace(first, "7.0", "7.1", 1),
		"a later stage runs again":              lost + fetch + strings.Replace(again, "87.1", "90.1", 1),
		"nothing finished since":                lost + fetch,
	} {
		require.Nil(t, rerun(log), name)
	}
}
