package operator

import (
	"strconv"
	"strings"
	"time"
)

// DefaultTimeToLive is what the controller takes for applications without spec.timeToLiveSeconds; zero in every release
// up to 2.5.2. Builds after it have the flag --default-time-to-live-seconds, which counts only with the feature gate
// DefaultTimeToLive (#3042, cmd/operator/controller/start.go@38082f33).
func (in *Installation) DefaultTimeToLive() time.Duration {
	seconds, err := strconv.ParseInt(unquoted(in.flag("default-time-to-live-seconds")), 10, 32)
	if err != nil || seconds <= 0 || !strings.Contains(in.flag("feature-gates"), "DefaultTimeToLive=true") {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
