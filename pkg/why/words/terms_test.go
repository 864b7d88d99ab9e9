package words_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// TestPlaceholdersInGoAreKnown: each text in braces names a field for every runner, and none stands where nothing fills it.
func TestPlaceholdersInGoAreKnown(t *testing.T) {
	braced := regexp.MustCompile(`\$?\{[a-zA-Z. ]+\}`)
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, 0) //nolint:staticcheck // one package, no build tags
	require.NoError(t, err)
	placeholders := func(n ast.Node) (out []string) {
		ast.Inspect(n, func(n ast.Node) bool {
			if text, is := n.(*ast.BasicLit); is && text.Kind == token.STRING {
				said, err := strconv.Unquote(text.Value)
				require.NoError(t, err)
				for _, one := range braced.FindAllString(said, -1) {
					if !strings.HasPrefix(one, "$") { // a value of a refusal
						out = append(out, one)
					}
				}
			}
			return true
		})
		return out
	}
	for _, one := range placeholders(packages["words"]) {
		for runner := fields.Application; runner <= fields.Connect; runner++ {
			require.NotEqual(t, one, fields.Names{Runner: runner}.Fill(one), "it is no placeholder")
		}
	}
	require.Greater(t, len(placeholders(packages["words"])), 30)
	ast.Inspect(packages["words"], func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is {
			if f, is := call.Fun.(*ast.SelectorExpr); is && (f.Sel.Name == "Do" || f.Sel.Name == "Sprintf") {
				require.Empty(t, placeholders(call), "%s does not fill them", f.Sel.Name)
			}
		}
		return true
	})
}

// TestAdviceNamesNoFieldOfAnother: of a server, or of what spark-submit started, no field of an application, and nothing twice.
func TestAdviceNamesNoFieldOfAnother(t *testing.T) {
	server := mechanism.Waiting{Who: mechanism.Who{Role: cause.DriverRole, Server: true}}
	short := mechanism.Unfit{Placement: mechanism.Placement{Complaint: mechanism.RoomShort}}
	port := mechanism.Unfit{Placement: mechanism.Placement{Complaint: mechanism.PortTaken}}
	for _, row := range []struct {
		of                           cause.Detail
		application, submit, connect string
	}{
		{mechanism.Unschedulable{Waiting: server, Unfit: short},
			"request less for the driver (driver.cores or driver.coreRequest, driver.memory, driver.memoryOverhead), free room, or add nodes",
			"request less for the driver (spark.driver.cores or spark.kubernetes.driver.request.cores, spark.driver.memory, " +
				"spark.driver.memoryOverhead), free room, or add nodes",
			"request less for the server (resources of the container in spec.server.template), free room, or add nodes"},
		{mechanism.Unschedulable{Waiting: server, Unfit: port}, "remove hostPort or hostNetwork from the driver: a node has each port once",
			"remove hostPort or hostNetwork from the driver: a node has each port once",
			"remove hostPort or hostNetwork from the server: a node has each port once"},
		{mechanism.QuotaRefuses{Unset: true},
			"set executor.coreLimit (spark.kubernetes.executor.limit.cores), or a LimitRange with a default for cpu",
			"set spark.kubernetes.executor.limit.cores, or a LimitRange with a default for cpu",
			"set spark.kubernetes.executor.limit.cores, or a LimitRange with a default for cpu"},
		{mechanism.ImagePull{Fault: mechanism.ImageNameInvalid, Image: "i", ImageField: "spec.image"}, `correct the image name "i" in spec.image`,
			`correct the image name "i" in spark.kubernetes.container.image`, `correct the image name "i" in spec.image`},
	} {
		for runner, want := range []string{row.application, row.submit, row.connect} {
			require.Equal(t, want, words.Terms{Runner: fields.Runner(runner)}.Of(&cause.Cause{Detail: row.of}).Do[0].Text)
		}
	}
}

// TestValuesAreNotExpanded: a placeholder that comes from a log or an object is shown as it is, wherever a detail holds it.
func TestValuesAreNotExpanded(t *testing.T) {
	const value = "{role.memory}{the driver}"
	unbraced := strings.NewReplacer("{", "<", "}", ">")
	n := 0
	for _, d := range advising() {
		texts := filledWith(&filling{value: value, empty: -1}, d)
		for empty := -1; empty < texts; empty++ { // what is said may depend on which text is missing
			ours, theirs := filling{value: unbraced.Replace(value), empty: empty}, filling{value: value, empty: empty}
			filledWith(&ours, d)
			filledWith(&theirs, d)
			for runner := fields.Application; runner <= fields.Connect; runner++ {
				for _, role := range []cause.Role{"", cause.DriverRole, cause.ExecutorRole} {
					terms := words.Terms{Runner: runner}
					want, got := saidOf(terms, ours.of, role), saidOf(terms, theirs.of, role)
					require.Equal(t, want, unbraced.Replace(got), "%T", d)
					require.NotContains(t, want, "{", "%T: nothing filled it", d)
					n += strings.Count(got, value)
				}
			}
		}
	}
	require.Greater(t, n, 5000)
}

