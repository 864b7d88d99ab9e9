package change

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// scratch is an emptyDir with a limit; empty: without.
func scratch(name, limit string) corev1.Volume {
	out := corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}
	if limit != "" {
		q := resource.MustParse(limit)
		out.EmptyDir.SizeLimit = &q
	}
	return out
}

func TestLimitOfVolumeIsRaisedWhereTheSpecSetsIt(t *testing.T) {
	evicted := func(tasks logs.Tasks) *cause.Cause {
		return &cause.Cause{Role: cause.ExecutorRole, Detail: mechanism.Eviction{For: mechanism.OwnDisk,
			Volume: mechanism.Outgrown{Name: "spark-local-dir-1", Limit: resource.MustParse("20Gi"), Tasks: tasks}}}
	}
	application := &app.Application{}
	application.Name, application.Kind = "etl", "SparkApplication"
	for _, row := range []struct {
		name  string
		spec  app.Spec
		tasks logs.Tasks
		want  string // the new limit; empty: no change
	}{
		{"no part is known", app.Spec{Volumes: []corev1.Volume{scratch("spark-local-dir-1", "20Gi")}}, logs.Tasks{}, "40Gi"},
		{"a part of the stage filled it", app.Spec{Volumes: []corev1.Volume{scratch("x", "1Gi"), scratch("spark-local-dir-1", "20Gi")}},
			logs.Tasks{Done: 400, Of: 1000}, "50Gi"},
		{"too small a part to reckon with", app.Spec{Volumes: []corev1.Volume{scratch("spark-local-dir-1", "20Gi")}},
			logs.Tasks{Done: 1, Of: 1000}, "40Gi"},
		{"in the template", app.Spec{Executor: app.Role{Template: app.Template{Pod: corev1.PodSpec{
			Volumes: []corev1.Volume{scratch("spark-local-dir-1", "20Gi")}}}}}, logs.Tasks{}, "40Gi"},
		{"another volume", app.Spec{Volumes: []corev1.Volume{scratch("spark-local-dir-2", "20Gi")}}, logs.Tasks{}, ""},
		{"the spec was changed since", app.Spec{Volumes: []corev1.Volume{scratch("spark-local-dir-1", "60Gi")}}, logs.Tasks{}, ""},
		{"the limit is not of the spec", app.Spec{Volumes: []corev1.Volume{scratch("spark-local-dir-1", "")}}, logs.Tasks{}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			v := &mechanism.View{Evidence: &app.Evidence{Subject: snapshot.Ref{Kind: "SparkApplication", Name: "etl"},
				Application: application}, Spec: row.spec}
			found := volume(v, evicted(row.tasks))
			if row.want == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, row.want, found[0].Item.To)
			for _, one := range row.spec.Volumes {
				if one.EmptyDir.SizeLimit != nil {
					require.NotEqual(t, row.want, one.EmptyDir.SizeLimit.String(), "the spec itself stays as it is")
				}
			}
		})
	}
}

func TestLimitOfVolumeAsSettingOfSpark(t *testing.T) {
	application := &app.Application{}
	application.Name, application.Kind = "etl", "SparkApplication"
	key := "spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.options.sizeLimit"
	v := &mechanism.View{Evidence: &app.Evidence{Application: application}, Spec: app.Spec{Conf: map[string]string{key: "5Gi"}}}
	found := volume(v, &cause.Cause{Role: cause.ExecutorRole,
		Detail: mechanism.Eviction{Volume: mechanism.Outgrown{Name: "spark-local-dir-1", Limit: resource.MustParse("5Gi")}}})
	require.Len(t, found, 1)
	require.Equal(t, []string{"spec", "sparkConf", key}, found[0].Path)
	require.Equal(t, "10Gi", found[0].To)
}
