package mechanism

import (
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// Told is the event by which a kubelet or the attach controller says what keeps a pod from starting on its node.
type Told struct {
	Reason string // of the event
	Said   string
	Old    time.Duration // how long ago the newest such event was, if the fault may be over since; 0: it lasts
	Once   bool          // it is said once, however long it lasts
}

// eventsRepeat is how long a fault of a pod that lasts goes without an event at most: the kubelet tries again every two
// minutes or so, and of a pod of which it said much already its recorder lets one event pass in five minutes
// (kubernetes@v1.36.3 pkg/kubelet/volumemanager/volume_manager.go, client-go@v0.36.3 tools/record/events_cache.go).
const eventsRepeat = 10 * time.Minute

// multiAttach begins what the attach controller says once, however long it lasts (kubernetes@v1.36.3
// pkg/controller/volume/attachdetach/reconciler/reconciler.go, reportMultiAttachError).
const multiAttach = "Multi-Attach error"

// told is an event of those, of which the newest is the last one.
func told(e *app.Event, newest, now time.Time) Told {
	out := Told{Reason: e.Reason, Said: e.Message, Once: strings.HasPrefix(e.Message, multiAttach)}
	if ago := now.Sub(newest); !newest.IsZero() && ago > eventsRepeat {
		out.Old = ago
	}
	return out
}

// alike is what is said of other pods, too.
func (t Told) alike() Told { return Told{Reason: t.Reason, Said: withoutUID(t.Said)} }
