package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// celebornDisks is about workers of Celeborn that have no usable disk.
func celebornDisks(d *mechanism.CelebornDisks) Phrase {
	if len(d.Refusing) > 0 {
		return celebornRefuses(d)
	}
	workers := phrase.Counted(d.Excluded, "worker")
	if d.OfDisks < d.Excluded {
		workers = fmt.Sprintf("%d of %s", d.OfDisks, workers)
	}
	how, disks := "unusable", strings.Join(d.Mounts, ", ")
	if slices.Equal(d.Statuses, []string{"HIGH_DISK_USAGE"}) {
		how = "full"
	}
	return Phrase{fmt.Sprintf("the Celeborn master excludes %s for a disk that is %s (%s, %s), and no other takes shuffle %s", workers, how,
		disks, strings.Join(d.Statuses, ", "), d.Shuffle),
		[]command.Command{command.Do("make disk %s of these workers usable again, or add workers (what stays free is "+
			"celeborn.worker.storage.disk.reserve.size); spark.celeborn.client.spark.shuffle.fallback.policy=AUTO lets Spark shuffle itself "+
			"meanwhile", disks)}}
}

func celebornRefuses(d *mechanism.CelebornDisks) Phrase {
	const most = 4
	hosts := strings.Join(d.Refusing[:min(most, len(d.Refusing))], ", ")
	if more := len(d.Refusing) - most; more > 0 {
		hosts += fmt.Sprintf(" and %d more", more)
	}
	workers := phrase.Counted(len(d.Refusing), "Celeborn worker")
	if d.All {
		workers = "all " + workers + " that could take shuffle " + d.Shuffle
	}
	return Phrase{fmt.Sprintf("%s have no usable disk: %s", workers, hosts), []command.Command{command.Do("look at the disks of these " +
		"workers: a directory that is full or fails is left out until it is healthy again; or add workers")}}
}
