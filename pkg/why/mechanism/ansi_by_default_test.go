package mechanism

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestANSIRefused: only Spark 4 fails by default, where nothing sets the mode, and at nothing that is checked without it, too.
func TestANSIRefused(t *testing.T) {
	t.Parallel()
	const called = "[CAST_INVALID_INPUT] The value ''. \n== DataFrame ==\n\"cast\" was called from\n" +
		"/opt/venv/lib/python3.11/site-packages/datacompy/spark.py:1294\n"
	const suggests = `[ARITHMETIC_OVERFLOW] Overflow. If necessary set "spark.sql.ansi.enabled" to "false" to bypass this error.`
	for _, c := range []struct {
		name          string
		id, what      string
		says          string
		release, sets string
		variable, log string
		want          string // where it was called; "-": somewhere
	}{
		{name: "a library casts", id: "cast-invalid-input", says: called, release: "4.0.1", want: "datacompy/spark.py:1294"},
		{name: "SQL", id: "divide-by-zero", says: "[DIVIDE_BY_ZERO]", release: "4.1.0", want: "-"},
		{name: "an overflow", id: "arithmetic-overflow", says: suggests, release: "4.0.0", want: "-"},
		{name: "Spark 3", id: "cast-invalid-input", says: called, release: "3.5.5"},
		{name: "Spark 3 whose spec sets it", id: "cast-invalid-input", says: called, release: "3.5.5", sets: "true"},
		{name: "Spark 4 whose spec sets it", id: "cast-invalid-input", says: called, release: "4.0.1", sets: "true"},
		{name: "a variable", id: "cast-invalid-input", says: called, release: "4.0.1", variable: ansiVariable},
		{name: "the program sets it", id: "cast-invalid-input", says: called, release: "4.0.1", log: "conf spark.sql.ansi.enabled=true\n"},
		{name: "an insert", id: "cast", what: "CAST_OVERFLOW_IN_TABLE_INSERT", says: "[CAST_OVERFLOW_IN_TABLE_INSERT]", release: "4.0.1"},
		{name: "a decimal that is inserted", id: "decimal-range", says: "[NUMERIC_VALUE_OUT_OF_RANGE]", release: "4.0.1"},
		{name: "another error", id: "column-missing", says: "[UNRESOLVED_COLUMN]", release: "4.0.1"},
	} {
		one := &app.Application{Spec: app.Spec{SparkVersion: c.release, Conf: map[string]string{}}}
		if c.sets != "" {
			one.Spec.Conf[ANSIMode] = c.sets
		}
		v := &View{Evidence: &app.Evidence{Application: one, Logs: []app.Log{{Role: "driver", Tail: c.log}}}, Spec: one.Spec,
			Driver: &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "spark-kubernetes-driver"}}}}}
		if c.variable != "" {
			v.Driver.Spec.Containers[0].Env = []corev1.EnvVar{{Name: c.variable, Value: "false"}}
		}
		failed := logs.Failure{}
		failed.Root.Message = c.says
		failed.Meaning = logs.Known{Signature: catalog.Signature{ID: c.id}, Groups: map[string]string{"what": c.what}}
		got, is := ANSIRefused(v, &cause.Cause{Detail: failed})
		require.Equal(t, c.want != "", is, c.name)
		if d, _ := got.Detail.(ANSIByDefault); is && c.want != "-" {
			require.Equal(t, c.want, d.At, c.name)
		}
	}
}