// advising are details of all kinds.
func advising() []cause.Detail {
	out := append(append(submissionDetails(), serverDetails()...), append(emptyEnds(), noteDetails()...)...)
	for kind := range refusals() {
		out = append(out, mechanism.SubmissionRefused{Refusal: mechanism.Refusal{Kind: kind}})
	}
	for _, of := range []mechanism.Complaint{"", mechanism.PortTaken, mechanism.DiskShort, mechanism.RoomShort, mechanism.AllCordoned,
		mechanism.LabelsDiffer, mechanism.Untolerated, mechanism.VolumesMost, mechanism.PodsRepel, mechanism.SpreadUnmet,
		mechanism.Reserved} {
		out = append(out, mechanism.Unschedulable{Waiting: two, Unfit: mechanism.Unfit{Placement: mechanism.Placement{Complaint: of}}})
	}
	for _, fault := range []mechanism.PullFault{"", mechanism.PullNever, mechanism.ImageNameInvalid, mechanism.PullDenied,
		mechanism.PullLimited, mechanism.NoPlatform, mechanism.ImageNotThere, mechanism.ManifestTooOld, mechanism.NoRoomForImage,
		mechanism.CertificateRefused, mechanism.RegistrySpeaksHTTP, mechanism.ImageBroken, mechanism.RegistryFails,
		mechanism.RegistryUnreachable} {
		out = append(out, mechanism.ImagePull{Waiting: two, Fault: fault}, mechanism.ImagePull{Waiting: two, Fault: fault,
			SecretsGone: []string{"regcred"}})
	}
	for _, meaning := range meanings() {
		out = append(out, logs.Failure{Finding: logs.Finding{Meaning: meaning}})
	}
	for _, s := range catalog.Builtin().Signatures() {
		groups := map[string]string{}
		for _, name := range regexp.MustCompile(`\$\{(\w+)\}`).FindAllStringSubmatch(fmt.Sprint(s.Says, s.Next), -1) {
			groups[name[1]] = ""
		}
		out = append(out, logs.Failure{Finding: logs.Finding{Meaning: logs.Known{Signature: s, Groups: groups}}})
	}
	for reason := logs.NoReason; reason <= logs.NoHeartbeat; reason++ {
		out = append(out, logs.Failure{Finding: logs.Finding{Meaning: logs.ExecutorsLost{}},
			Lost: logs.Lost{Executors: []string{"1"}, Reason: reason}})
	}
	lost := mechanism.Lost{N: 2, Of: 3}
	return append(out, mechanism.OOM{Lost: lost}, mechanism.QuotaRefuses{Unset: true}, mechanism.LimitBelowRequest{},
		mechanism.Eviction{For: mechanism.MemoryShortage}, mechanism.WorkersKilled{}, mechanism.Running{Failed: 1, OOMKilled: 1},
		mechanism.Unschedulable{Unfit: mechanism.Unfit{Group: mechanism.Group{Ref: inJobs("g")}}}, mechanism.VolumeUndeclared{},
		mechanism.MountFailed{}, mechanism.QueueHolds{}, mechanism.ClaimMissing{}, mechanism.ContainerCrashes{})
}

func saidOf(terms words.Terms, d cause.Detail, role cause.Role) string {
	var p words.Phrase
	switch of := d.(type) {
	case logs.Failure:
		of.In = role
		p = terms.Of(&cause.Cause{Detail: of, Class: cause.Storage, Subject: inJobs("etl")})
	default:
		if strings.HasSuffix(reflect.TypeOf(d).PkgPath(), "/spec") {
			p = terms.OfNote(&spec.Note{Detail: d})
		} else {
			p = terms.Of(&cause.Cause{Detail: d, Role: role, Subject: inJobs("etl")})
		}
	}
	text := p.Says
	for _, next := range p.Do {
		text += "\n" + next.Text
	}
	return text
}

// filling makes a detail all of whose texts are a value, but for one that is empty. Texts of a type of their own decide what is said, and
// signatures are ours.
type filling struct {
	value       string
	empty, text int
	of          cause.Detail
}

// filledWith returns how many texts the detail has.
func filledWith(f *filling, d cause.Detail) int {
	f.of = f.filled(reflect.ValueOf(d)).Interface().(cause.Detail)
	return f.text
}

func (f *filling) filled(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch {
	case v.Type() == reflect.TypeFor[string]():
		out.SetString(f.value)
		if f.text == f.empty {
			out.SetString("")
		}
		f.text++
	case v.Type() == reflect.TypeFor[catalog.Signature]():
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(f.filled(v.Field(i)))
			}
		}
	case v.Kind() == reflect.Slice && !v.IsNil():
		out.Set(reflect.MakeSlice(v.Type(), 0, v.Len()))
		for i := range v.Len() {
			out.Set(reflect.Append(out, f.filled(v.Index(i))))
		}
	case v.Type() == reflect.TypeFor[map[string]string](): // of a message
		out.Set(reflect.MakeMap(v.Type()))
		for _, key := range v.MapKeys() {
			out.SetMapIndex(key, reflect.ValueOf(f.value))
		}
	case v.Kind() == reflect.Interface && !v.IsNil():
		out.Set(f.filled(v.Elem()))
	case v.Kind() == reflect.Pointer && !v.IsNil():
		to := reflect.New(v.Type().Elem())
		to.Elem().Set(f.filled(v.Elem()))
		out.Set(to)
	default:
	}
	return out
}
