package main

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// set puts a value at a path, through lists by number.
func set(t *testing.T, o map[string]any, value any, path ...string) {
	t.Helper()
	require.NoError(t, unstructured.SetNestedField(o, value, path...))
}

// each calls fn for the maps of a list at a path.
func each(o map[string]any, fn func(map[string]any), path ...string) {
	list, _, _ := unstructured.NestedSlice(o, path...)
	for _, one := range list {
		if m, ok := one.(map[string]any); ok {
			fn(m)
		}
	}
	if len(list) > 0 {
		_ = unstructured.SetNestedSlice(o, list, path...)
	}
}
