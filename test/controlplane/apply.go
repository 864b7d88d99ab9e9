package controlplane

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

func crdResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
}

// InstallCRDs applies the CRDs of an operator release, as its chart ships them, and makes the
// controllers notice them at once.
func (cp *ControlPlane) InstallCRDs(ctx context.Context, version string) error {
	chart, err := build.OperatorChart(ctx, version)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(chart, "crds", "*.yaml"))
	if err != nil {
		return fmt.Errorf("listing the CRDs of %s: %w", version, err)
	}
	var all [][]byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("reading a CRD of %s: %w", version, err)
		}
		all = append(all, text)
	}
	if err := cp.applyCRDs(ctx, all...); err != nil {
		return err
	}
	return cp.restartControllerManager()
}

// applyCRDs applies definitions and waits until the API server serves them.
func (cp *ControlPlane) applyCRDs(ctx context.Context, texts ...[]byte) error {
	var names []string
	for _, text := range texts {
		objects, err := decode(text)
		if err != nil {
			return err
		}
		for _, object := range objects {
			data, err := object.MarshalJSON()
			if err != nil {
				return fmt.Errorf("encoding CRD %q: %w", object.GetName(), err)
			}
			force := true
			_, err = cp.Dynamic.Resource(crdResource()).Patch(ctx, object.GetName(), types.ApplyPatchType, data,
				metav1.PatchOptions{FieldManager: "testbed", Force: &force})
			if err != nil {
				return fmt.Errorf("applying CRD %q: %w", object.GetName(), err)
			}
			names = append(names, object.GetName())
		}
	}
	return Until(ctx, 30*time.Second, "CRDs to be established", func(ctx context.Context) (bool, error) {
		for _, name := range names {
			crd, err := cp.Dynamic.Resource(crdResource()).Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			if !hasCondition(crd, "Established") {
				return false, fmt.Errorf("CRD %q is not established", name)
			}
		}
		return true, nil
	})
}

func hasCondition(object *unstructured.Unstructured, kind string) bool {
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, c := range conditions {
		condition, ok := c.(map[string]any)
		if ok && condition["type"] == kind && condition["status"] == "True" {
			return true
		}
	}
	return false
}

// decode splits a YAML text into its objects.
func decode(text []byte) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("decoding YAML: %w", err)
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}
