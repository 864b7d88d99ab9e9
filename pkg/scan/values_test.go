package scan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// TestValuesDecide: from 1.x nothing is known of the values of the new chart. Without them the verdict is open and names them; with
// those of 1.x, which the new chart does not read, it is NO-GO; with those that name everything, GO.
func TestValuesDecide(t *testing.T) {
	account := object{
		"apiVersion": "v1", "kind": "ServiceAccount",
		"metadata": object{"name": "spark-spark", "namespace": "spark-apps", "labels": object{
			"app.kubernetes.io/name": "spark-operator", "app.kubernetes.io/instance": "spark", "app.kubernetes.io/managed-by": "Helm"}},
	}
	app := application()
	app["spec"].(object)["driver"] = object{"serviceAccount": "spark-spark"}
	installed := append(inNamespaces(rendered(t, "1.4.6")), account, app)

	open := judgedTo(t, "2.5.2", "", "", installed, nil, true)
	require.Equal(t, "INCOMPLETE", open[0])
	require.Contains(t, open[1], "values not known: spark.jobNamespaces, spark.serviceAccount.name (pass --helm-values or --target-manifests)")

	for values, want := range map[string]string{
		"null": "NO-GO", // nothing is set, and the defaults of 2.x leave out the namespace
		"sparkJobNamespaces: [spark-apps]\nserviceAccounts: {spark: {name: spark-spark}}": "NO-GO",
		"spark: {jobNamespaces: [spark-apps]}":                                            "NO-GO", // the account goes
		// the namespace goes
		"spark: {serviceAccount: {name: spark-spark}}":                                                               "NO-GO",
		"USER-SUPPLIED VALUES:\nspark: {jobNamespaces: [spark-apps], serviceAccount: {name: spark-spark}}":           "GO",
		"spark-operator: {spark: {jobNamespaces: [spark-apps], serviceAccount: {name: spark-spark}}}\nother: {a: 1}": "GO",
	} {
		got := judgedTo(t, "2.5.2", "", values, installed, nil, true)
		require.Equal(t, want, got[0], "%s\n%s", values, strings.Join(got, "\n"))
		require.NotContains(t, got[1], "values not known", values)
	}
}

// TestValuesOfOtherCharts decide nothing, and the verdict says so: an umbrella chart may set the operator's itself.
func TestValuesOfOtherCharts(t *testing.T) {
	installed := append(inNamespaces(rendered(t, "1.4.6")), application())
	const said = "the values that were given hold none of the operator's chart"
	for values, foreign := range map[string]bool{
		"airflow: {webhook: {port: 1}}":                                      true,
		"{postgresql: {auth: {}}, image: {tag: latest}, prometheus: {a: 1}}": true,
		"{airflow: {a: 1}, spark: {jobNamespaces: [spark-apps]}}":            false, // a chart passes over what it does not know
		"{airflow: {a: 1}, sparkJobNamespaces: [spark-apps]}":                false,
		"{airflow: {a: 1}, spark-operator: {}}":                              false,
		"{airflow: {a: 1}, spark-operator: null}":                            false,
		"{image: {registry: mirror}, nodeSelector: {a: b}}":                  false,
		"null": false,
	} {
		got := judgedTo(t, "2.5.2", "", values, installed, nil, true)
		require.Equal(t, foreign, strings.Contains(got[1], said), "%s\n%s", values, got[1])
		require.Equal(t, foreign, strings.Contains(got[1], "values not known: "), "%s\n%s", values, got[1])
		if foreign {
			require.Equal(t, "INCOMPLETE", got[0], values)
		}
	}
}

// TestValuesOfAnother: values that the installation does not have decide nothing. Where a check would find something else with them, the
// verdict is open and names them; where none would, they are a warning.
func TestValuesOfAnother(t *testing.T) {
	app := application()
	installed := append(inNamespaces(rendered(t, "2.1.1")), app)
	plain := judgedTo(t, "2.5.2", "", "", installed, nil, true)
	for values, want := range map[string]struct{ value, open string }{
		"spark: {jobNamespaces: [elsewhere]}":                                              {"spark.jobNamespaces", "spark.jobNamespaces"},
		"spark-operator: {spark: {jobNamespaces: [elsewhere]}}":                            {"spark.jobNamespaces", "spark.jobNamespaces"},
		"{spark: {jobNamespaces: [spark-apps]}, webhook: {port: 9999}}":                    {"webhook.port", ""},
		"{spark: {jobNamespaces: [spark-apps]}, controller: {uiService: {enable: false}}}": {"controller.uiService.enable", ""},
		// With its defaults the chart leaves the namespace out: the answer rests on what the values do not say either.
		"{webhook: {port: 9999}}": {"webhook.port", "webhook.port"},
		"{spark: {jobNamespaces: [spark-apps]}, webhook: {port: 9443}, other: {jobNamespaces: [a]}}": {"", ""},
		"USER-SUPPLIED VALUES:\n{spark: {jobNamespaces: [spark-apps]}, image: {}}":                   {"", ""},
	} {
		got := judgedTo(t, "2.5.2", "", values, installed, nil, true)
		text := strings.Join(got, "\n")
		require.Equal(t, want.open != "", strings.Contains(got[1], "the values that were given are not of this installation ("+want.open+"), "+
			"and the answer depends on them"), "%s\n%s", values, text)
		require.Equal(t, want.value != "", strings.Contains(text, "SD7027 warning"), "%s\n%s", values, text)
		require.Equal(t, want.value != "", strings.Contains(text, "the values set "+want.value), values)
		if want.open == "" {
			require.Equal(t, plain[0], got[0], "%s\n%s", values, text)
		}
	}
}

// TestValuesAreRefused: what is no output of helm get values is an error, which says nothing of what is in it.
func TestValuesAreRefused(t *testing.T) {
	to, err := operator.ReleaseNamed("2.5.2")
	require.NoError(t, err)
	for text, want := range map[string]string{
		"password: [hunter2": "not YAML", "- hunter2": "no map", "apiVersion: v1\nkind: Secret\ndata: {a: hunter2}": "a Kubernetes object",
	} {
		_, err := scan.Gate(t.Context(), scan.GateOptions{
			Options: scan.Options{Source: scan.Files{Paths: []string{"testdata"}}}, To: to.Application, Values: "-", Stdin: strings.NewReader(text),
		})
		require.ErrorContains(t, err, "--helm-values -: "+want)
		require.NotContains(t, err.Error(), "hunter2")
	}
	_, err = scan.Gate(t.Context(), scan.GateOptions{
		Options: scan.Options{Source: scan.Files{Paths: []string{"testdata"}}}, To: to.Application, Values: "missing.yaml",
	})
	require.ErrorContains(t, err, "--helm-values: missing.yaml: no such file")
}
