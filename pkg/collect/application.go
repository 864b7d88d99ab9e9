package collect

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// ApplicationOptions say which application is read, and what beside it. Of the views that are asked for, those of Spark objects hold no
// more than what concerns it.
type ApplicationOptions struct {
	ClusterOptions
	// SparkApplication, ScheduledSparkApplication, SparkConnect, Pod or SparkCluster; empty: the first that has the name
	Kind            string
	Group           string // of Kind, which both operators may have; empty: the first that has the name
	Namespace, Name string
}

// Application reads an application in full, with its pods, what surrounds them, and their logs. An error means that nothing could be
// read at all; what could not be read is in the coverage.
func Application(ctx context.Context, conn *apiserver.Connection, o ApplicationOptions) (*snapshot.Snapshot, *Again, error) {
	c, err := newClient(conn, cmp.Or(o.QPS, 50), cmp.Or(o.Burst, 100))
	if err != nil {
		return nil, nil, err
	}
	s, err := discover(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	o.Namespaces = []string{o.Namespace}
	g := &gatherer{c: c, served: s, o: o.ClusterOptions, b: snapshot.NewBuilder(c.date.now(o.Now()))}
	g.b.FromServer()
	g.b.Asked(o.Namespaces)
	r := g.newReader(o.Namespace)
	r.root(ctx, o.Group, o.Kind, o.Name)
	g.narrow = r.narrowed()
	var wg sync.WaitGroup
	var failed error
	wg.Go(func() { failed = g.gather(ctx) })
	r.rest(ctx)
	wg.Wait()
	r.operator(ctx)
	withLogs := o.Logs || r.unmade()
	if failed == nil && withLogs && g.needs(snapshot.OperatorLogs) {
		failed = g.logs(ctx)
	}
	if failed != nil {
		return nil, nil, failed
	}
	r.pointed(ctx)
	r.cover()
	return g.b.Seal(), &Again{c: c, served: s}, ctx.Err()
}

// narrowing is a part of a view: what has the labels and one of the selections of fields.
type narrowing struct {
	labels string
	fields []string
}

// reader reads one application in full.
type reader struct {
	g         *gatherer
	namespace string

	apps      []string // names of applications: one, or the runs of a schedule
	schedules []string
	connects  []string
	apache    string   // name of an application or a cluster of the Apache Spark Kubernetes Operator
	selectors []string // labels of pods, each of which selects some
	driver    string   // name of the pod
	connect   *snapshot.Whole
	pods      []*snapshot.Whole
	naming    map[snapshot.View][]*snapshot.Whole // objects read so far, which may name others

	mu       sync.Mutex
	coverage map[snapshot.View]snapshot.Coverage
	counted  []string // nodes of which all pods were read
}

func (g *gatherer) newReader(namespace string) *reader {
	return &reader{g: g, namespace: namespace, coverage: map[snapshot.View]snapshot.Coverage{},
		naming: map[snapshot.View][]*snapshot.Whole{}}
}

// maxRuns is how many runs of a schedule are read.
const maxRuns = 5

// root finds what was asked for, and the applications and selectors of pods that follow from it. What is not found may have left parts.
func (r *reader) root(ctx context.Context, group, kind, name string) {
	found, is := r.first(ctx, group, kind, name)
	switch {
	case found == nil && group != snapshot.SparkGroup:
		if found = r.called(ctx, kind, name); found != nil {
			kind = "Pod"
		}
	case found != nil:
		if group == "" && found.Group() == snapshot.SparkGroup {
			r.namesake(ctx, kind, name)
		}
		kind = is
	}
	switch {
	case found != nil && found.Group() == snapshot.ApacheGroup:
		r.ofApache(kind, name)
	case kind == "ScheduledSparkApplication":
		r.schedules = []string{name}
		for _, run := range lastRuns(found) {
			r.get(ctx, snapshot.WholeApplications, run)
			r.apps = append(r.apps, run)
		}
	case kind == "SparkConnect":
		r.connects, r.connect = []string{name}, found
	case kind == "Pod":
		r.ofPod(ctx, found)
	case group == snapshot.ApacheGroup:
		r.ofApache(kind, name) // it is gone, and pods may be left
	default:
		r.apps = []string{name}
	}
	if len(r.apps) > 0 {
		r.driver = r.apps[0] + "-driver"
	} else if len(r.connects) > 0 {
		r.driver = r.connects[0] + "-server" // GetServerPodName in internal/controller/sparkconnect/util.go@v2.5.2
	}
	if found != nil {
		if name := whole.DriverPod(found); name != "" {
			r.driver = name
		}
	}
	if owner := ownerOf(found, "ScheduledSparkApplication"); owner != "" {
		r.get(ctx, snapshot.WholeSchedules, owner)
		r.schedules = append(r.schedules, owner)
	}
	for _, app := range r.apps {
		r.selectors = append(r.selectors, snapshot.AppNameLabel+"="+app)
	}
	for _, connect := range r.connects {
		r.selectors = append(r.selectors, snapshot.ConnectNameLabel+"="+connect)
	}
	r.selectors = slices.DeleteFunc(r.selectors, func(s string) bool { _, value, _ := strings.Cut(s, "="); return !labelValue(value) })
}

// first gets the first object that has the name, and says of which kind it is.
func (r *reader) first(ctx context.Context, group, kind, name string) (found *snapshot.Whole, is string) {
	for _, v := range append([]snapshot.View{snapshot.WholeApplications, snapshot.WholeSchedules, snapshot.WholeConnects,
		snapshot.WholePods}, snapshot.ApacheViews()...) {
		src, _ := snapshot.SourceOf(v)
		if kind != "" && (kind != src.Kind || group != "" && group != src.Group) {
			continue
		}
		if found := r.get(ctx, v, name); found != nil {
			return found, src.Kind
		}
	}
	return nil, ""
}

// called finds the driver that was created last of applications that another than our operator started, by a label that names them.
func (r *reader) called(ctx context.Context, kind, name string) *snapshot.Whole {
	if !labelValue(name) {
		return nil
	}
	for _, label := range snapshot.AppNameLabels(kind) {
		found, _, err := r.list(ctx, snapshot.WholePods, wanted{
			namespace: r.namespace, labels: label + "=" + name + "," + snapshot.RoleLabel + "=driver", most: fullPage,
		})
		if err != nil || len(found) == 0 {
			continue
		}
		last := slices.MaxFunc(found, func(a, b *snapshot.Whole) int {
			return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.Name, b.Name))
		})
		r.add(snapshot.WholePods, last)
		return last
	}
	return nil
}

