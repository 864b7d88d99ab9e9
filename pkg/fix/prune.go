package fix

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// maxRemoved bounds the entries of one request: the API server takes 10,000 operations (k8s.io/apiserver
// endpoints/handlers/patch.go), and each entry is tested and removed.
const maxRemoved = 4900

// PruneExecutorState removes entries of status.executorState of executors that ended, the oldest first. The operator
// never does (internal/controller/sparkapplication/controller.go@v2.5.2, updateExecutorState; #2025).
type PruneExecutorState struct {
	Application snapshot.Ref `json:"application"`
	Submission  string       `json:"submission"` // status.submissionID; a new submission starts with an empty map
	Keep        int          `json:"keep"`       // how many of the newest that could be removed stay

	only map[string]bool // of a plan: the entries that it shows; nil: as many as Keep says
	busy bool            // the operator writes the status all the time
}

// within is the intent as a plan shows it: what ended since then stays.
func (i PruneExecutorState) within(steps []Step, busy bool) PruneExecutorState {
	i.only, i.busy = map[string]bool{}, busy
	for _, s := range steps {
		for _, c := range s.Changes {
			if len(c.Path) == 0 {
				continue
			}
			i.only[c.Path[len(c.Path)-1]] = true
		}
	}
	return i
}

func (i PruneExecutorState) pods() Read { return podsOf(i.Application) }

func podsOf(app snapshot.Ref) Read {
	return Read{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: app.Namespace},
		Selector: snapshot.AppNameLabel + "=" + app.Name}
}

func (i PruneExecutorState) wrong() (field, why string) {
	if i.Keep < 0 {
		return "keep", "is below 0"
	}
	return "", ""
}

// pin keeps as many as a plan does: they are the user's choice, not the check's.
func (i PruneExecutorState) pin(planned Intent) Intent {
	if p, ok := planned.(PruneExecutorState); ok {
		i.Keep = p.Keep
	}
	return i
}

func (i PruneExecutorState) traits() Traits {
	return Traits{
		Target: i.Application,
		Title:  fmt.Sprintf("remove entries of executors that exited from status.executorState, all but the newest %d", i.Keep),
		Risk:   Safe,
		Order:  Upkeep,
		Reads:  []Read{{Ref: i.Application}, i.pods()},
	}
}

func (i PruneExecutorState) resolve(f Fresh) ([]Step, error) {
	app, err := f.Target(i.Application)
	if err != nil {
		return nil, err
	}
	if id, _, _ := unstructured.NestedString(app.Object, "status", "submissionID"); id != i.Submission {
		return nil, stale("%s was submitted again (%s, was %s), which starts with an empty executorState", i.Application, id, i.Submission)
	}
	if ns := podNamespaceOf(app); ns != "" && ns != i.Application.Namespace {
		reason := "its executors run in namespace %s (sparkConf spark.kubernetes.namespace), so sparkdoctor cannot see which of them exist"
		return nil, &Refused{Reason: fmt.Sprintf(reason, ns)}
	}
	field, _, _ := unstructured.NestedFieldNoCopy(app.Object, "status", "executorState")
	states, _ := field.(map[string]any)
	ended := endedExecutors(states, f.lists[i.pods()])
	if i.only != nil {
		return i.planned(states, ended)
	}
	if len(ended) <= i.Keep {
		return nil, &Refused{
			Reason: fmt.Sprintf("%d of %d entries are of executors that ended and have no pod, and the newest %d of these are kept",
				len(ended), len(states), i.Keep),
			Advice: "keep fewer with --keep-executors, or let the application use fewer executors",
		}
	}
	why := fmt.Sprintf("%d of %d entries are of executors that ended and have no pod", len(ended), len(states))
	return i.steps(states, ended[:len(ended)-i.Keep], why), nil
}

// planned removes those entries of a plan that are still there.
func (i PruneExecutorState) planned(states map[string]any, ended []string) ([]Step, error) {
	ended = slices.DeleteFunc(ended, func(name string) bool { return !i.only[name] })
	if len(ended) == 0 {
		return nil, done("the entries are gone")
	}
	return i.steps(states, ended, "their executors ended and have no pod"), nil
}

func (i PruneExecutorState) steps(states map[string]any, names []string, why string) []Step {
	var out []Step
	known := map[any]any{}
	for batch := range slices.Chunk(names, maxRemoved) {
		step := Step{
			Target: i.Application, Subresource: "status",
			Why:           why,
			Stay:          len(states) - len(names),
			Preconditions: []Precondition{{Path: Path{"status", "submissionID"}, Value: i.Submission}}, unchanged: !i.busy,
		}
		step.Changes = make([]Change, 0, len(batch))
		for _, name := range batch {
			step.Changes = append(step.Changes, Change{Path: Path{"status", "executorState", name}, Old: one(known, states[name])})
		}
		out = append(out, step)
	}
	nothing := ""
	for k := range out {
		out[k].Summary = &nothing // the first tells of all
	}
	if len(out) > 0 {
		told := entriesLeft(states, names)
		out[0].Summary = &told
	}
	return out
}

// entriesLeft says how many entries stay, and how large they are as JSON.
func entriesLeft(states map[string]any, removed []string) string {
	size := func(name string) int {
		state, _ := states[name].(string)
		return len(name) + len(state) + len(`"":"",`)
	}
	before := 0
	for name := range states {
		before += size(name)
	}
	after := before
	for _, name := range removed {
		after -= size(name)
	}
	return fmt.Sprintf("status.executorState %d → %d entries, %d → %d KiB",
		len(states), len(states)-len(removed), (before+512)>>10, (after+512)>>10)
}

// one returns the first of equal states: each that was decoded is a string of its own, and a plan keeps them all.
func one(known map[any]any, state any) any {
	if first, ok := known[state]; ok {
		return first
	}
	known[state] = state
	return state
}

// hasEnded reports whether a state is one of an executor that runs no more.
func hasEnded(state string) bool {
	return state == "COMPLETED" || state == "FAILED" || state == "UNKNOWN"
}

// endedExecutors returns the names of entries whose executor ended and has no pod, the oldest first.
func endedExecutors(states map[string]any, pods []*Object) []string {
	alive := map[string]bool{}
	for _, p := range pods {
		alive[p.GetName()] = true
	}
	type executor struct {
		id   int
		name string
	}
	var list []executor
	for name, state := range states {
		if text, _ := state.(string); !alive[name] && hasEnded(text) {
			list = append(list, executor{executorID(name), name})
		}
	}
	slices.SortFunc(list, func(a, b executor) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.name, b.name)) })
	out := make([]string, 0, len(list))
	for _, e := range list {
		out = append(out, e.name)
	}
	return out
}

// executorID is the number that Spark ends the names of executors with; 0 for a name without one.
func executorID(name string) int {
	n, err := strconv.Atoi(name[strings.LastIndex(name, "-")+1:])
	if err != nil {
		return 0
	}
	return n
}
