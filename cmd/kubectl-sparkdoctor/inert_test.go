package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// hostile is a name that no user gives an object, and that any could.
const hostile = "e\x1b[31mv\u009b2Ji\u202el\u2066|x|\r\nERROR  " +
	"SD9999\n::error::x\n##[error]y\n<script>alert(1)</script>`*_[a](javascript:b)`\u2028{{7}}\"'\\\x00"

// hostileObjects have it in every name and text that ends up in a report.
func hostileObjects() []map[string]any {
	evil := func(s string) string { return s + hostile }
	meta := func(name string, more ...any) map[string]any {
		m := map[string]any{"name": evil(name), "namespace": evil("ns"), "uid": evil("uid-" + name)}
		for i := 0; i < len(more); i += 2 {
			m[more[i].(string)] = more[i+1] //nolint:forcetypeassert // a test
		}
		return m
	}
	labels := map[string]any{"sparkoperator.k8s.io/launched-by-spark-operator": "true", "sparkoperator.k8s.io/app-name": evil("app"),
		"spark-role": "driver"}
	return []map[string]any{
		{"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
			"metadata": meta("app", "ownerReferences", []any{map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow",
				"name": evil("owner"), "uid": evil("uid-owner")}},
				"deletionTimestamp", "2026-11-21T01:00:00Z", "finalizers", []any{evil("example.com/finalizer")}, "annotations",
				map[string]any{"sparkdoctor.io/ignore": evil("SD2001: ")}),
			"status": map[string]any{"applicationState": map[string]any{"state": evil("FAILED"), "errorMessage": evil("because")},
				"submissionID": evil("id"), "terminationTime": "2026-11-21T02:00:00Z"}},
		{"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow",
			"metadata": map[string]any{"name": evil("owner"), "namespace": evil("argo"), "uid": evil("uid-owner")},
			"spec": map[string]any{"templates": []any{map[string]any{"name": evil("template"),
				"resource": map[string]any{"action": "create", "setOwnerReference": true,
					"manifest": "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: " +
						"SparkApplication\nmetadata: {namespace: \"else\\e[31m\\nwhere\"}\n"}}}}},
		{"apiVersion": "v1", "kind": "Pod", "metadata": meta("pod", "labels", labels, "creationTimestamp", "2026-11-20T01:00:00Z"),
			"spec":   map[string]any{"containers": []any{map[string]any{"name": evil("spark-kubernetes-driver"), "image": evil("image")}}},
			"status": map[string]any{"phase": "Failed", "reason": evil("Evicted"), "message": evil("m")}},
		{"apiVersion": "v1", "kind": "Event", "metadata": meta("event"), "reason": "OwnerRefInvalidNamespace", "type": "Warning",
			"message": evil("message"), "count": 1,
			"involvedObject": map[string]any{"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication", "namespace": evil("ns"),
				"name": evil("gone"), "uid": evil("x")}, "lastTimestamp": "2026-11-21T02:00:00Z", "firstTimestamp": "2026-11-21T02:00:00Z"},
		{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": evil("operator") + "-controller",
			"namespace": evil("op"), "labels": map[string]any{"app.kubernetes.io/version": evil("9.9.9")}},
			"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "c",
				"image": "ghcr.io/kubeflow/spark-operator/controller:" + evil("v1"),
				"args":  []any{"controller", "start", "--namespaces=" + evil("x")}}}}}}},
	}
}

func hostileFiles(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hostile.json")
	var text []byte
	for _, o := range hostileObjects() {
		one, err := json.Marshal(o)
		require.NoError(t, err)
		text = append(append(text, one...), '\n')
	}
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return file
}

// inert holds that no terminal, and nothing that reads lines, acts on a text.
func inert(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			t.Errorf("%s holds %U: %.100q", what, r, text[max(0, i-60):])
			return
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "ERROR  SD9999") || strings.HasPrefix(line, "::error::x") || strings.Contains(line, "##[error]") {
			t.Errorf("%s lets a line be forged: %.100q", what, line)
		}
	}
}

