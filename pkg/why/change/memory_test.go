package change

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestOverheadOfWorkers: what the kernel measured decides where it asks for more than half as much again as the limit, and never lowers it.
func TestOverheadOfWorkers(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		atOnce  int
		largest string
		pyspark string
		want    string
		because Reason
	}{
		"four workers": {4, "1904420Ki", "", "8g", HoldsWorkers{4, resource.MustParse("1904420Ki"), 409}},
		"one worker":   {1, "1904420Ki", "", "4505m", Scaled{more, OfLimit, "5734 MiB"}},
		"small ones":   {4, "200Mi", "", "4505m", Scaled{more, OfLimit, "5734 MiB"}},
		"no size":      {4, "0", "", "4505m", Scaled{more, OfLimit, "5734 MiB"}},
		"memory of their own": {4, "1904420Ki", "2g", "6g",
			HoldsWorkers{4, resource.MustParse("1904420Ki"), 409}},
	} {
		conf := map[string]string{}
		if row.pyspark != "" {
			conf["spark.executor.pyspark.memory"] = row.pyspark
		}
		one := &app.Application{Spec: app.Spec{Type: "Python", Executor: app.Role{Memory: "4g"}, Conf: conf}}
		v := &mechanism.View{Evidence: &app.Evidence{Application: one}, Spec: one.Spec}
		limit := v.Limit(cause.ExecutorRole)
		d := mechanism.WorkersKilled{Processes: 4, Limit: limit.MiB(), Largest: resource.MustParse(row.largest), AtOnce: row.atOnce}
		got := memory(v, &cause.Cause{Detail: d})
		require.Len(t, got, 1, name)
		require.Equal(t, row.want, got[0].To, name)
		if row.pyspark == "" {
			require.Equal(t, row.because, got[0].Because, name)
		}
	}
}
