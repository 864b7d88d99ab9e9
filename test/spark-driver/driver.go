package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/sparkconf"
)

// command is what a driver's container was told to run (DriverCommandFeatureStep).
type command struct {
	properties string
	resource   string // such as local:///opt/spark/work-dir/job.py
	context    bool
	args       []string
}

func parse(args []string) (command, error) {
	var c command
	for len(args) > 1 && strings.HasPrefix(args[0], "--") {
		if args[0] == "--properties-file" {
			c.properties = args[1]
		}
		args = args[2:]
	}
	if c.properties == "" || len(args) == 0 {
		return command{}, fmt.Errorf("want --properties-file and an application: %q", args)
	}
	c.resource, c.args = args[0], args[1:]
	if len(c.args) > 0 && c.args[0] == "context" {
		c.context, c.args = true, c.args[1:]
	}
	return c, nil
}

// runDriver makes executors, if it is to, runs the application and cleans up after it as SparkContext.stop does.
func runDriver(ctx context.Context, args []string) (int, error) {
	c, err := parse(args)
	if err != nil {
		return 1, err
	}
	conf, err := readConf(c.properties)
	if err != nil {
		return 1, err
	}
	if !c.context {
		end, err := supervise(ctx, c.program(conf))
		return end.code, err
	}
	registered, err := listen(conf)
	if err != nil {
		return 1, err
	}
	backend, err := startBackend(ctx, conf, registered)
	if err != nil {
		return 1, fmt.Errorf("External scheduler cannot be instantiated: %w", err) //nolint:staticcheck // Spark's own words
	}
	end, err := supervise(ctx, c.program(conf))
	if end.killed { // no shutdown hook of a JVM runs then
		return end.code, err
	}
	registered.shutDown(all)
	time.Sleep(time.Second) // what they take to end
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return end.code, errors.Join(err, backend.stop(bounded))
}

func (c command) program(conf sparkconf.Conf) []string {
	if file := strings.TrimPrefix(c.resource, "local://"); strings.HasSuffix(file, ".py") {
		return append([]string{"python3", file}, c.args...)
	}
	return java(conf.First("spark.driver.memory"), conf["spark.driver.extraJavaOptions"], c.args...)
}

// executors are the connections of those that have registered.
type executors struct {
	mu   sync.Mutex
	open []net.Conn
}

// listen answers on the ports that Spark's driver has: executors hold a connection to the first, the second is the UI.
func listen(conf sparkconf.Conf) (*executors, error) {
	rpc, err := net.Listen("tcp", ":"+conf.First("spark.driver.port"))
	if err != nil {
		return nil, fmt.Errorf("listening for executors: %w", err)
	}
	e := &executors{}
	go func() {
		for {
			c, err := rpc.Accept()
			if err != nil {
				return
			}
			e.mu.Lock()
			e.open = append(e.open, c)
			e.mu.Unlock()
		}
	}()
	ui, err := net.Listen("tcp", ":4040")
	if err != nil {
		return nil, fmt.Errorf("listening for the UI: %w", err)
	}
	go func() {
		err := http.Serve(ui, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "[]") }))
		fmt.Fprintln(os.Stderr, "UI:", err)
	}()
	return e, nil
}

// all executors that have registered.
const all = math.MaxInt

// shutDown commands executors to shut down, the newest first, which then exit with 0. Those of a driver that is killed lose their
// connection instead (CoarseGrainedExecutorBackend: StopExecutor, onDisconnected).
func (e *executors) shutDown(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for ; n > 0 && len(e.open) > 0; n-- {
		last := len(e.open) - 1
		fmt.Fprintln(e.open[last], "stop") // one that has gone cannot be told
		e.open = e.open[:last]
	}
}
