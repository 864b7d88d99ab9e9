package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/bench/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

// contender is one way to get what a scan looks at.
type contender struct {
	name, what string
	// prepare is done before the first run; it may be nil.
	prepare func(ctx context.Context) error
	// args are the program and its arguments, against the API server or through the proxy.
	args func(proxied bool) []string
	// atMost bounds the runs; 0: as many as the others. Then none of them goes uncounted.
	atMost int
	// offline contenders read a file of this many bytes and make no requests.
	file int64
	// codes are the exit codes of a run that did what it was to do.
	codes []int
}

// contenders come in groups that are measured one after the other: kubectl keeps the API server busy with its own for
// a while after it has ended.
func (b *bench) contenders(size int) [][]contender {
	scan := func(proxied bool) []string { return []string{b.o.binary, "scan", b.config(proxied), "-o", "json"} }
	wire := func(name string) func(bool) []string {
		return func(proxied bool) []string { return []string{b.file("wire"), b.planFile(name, proxied)} }
	}
	record := func(ctx context.Context) error { return b.recordPlan(ctx, "paged", scan(true)) }
	list := [][]contender{{
		{name: "scan", what: "`kubectl-sparkdoctor scan -o json`", args: scan, codes: []int{0, 1, 3}},
		{name: "paged wire", what: "the same requests, thrown away", args: wire("paged"), codes: []int{0}, prepare: record},
		{name: "bare wire", what: "SparkApplications as JSON and Spark pods as protobuf, one request each, thrown away", args: wire("bare"),
			codes: []int{0}},
	}}
	list = append(list, b.why())
	if size == b.o.also {
		list = append(list, b.others()...)
		list = append(list, []contender{{name: kubectlsWire, what: "the lists that `kubectl get sparkapplications,pods -A --chunk-size=500` " +
			"asks for, thrown away", args: wire("chunked"), codes: []int{0}, atMost: 3}})
	}
	if size == b.o.kubectl {
		list = append(list, []contender{{name: "kubectl get", what: "`kubectl get sparkapplications,pods -A -o json`, in pages of 500, which " +
			"is its default", codes: []int{0}, atMost: 3,
			args: func(proxied bool) []string {
				return []string{b.cp.Kubectl(), "get", "sparkapplications,pods", "-A", "-o", "json", b.config(proxied),
					"--cache-dir=" + b.file("kubectl-cache")}
			}}})
	}
	return list
}

// why asks about one application: an ordinary one, and one with a status of a megabyte. Both run; nobody serves their logs.
func (b *bench) why() []contender {
	of := func(name string, i int, what string) contender {
		return contender{name: name, what: "`kubectl-sparkdoctor why NAME -o json`, " + what, codes: []int{0, 3},
			args: func(proxied bool) []string {
				app, namespace := load.Name(i, max(1, b.o.fleet.Namespaces))
				return []string{b.o.binary, "why", app, "-n", namespace, b.config(proxied), "-o", "json"}
			}}
	}
	return []contender{
		of("why", 1, "of one application"),
		of("why, large", 0, fmt.Sprintf("of one with %s entries in status.executorState", thousands(b.o.fleet.LargeEntries))),
	}
}

// others are measured at one size only, for they take their time.
func (b *bench) others() [][]contender {
	dump := b.file("dump.json")
	list := [][]contender{{{name: "scan -f", what: "`kubectl-sparkdoctor scan -f DUMP -o json`, the same fleet as one JSON List",
		codes: []int{0, 1, 3}, file: size(dump),
		args: func(bool) []string { return []string{b.o.binary, "scan", "-f", dump, "-o", "json"} }}}}
	if b.o.owners != "" {
		list = append(list, []contender{{name: "check-ownerreferences",
			what: "`kubectl-check-ownerreferences --qps 1000 --burst 1000`: metadata only, one question", codes: []int{0, 1},
			args: func(proxied bool) []string {
				return []string{b.o.owners, b.config(proxied), "--qps", "1000", "--burst", "1000"}
			}}})
	}
	return list
}

// kubectlsWire is what kubectl would have the API server do, without the memory that kubectl takes: 13 GB for 100,000 pods.
const kubectlsWire = "kubectl's wire"

func (b *bench) config(proxied bool) string {
	if proxied {
		return "--kubeconfig=" + b.throughProxy
	}
	return "--kubeconfig=" + b.direct
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// bare asks for the two large listings without pages and without compression, which costs more than it saves where
// nothing is far away.
func bare() []plan.Round {
	return []plan.Round{{Parallel: 2, Chains: [][]plan.Request{
		{{URI: "/apis/sparkoperator.k8s.io/v1beta2/sparkapplications", Accept: "application/json", Status: 200}},
		{{URI: "/api/v1/pods?labelSelector=sparkoperator.k8s.io%2Flaunched-by-spark-operator%3Dtrue",
			Accept: "application/vnd.kubernetes.protobuf", Status: 200}},
	}}}
}

// chunked asks for both lists in JSON, in pages of 500, one after the other, as kubectl does.
func chunked() []plan.Round {
	return []plan.Round{{Parallel: 1, Chains: [][]plan.Request{
		{{URI: "/apis/sparkoperator.k8s.io/v1beta2/sparkapplications?limit=500", Accept: "application/json", AcceptEncoding: "gzip", Status: 200,
			Follow: true}},
		{{URI: "/api/v1/pods?limit=500", Accept: "application/json", AcceptEncoding: "gzip", Status: 200, Follow: true}},
	}}}
}

// recordPlan lets a program run through the proxy and notes its requests.
func (b *bench) recordPlan(ctx context.Context, name string, args []string) error {
	b.proxy.take()
	if _, err := b.launch(ctx, args); err != nil {
		return err
	}
	rounds := plan.Rounds(b.proxy.take())
	for i, r := range rounds {
		b.detail("%s: round %d: %d chains, %d at once", name, i, len(r.Chains), r.Parallel)
	}
	return b.writePlan(name, plan.Plan{Protocol: "http/1.1", Ahead: true, Rounds: rounds}) // as a scan does
}

// writePlan writes it for both ways.
func (b *bench) writePlan(name string, how plan.Plan) error {
	config := b.cp.RESTConfig()
	direct, proxied := how, how
	direct.Server = config.Host
	direct.Token = config.BearerToken
	direct.CAFile = config.CAFile
	proxied.Server, proxied.Token = b.proxy.url, config.BearerToken
	for throughProxy, p := range map[bool]plan.Plan{false: direct, true: proxied} {
		text, err := json.Marshal(p)
		if err != nil {
			return fmt.Errorf("encoding a plan: %w", err)
		}
		if err := os.WriteFile(b.planFile(name, throughProxy), text, 0o600); err != nil {
			return fmt.Errorf("writing a plan: %w", err)
		}
	}
	return nil
}

func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) planFile(name string, proxied bool) string {
	return b.file(fmt.Sprintf("%s-%t.json", name, proxied))
}
