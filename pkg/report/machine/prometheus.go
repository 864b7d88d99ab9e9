package machine

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Prometheus writes the report in the text exposition format 0.0.4, for the textfile collector of node-exporter or a
// push. What could not be looked at has no sample, and sparkdoctor_check_status says why.
func Prometheus(w io.Writer, r *report.Report) error {
	e := &exposition{w: bufio.NewWriter(w)}
	e.scan(r)
	e.gate(r.Gate)
	e.findings(r)
	e.baseline(r)
	e.checks(r)
	e.admission(r)
	e.sizes(r)
	return e.w.Flush()
}

type exposition struct{ w *bufio.Writer }

// family begins a metric: its samples must follow.
func (e *exposition) family(name, help string) {
	fmt.Fprintf(e.w, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
}

// sample writes one sample; labels are names and values in turn.
func (e *exposition) sample(name, value string, labels ...string) {
	var pairs []string
	for i := 0; i+1 < len(labels); i += 2 {
		if (labels[i] == "cluster" || labels[i] == "namespace") && labels[i+1] == "" {
			continue // there is only one; what has no namespace, and the 0 of a check without findings
		}
		pairs = append(pairs, labels[i]+`="`+escapeLabel(labels[i+1])+`"`)
	}
	if len(pairs) > 0 {
		name += "{" + strings.Join(pairs, ",") + "}"
	}
	fmt.Fprintf(e.w, "%s %s\n", name, value)
}

// escapeLabel makes control characters visible first: the format would let them pass, and whoever shows a label too.
func escapeLabel(value string) string {
	value = strings.ToValidUTF8(report.Escape(value), string(utf8.RuneError))
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)
}

func (e *exposition) scan(r *report.Report) {
	e.family("sparkdoctor_build_info", "The build that made the report.")
	e.sample("sparkdoctor_build_info", "1", "version", r.Tool.Version, "commit", r.Tool.Commit)
	e.family("sparkdoctor_scan_timestamp_seconds", "Time of the scan: time() minus this is its age.")
	e.sample("sparkdoctor_scan_timestamp_seconds", strconv.FormatInt(r.Metadata.CreationTimestamp.Unix(), 10))
	e.family("sparkdoctor_scan_complete", "Whether every selected check read all that it needs.")
	e.sample("sparkdoctor_scan_complete", gauge(!r.Incomplete()))
	if len(r.Sources) > 1 {
		e.family("sparkdoctor_cluster_scanned", "Whether the scan of a cluster succeeded.")
		for _, s := range r.Sources {
			e.sample("sparkdoctor_cluster_scanned", gauge(s.Error == ""), "cluster", s.Name)
		}
	}
	if r.Metrics != nil && r.Metrics.DurationMilliseconds > 0 {
		e.family("sparkdoctor_scan_duration_seconds", "Duration of the scan.")
		e.sample("sparkdoctor_scan_duration_seconds", strconv.FormatFloat(float64(r.Metrics.DurationMilliseconds)/1000, 'f', -1, 64))
	}
}

func (e *exposition) gate(g *report.Gate) {
	if g == nil {
		return
	}
	e.family("sparkdoctor_gate_verdict", "Verdict on the upgrade of the operator: 1 for the one that holds.")
	for _, verdict := range []string{report.VerdictGo, report.VerdictNoGo, report.VerdictIncomplete} {
		e.sample("sparkdoctor_gate_verdict", gauge(g.Verdict == verdict), "from", g.From, "to", g.To, "controller", g.Controller,
			"verdict", verdict)
	}
}

// findings have a sample for every check that judged and every severity, so that an alert ends at 0.
func (e *exposition) findings(r *report.Report) {
	type key struct{ check, severity, cluster string }
	counts := map[key]map[string]int{} // by namespace
	for _, item := range r.Items {
		if item.Suppression == nil {
			k := key{item.Check, item.Severity, item.Cluster()}
			if counts[k] == nil {
				counts[k] = map[string]int{}
			}
			counts[k][item.Object.Namespace]++
		}
	}
	e.family("sparkdoctor_findings", "Findings by namespace; no sample for a skipped check.")
	for _, c := range r.Checks {
		if c.Status != check.Passed.String() && c.Status != check.Failed.String() {
			continue
		}
		for _, severity := range report.Severities() {
			in := counts[key{c.ID, severity, c.Source}]
			if len(in) == 0 {
				in = map[string]int{"": 0}
			}
			for _, namespace := range slices.Sorted(maps.Keys(in)) {
				e.sample("sparkdoctor_findings", strconv.Itoa(in[namespace]), "check", c.ID, "slug", c.Slug, "severity", severity,
					"namespace", namespace, "cluster", c.Source)
			}
		}
	}
	e.family("sparkdoctor_findings_suppressed", "Suppressed findings; in no other count.")
	e.sample("sparkdoctor_findings_suppressed", strconv.Itoa(r.Summary.Findings.Suppressed))
}

