package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// FileOptions say what to read instead of a cluster.
type FileOptions struct {
	Paths     []string // files, directories, URLs, "-"
	Recursive bool
	Stdin     io.Reader
	Complete  bool      // the files are everything: what is not there is absent
	AsOf      time.Time // zero: the latest time in the input, or Now if it has none
	Now       time.Time
}

// Input tells what was read.
type Input struct {
	Files   []string // what was read, in order
	Objects int
	Unread  int  // objects of kinds that no check reads, and documents that are no objects
	Dated   bool // TakenAt is the latest time in the input
}

// Files reads plain files into a snapshot. Text that does not parse is an error that names the place.
func Files(ctx context.Context, o FileOptions) (*snapshot.Snapshot, Input, error) {
	sources, err := expand(o.Paths, o.Recursive, o.Stdin)
	if err != nil {
		return nil, Input{}, err
	}
	b := &fileBuilder{
		Builder: snapshot.NewBuilder(time.Time{}), present: map[snapshot.View]bool{}, bad: map[snapshot.View][]snapshot.Unseen{},
		byKind: sourcesByKind(), kinds: map[snapshot.GroupKind]snapshot.OwnerKind{}, complete: o.Complete,
	}
	b.FromFiles(o.Complete)
	for _, s := range sources {
		if err := b.read(ctx, s); err != nil {
			return nil, b.input, err
		}
	}
	if b.input.Objects+b.lists == 0 {
		return nil, b.input, fmt.Errorf("%s: no Kubernetes object found", strings.Join(o.Paths, ", "))
	}
	return b.seal(o), b.input, nil
}

type fileBuilder struct {
	*snapshot.Builder
	input    Input
	lists    int
	complete bool
	byKind   map[snapshot.GroupKind]snapshot.Source
	present  map[snapshot.View]bool
	bad      map[snapshot.View][]snapshot.Unseen
	kinds    map[snapshot.GroupKind]snapshot.OwnerKind
}

func sourcesByKind() map[snapshot.GroupKind]snapshot.Source {
	m := map[snapshot.GroupKind]snapshot.Source{}
	for _, s := range append(snapshot.Sources(), snapshot.EndpointSliceSource()) {
		m[s.GroupKind()] = s
	}
	return m
}

func (b *fileBuilder) read(ctx context.Context, s source) error {
	stream, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer stream.Close() //nolint:errcheck // read only
	found := 0
	n, err := unpack(s.name, contextReader{ctx, stream}, func(name string, r io.Reader) error {
		b.input.Files = append(b.input.Files, name)
		return readDocuments(name, r, func(d document) error {
			switch isObject := b.add(d); {
			case isObject && d.IsList:
				b.lists++
			case isObject:
				found++
			case s.named:
				return &inputError{d.Location, errors.New("not a Kubernetes object: it has no apiVersion or no kind")}
			default:
				b.input.Unread++
			}
			return nil
		})
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && n == 0 {
		err = fmt.Errorf("%s: the archive holds no .yaml, .yml or .json file", s.name)
	}
	b.input.Objects += found
	return err
}

// head is what tells one kind of object from another.
type head struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Labels struct {
			LaunchedBy string `json:"sparkoperator.k8s.io/launched-by-spark-operator"`
		} `json:"labels"`
	} `json:"metadata"`
	Reason string `json:"reason"`
}

// add decodes one document. It reports false for what is no Kubernetes object.
func (b *fileBuilder) add(d document) bool {
	var h head
	_ = json.Unmarshal(d.JSON, &h, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) // what is missing tells
	if h.Kind == "" && d.ListKind != "" && d.ListKind != "List" {
		h.Kind = strings.TrimSuffix(d.ListKind, "List")
		h.APIVersion = b.apiVersionOf(h.Kind)
	}
	if h.APIVersion == "" || h.Kind == "" {
		return false
	}
	if d.IsList {
		h.Kind = strings.TrimSuffix(h.Kind, "List")
	}
	group, _, grouped := strings.Cut(h.APIVersion, "/")
	if !grouped {
		group = ""
	}
	gk := snapshot.GroupKind{Group: group, Kind: h.Kind}
	src, known := b.byKind[gk]
	if d.IsList {
		if known {
			b.present[src.View] = true
		}
		return true
	}
	item := snapshot.Item{Encoding: snapshot.JSON, Raw: d.JSON, Location: d.Location}
	if known {
		b.present[src.View] = true
		if wanted(src, h) {
			b.decode(src, item)
			return true
		}
	} else {
		b.input.Unread++
	}
	// Everything else can still be the owner of a Spark object.
	owner := snapshot.Source{View: snapshot.Owners, Kind: h.Kind}
	if record, err := snapshot.Decode(owner, item); err == nil {
		b.Add(snapshot.Owners, record)
	}
	b.kinds[gk] = snapshot.OwnerKind{}
	return true
}

func (b *fileBuilder) decode(src snapshot.Source, item snapshot.Item) {
	record, err := snapshot.Decode(src, item)
	if err != nil {
		b.bad[src.View] = append(b.bad[src.View], snapshot.Unseen{Verb: "decode", Resource: src.Resource, Reason: (&inputError{item.Location, err}).Error()})
		if app, ok := record.(*snapshot.SparkApplication); !ok || app.Name == "" {
			return
		}
	}
	b.Add(src.View, record)
}

// wanted applies the selectors that a server would apply to the listing.
func wanted(src snapshot.Source, h head) bool {
	switch src.View {
	case snapshot.SparkPods:
		return h.Metadata.Labels.LaunchedBy == "true"
	case snapshot.OwnerEvents:
		return h.Reason == snapshot.OwnerRefInvalidNamespace
	default:
		return true
	}
}

func (b *fileBuilder) apiVersionOf(kind string) string {
	for gk, src := range b.byKind {
		if gk.Kind == kind {
			return src.APIVersion()
		}
	}
	return ""
}

// contextReader stops reading when the context ends, so that Ctrl-C works in the middle of a large file.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
