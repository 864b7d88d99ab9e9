package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// untrusted is what a tenant may write, and the processor time that it costs who reads it at one, ten and a hundred times its size.
type untrusted struct {
	name  string
	times [3]time.Duration
}

// smallest is the size of an input at one times, in bytes: a hundred times is what is kept of a log at most.
const smallest = 40 << 10

// inputs write what is read: text that secrets are looked for in, lists that are compared, and logs. Each is read in a directory of its
// own.
func inputs() map[string]func(size int) string {
	repeated := func(unit string) func(int) string {
		return func(size int) string { return strings.Repeat(unit, 1+size/len(unit)) }
	}
	return map[string]func(int) string{
		"argument: secrets":      repeated("secret: "),
		"argument: names of SQL": repeated("IDENTIFIED BY "),
		"owners":                 repeated(`{"apiVersion":"v1","kind":"Pod","name":"a","uid":"u"},`),
		"log: one line of words": repeated("glpat- SG. eyJ curl mysql docker aws "),
		"log: lines of words":    repeated("glpat- SG. eyJ curl mysql docker aws \n"),
		"log: base64":            repeated("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlq"),
		"log: stack traces":      repeated("a.IOException: x\n\tat a.B(C.java:1)\nCaused by: a.IOException: y\n\tat a.B(C.java:1)\n"),
		"log: lost tasks":        repeated("26/01/01 00:00:00 WARN T: Lost task 1.0 in stage 1.0 (TID 1) (10.0.0.1 executor 1): a.B: x\n"),
	}
}

// failed is an application whose driver ended with 1, with an argument and owners.
const failed = `{"apiVersion":"v1","kind":"List","items":[
{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"etl","namespace":"a","ownerReferences":[OWNERS]},
 "spec":{"type":"Scala","mode":"cluster","mainClass":"a.B","mainApplicationFile":"local:///a.jar","sparkVersion":"3.5.5",
  "arguments":["ARGUMENT"],"driver":{},"executor":{}},
 "status":{"applicationState":{"state":"FAILED"},"driverInfo":{"podName":"etl-driver"},"terminationTime":"2026-01-01T01:00:00Z"}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"etl-driver","namespace":"a","labels":{"spark-role":"driver",
  "sparkoperator.k8s.io/app-name":"etl","sparkoperator.k8s.io/launched-by-spark-operator":"true"}},
 "spec":{"containers":[{"name":"spark-kubernetes-driver","image":"x"}]},
 "status":{"phase":"Failed","containerStatuses":[{"name":"spark-kubernetes-driver","state":{"terminated":{"exitCode":1,"reason":"Error",
  "finishedAt":"2026-01-01T01:00:00Z"}}}]}}]}`

// untrusted measures scan and why together over each input.
func (b *bench) untrusted(ctx context.Context) ([]untrusted, error) {
	var out []untrusted
	all := inputs()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := all[name]
		one := untrusted{name: name}
		for i, size := range []int{smallest, 10 * smallest, 100 * smallest} {
			dir := b.file(fmt.Sprintf("untrusted-%d-%d", len(out), i))
			if err := writeUntrusted(dir, name, text(size)); err != nil {
				return nil, fmt.Errorf("writing an input: %w", err)
			}
			for _, args := range [][]string{{"scan", "--fail-on", "none"}, {"why", "etl", "-n", "a"}} {
				t, err := b.launch(ctx, append(append([]string{b.o.binary}, args...), "-R", "-f", dir, "-o", "json"))
				if err != nil {
					return nil, err
				}
				one.times[i] += t.CPU
			}
			if err := os.RemoveAll(dir); err != nil {
				return nil, fmt.Errorf("removing an input: %w", err)
			}
		}
		out = append(out, one)
	}
	return out, nil
}

func writeUntrusted(dir, name, text string) error {
	owners, argument, log := "", "", ""
	switch place, _, _ := strings.Cut(name, ":"); place {
	case "owners":
		owners = strings.TrimSuffix(text, ",")
	case "argument":
		argument = text
	default:
		log = text
	}
	if err := os.MkdirAll(filepath.Join(dir, "logs"), 0o755); err != nil {
		return err
	}
	objects := strings.NewReplacer("OWNERS", owners, "ARGUMENT", argument).Replace(failed)
	if err := os.WriteFile(filepath.Join(dir, "objects.json"), []byte(objects), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "logs", "a_etl-driver_spark-kubernetes-driver.log"), []byte(log), 0o600)
}

// untrustedRows are the table of what a tenant may write, headings first.
func (r report) untrustedRows() [][]string {
	rows := [][]string{{"scan and why, of", "40 KiB", "10 ×", "100 ×", "a MB, at 100 ×"}}
	for _, u := range r.tenants {
		each := (u.times[2] - u.times[0]).Seconds() / (99 * smallest) * 1e6
		rows = append(rows, []string{u.name, seconds(u.times[0]), seconds(u.times[1]), seconds(u.times[2]), fmt.Sprintf("%.2f s", each)})
	}
	return rows
}
