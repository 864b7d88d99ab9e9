package logs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRenewalThatIsNeverTriedAgain(t *testing.T) {
	const failed = "26/11/23 10:00:08 WARN HadoopFSDelegationTokenProvider: Failed to get token from service hadoopfs\n" +
		"java.io.IOException: no\n\tat a.B.c(B.java:1)\n"
	schedules := func(hours string) string {
		return "26/11/23 10:00:09 INFO HadoopDelegationTokenManager: Scheduling renewal in " + hours + " h.\n26/11/23 10:00:10 INFO X: y\n"
	}
	require.Nil(t, read("", schedules("18.0"), Clock{}).unrenewed)
	require.Nil(t, read("", failed+schedules("0.8"), Clock{}).unrenewed, "it is tried again")
	require.Nil(t, read("", failed+schedules("1921535467695.9")+schedules("18.0"), Clock{}).unrenewed, "a later one made up for it")
	got := read("", failed+schedules("1921535467695.9"), Clock{}).unrenewed
	require.Equal(t, "hadoopfs", got.Service)
	require.Equal(t, "no", got.Said.Message)
	require.Contains(t, got.Scheduled, "1921535467695.9 h")
}
