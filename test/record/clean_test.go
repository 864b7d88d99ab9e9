package record

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	c := cleaner{host: "vm", address: "172.16.0.1", server: "https://127.0.0.1:20001"}
	for name, one := range map[string]struct{ in, want string }{
		"address":        {"hostIP: 172.16.0.1\n", "hostIP: 10.0.0.11\n"},
		"longer address": {"hostIP: 172.16.0.12\n", "hostIP: 172.16.0.12\n"},
		"server":         {"spark.master: k8s://https://127.0.0.1:20001\n", "spark.master: k8s://https://10.96.0.1:443\n"},
		"scheduler":      {"reportingInstance: default-scheduler-vm\n", "reportingInstance: default-scheduler-control-plane-0\n"},
		"leader":         {"message: vm_f0937df6-3bf2 became leader\n", "message: control-plane-0_f0937df6-3bf2 became leader\n"},
		"another word":   {"name: jvm-vm-1\n", "name: jvm-vm-1\n"},
		"the only mark": {
			"items:\n- metadata:\n    annotations:\n      testbed.sparkdoctor.io/not-kwok: \"true\"\n    generation: 12345678\n",
			"items:\n- metadata:\n    generation: 12345678\n",
		},
		"mark in a template": {
			"spec:\n  template:\n    metadata:\n      annotations:\n        a: b\n        testbed.sparkdoctor.io/not-kwok: \"true\"\n",
			"spec:\n  template:\n    metadata:\n      annotations:\n        a: b\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.clean([]byte(one.in))
			require.NoError(t, err)
			require.Equal(t, one.want, string(got))
		})
	}
}