// ofPod goes from a pod to its application; without one of the operator's, to the pods of the same application of Spark.
func (r *reader) ofPod(ctx context.Context, pod *snapshot.Whole) {
	if pod == nil {
		return
	}
	app := whole.Label(pod, snapshot.AppNameLabel)
	connect := whole.Label(pod, snapshot.ConnectNameLabel)
	selector := whole.Label(pod, snapshot.AppSelectorLabel)
	if apache := whole.Label(pod, snapshot.ApacheNameLabel); apache != "" {
		r.get(ctx, snapshot.WholeApacheApplications, apache)
	}
	if apache := whole.Label(pod, snapshot.ApacheClusterLabel); apache != "" {
		r.get(ctx, snapshot.WholeApacheClusters, apache)
	}
	switch {
	case app != "":
		r.apps = []string{app}
		if owner := ownerOf(r.get(ctx, snapshot.WholeApplications, app), "ScheduledSparkApplication"); owner != "" {
			r.get(ctx, snapshot.WholeSchedules, owner)
		}
	case connect != "":
		r.connects = []string{connect}
		r.connect = r.get(ctx, snapshot.WholeConnects, r.connects[0])
	case selector != "":
		r.selectors = []string{snapshot.AppSelectorLabel + "=" + selector}
	default:
		r.pods = append(r.pods, pod)
	}
}

// unmade reports whether the operator has not made all of a SparkConnect: of why, only its log tells (#2790).
func (r *reader) unmade() bool {
	server := func(p *snapshot.Whole) bool { return !isExecutor(p) }
	return r.connect != nil && (whole.ConnectState(r.connect) == "" || !slices.ContainsFunc(r.pods, server))
}

// lastRuns are the runs of a schedule that its status names, as many as are read.
func lastRuns(schedule *snapshot.Whole) []string {
	if schedule == nil {
		return nil
	}
	runs := whole.Runs(schedule)
	return runs[:min(len(runs), maxRuns)]
}

// narrowed says of the views of Spark objects what of them is read for checks.
func (r *reader) narrowed() map[snapshot.View]narrowing {
	one := func(names []string) narrowing {
		if len(names) == 0 || !validSegment(names[0]) {
			return narrowing{} // nothing
		}
		return narrowing{fields: []string{"metadata.name=" + names[0]}}
	}
	warnings, _ := snapshot.SourceOf(snapshot.WarningEvents)
	var about, pods narrowing
	if names := slices.Concat(r.apps, r.connects); len(names) > 0 && validSegment(names[0]) && validSegment(r.driver) {
		for _, name := range []string{names[0], r.driver} {
			about.fields = append(about.fields, warnings.FieldSelector+",involvedObject.name="+name)
		}
	}
	if len(r.selectors) > 0 {
		pods = narrowing{labels: snapshot.LaunchedByLabel + "=true," + r.selectors[0], fields: []string{""}}
	}
	return map[snapshot.View]narrowing{
		snapshot.SparkApplications: one(r.apps), snapshot.ScheduledSparkApplications: one(r.schedules),
		snapshot.SparkConnects: one(r.connects), snapshot.SparkPods: pods,
		snapshot.WarningEvents: about,
	}
}

// rest reads what surrounds the application.
func (r *reader) rest(ctx context.Context) {
	r.listPods(ctx)
	var wg sync.WaitGroup
	slots := make(chan struct{}, parallelViews)
	for _, read := range []func(context.Context){
		r.events, r.quotas, r.around(snapshot.WholeLimitRanges), r.around(snapshot.WholeClaims),
		r.around(snapshot.WholeAccounts), r.around(snapshot.WholeConfigMaps), r.around(snapshot.WholeServices),
		r.around(snapshot.WholeNetworkPolicies), r.around(snapshot.WholeWorkloads), r.around(snapshot.WholeVolcanoPodGroups),
		r.around(snapshot.WholeSchedulerPodGroups), r.aroundNodes, r.readLogs,
	} {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			read(ctx)
		})
	}
	wg.Wait()
}