// TestHostileNames holds that names and messages stay text in every format.
func TestHostileNames(t *testing.T) {
	file := hostileFiles(t)
	summary := filepath.Join(t.TempDir(), "summary.md")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	outputs := map[string]string{}
	for _, format := range []string{"table", "wide", "json", "yaml", "name", "jsonpath={.items[*].object.name}",
		"go-template={{range .items}}{{.object.name}}{{end}}", "markdown", "html", "sarif", "junit", "github", "prometheus"} {
		o := run(t, "scan", "-f", file, "--complete", "--as-of", "2026-11-21T03:00:00Z", "--show-suppressed", "--fail-on", "none",
			"--allow-incomplete", "-o", format)
		require.Equal(t, 0, o.code, o.stderr)
		inert(t, format, o.stdout)
		inert(t, "stderr with "+format, o.stderr)
		outputs[format] = o.stdout
	}
	text, err := os.ReadFile(summary) // #nosec G304 -- a test
	require.NoError(t, err)
	inert(t, "the step summary", string(text))
	require.Contains(t, outputs["table"], `\x1b[31m`, "it is there, to be seen")
	for format, text := range map[string]string{"html": outputs["html"], "markdown": outputs["markdown"], "step summary": string(text)} {
		if format != "html" {
			text = regexp.MustCompile("`[^`\n]*`").ReplaceAllString(strings.NewReplacer(`\<`, "", "\\`", "").Replace(text), "")
		}
		require.False(t, strings.Contains(text, "<script>alert"), format)
	}
	for line := range strings.Lines(outputs["markdown"]) {
		if strings.HasPrefix(line, "|") {
			require.NotContains(t, line, "|x|", "cells stay cells: %s", line)
		}
	}
	// What machines read still says what was there.
	var fromJSON, fromYAML struct {
		Items []struct{ Object struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal([]byte(outputs["json"]), &fromJSON))
	require.NoError(t, yaml.Unmarshal([]byte(outputs["yaml"]), &fromYAML))
	require.NotEmpty(t, fromJSON.Items)
	require.Equal(t, fmt.Sprintf("%q", fromJSON), fmt.Sprintf("%q", fromYAML))
	require.Contains(t, fmt.Sprintf("%q", fromJSON), `\x1b[31m`)
	for _, format := range []string{"junit"} {
		for dec := xml.NewDecoder(strings.NewReader(outputs[format])); ; {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else {
				require.NoError(t, err, format)
			}
		}
	}
}

// TestHostileCluster holds the same of a cluster, of plans for repairs, and of archives.
func TestHostileCluster(t *testing.T) {
	s := newAPIServer(t, time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC),
		"{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, uid: k}}")
	for _, o := range hostileObjects() {
		s.objects = append(s.objects, &unstructured.Unstructured{Object: o})
	}
	kubeconfig, file := s.kubeconfig(t, ""), filepath.Join(t.TempDir(), "cluster.tar.gz")
	for _, args := range [][]string{{"scan"}, {"scan", "-o", "json"}, {"snapshot", "-o", file}, {"fix", "--dry-run"}, {"fix", "-o", "yaml"},
		{"fix", "-o", "json"}} {
		o := run(t, append(args, "--kubeconfig", kubeconfig, "--confirm-after", "1ms")...)
		require.NotEqual(t, 2, o.code, o.stderr)
		inert(t, strings.Join(args, " "), o.stdout)
		inert(t, "stderr of "+strings.Join(args, " "), o.stderr)
	}
	inert(t, "the manifest", entries(t, file)["sparkdoctor-snapshot.json"])
	live, again := run(t, "scan", "-o", "json", "--kubeconfig", kubeconfig, "--confirm-after", "1ms"),
		run(t, "scan", "-o", "json", "-f", file, "--confirm-after", "1ms")
	require.Contains(t, live.stdout, `"check": "SD2004"`)
	require.Equal(t, judged(t, live.stdout), judged(t, again.stdout))
}