func (e *exposition) baseline(r *report.Report) {
	if r.Baseline == nil {
		return
	}
	c := r.Baseline.Findings
	e.family("sparkdoctor_baseline_findings", "Findings by how they compare with the baseline.")
	for _, class := range []struct {
		name string
		n    int
	}{
		{report.ClassNew, c.New}, {report.ClassResolved, c.Resolved}, {report.ClassUnchanged, c.Unchanged},
		{report.ClassNotComparable, c.NotComparable},
	} {
		e.sample("sparkdoctor_baseline_findings", strconv.Itoa(class.n), "class", class.name)
	}
}

func (e *exposition) checks(r *report.Report) {
	if len(r.Checks) == 0 {
		return
	}
	e.family("sparkdoctor_check_status", "Status of each check: 1 for the one that holds.")
	for _, c := range r.Checks {
		for _, status := range []check.Status{check.Passed, check.Failed, check.Skipped, check.NotApplicable} {
			e.sample("sparkdoctor_check_status", gauge(c.Status == status.String()), "check", c.ID, "slug", c.Slug, "status", status.String(),
				"cluster", c.Source)
		}
	}
	e.family("sparkdoctor_check_complete", "Whether the check read all that it needs.")
	for _, c := range r.Checks {
		e.sample("sparkdoctor_check_complete", gauge(c.Coverage == "complete" && c.Status != check.Skipped.String()), "check", c.ID,
			"slug", c.Slug, "cluster", c.Source)
	}
	e.family("sparkdoctor_check_unseen", "Failed requests that the check needed.")
	for _, c := range r.Checks {
		e.sample("sparkdoctor_check_unseen", strconv.Itoa(snapshot.Unseens(c.Unseen)), "check", c.ID, "slug", c.Slug, "cluster", c.Source)
	}
}

func (e *exposition) admission(r *report.Report) {
	if len(r.Namespaces) == 0 {
		return
	}
	e.family("sparkdoctor_admission_state", "Whether the webhook works for the Spark pods of a namespace: 1 for the state that holds.")
	for _, ns := range r.Namespaces {
		for _, state := range []check.AdmissionState{check.AdmissionHealthy, check.AdmissionBroken, check.AdmissionUnknown} {
			e.sample("sparkdoctor_admission_state", gauge(ns.Admission.State == string(state)), "namespace", ns.Name, "state", string(state),
				"cluster", ns.Source)
		}
	}
	if len(r.InState(check.AdmissionBroken)) == 0 {
		return
	}
	e.family("sparkdoctor_admission_broken_link", "The broken link between API server and webhook, by namespace.")
	for _, ns := range r.InState(check.AdmissionBroken) {
		e.sample("sparkdoctor_admission_broken_link", "1", "namespace", ns.Name, "link", ns.Admission.BrokenLink, "cluster", ns.Source)
	}
}

func (e *exposition) sizes(r *report.Report) {
	if r.Metrics == nil {
		return
	}
	e.family("sparkdoctor_object_limit_bytes", "etcd's limit for one request.")
	e.sample("sparkdoctor_object_limit_bytes", strconv.Itoa(r.Metrics.MaxObjectBytes))
	if list := r.Metrics.Applications; len(list) > 0 {
		e.family("sparkdoctor_application_size_bytes", "Bytes of the largest SparkApplications, without managedFields.")
		for _, a := range list {
			e.sample("sparkdoctor_application_size_bytes", strconv.Itoa(a.Bytes), "namespace", a.Namespace, "name", a.Name, "cluster", a.Source)
		}
		e.family("sparkdoctor_application_size_ratio", "Size of the largest SparkApplications as a share of the limit; 1 is full.")
		for _, a := range list {
			e.sample("sparkdoctor_application_size_ratio", strconv.FormatFloat(r.Metrics.Share(a), 'f', 6, 64), "namespace", a.Namespace,
				"name", a.Name, "cluster", a.Source)
		}
	}
	if list := r.Metrics.Certificates; len(list) > 0 {
		e.family("sparkdoctor_certificate_expiry_timestamp_seconds", "When a certificate of the webhook's Secret expires.")
		for _, c := range list {
			e.sample("sparkdoctor_certificate_expiry_timestamp_seconds", strconv.FormatInt(c.NotAfter.Unix(), 10), "namespace", c.Namespace,
				"secret", c.Secret, "role", c.Role, "cluster", c.Source)
		}
	}
}

func gauge(holds bool) string {
	if holds {
		return "1"
	}
	return "0"
}
