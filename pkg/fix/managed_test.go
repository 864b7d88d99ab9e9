package fix

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestManagedBy: field sets as Kubernetes 1.36 stored them for helm, kubectl and Argo CD.
func TestManagedBy(t *testing.T) {
	const configuration = `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"c","annotations":{"a":"1","b":"2"},
	  "finalizers":["one","two"],"ownerReferences":[{"uid":"x"}],
	  "managedFields":[
	    {"manager":"helm","operation":"Update","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:a":{}},"f:finalizers":{".":{},"v:\"one\"":{}}},
	      "f:webhooks":{".":{},"k:{\"name\":\"w1.sparkoperator.k8s.io\"}":{".":{},"f:failurePolicy":{},"f:clientConfig":{".":{},"f:service":{".":{},"f:name":{}}}}}}},
	    {"manager":"spark-operator","operation":"Update","fieldsType":"FieldsV1","fieldsV1":{"f:webhooks":{"k:{\"name\":\"w1.sparkoperator.k8s.io\"}":{"f:clientConfig":{"f:caBundle":{}}}}}},
	    {"manager":"argocd-controller","operation":"Apply","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:ownerReferences":{"k:{\"uid\":\"x\"}":{}}},"f:webhooks":{"k:{\"name\":\"w2\"}":{".":{},"f:name":{},"f:namespaceSelector":{}}}}}
	  ]},
	  "webhooks":[{"name":"w1.sparkoperator.k8s.io","failurePolicy":"Ignore","clientConfig":{"caBundle":"x","service":{"name":"s"}}},{"name":"w2","failurePolicy":"Ignore","namespaceSelector":{"matchLabels":{"a":"b"}}}]}`
	o := &Object{}
	require.NoError(t, json.Unmarshal([]byte(configuration), &o.Object))
	for _, tc := range []struct {
		path Path
		want string
	}{
		{Path{"webhooks", "[name=w1.sparkoperator.k8s.io]", "failurePolicy"}, "helm"},
		{Path{"webhooks", "[name=w2]", "failurePolicy"}, ""},
		{Path{"webhooks", "[name=w1.sparkoperator.k8s.io]", "clientConfig", "caBundle"}, ""}, // the operator's own
		{Path{"metadata", "annotations", "a"}, "helm"},
		{Path{"metadata", "annotations", "b"}, ""},
		{Path{"metadata", "annotations", "new"}, ""},
		{Path{"metadata", "finalizers", "[=one]"}, "helm"},
		{Path{"metadata", "finalizers", "[=two]"}, ""},
		{Path{"metadata", "ownerReferences", "[uid=x]"}, "argocd-controller"},
		{Path{"webhooks", "[name=w2]", "namespaceSelector", "matchLabels", "a"}, "argocd-controller"}, // owns all that is below
	} {
		require.Equal(t, tc.want, managedBy(toolsOf(o), o, tc.path), tc.path)
	}
}

func TestADeploymentToolIsNotOverridden(t *testing.T) {
	o := &Object{}
	require.NoError(t, json.Unmarshal([]byte(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"c","uid":"u",
	  "managedFields":[{"manager":"helm","operation":"Update","fieldsType":"FieldsV1","fieldsV1":{"f:webhooks":{"k:{\"name\":\"w1.sparkoperator.k8s.io\"}":{"f:failurePolicy":{}}}}}]},
	  "webhooks":[{"name":"w1.sparkoperator.k8s.io","failurePolicy":"Ignore","objectSelector":{"matchLabels":{"a":"b"}}}]}`), &o.Object))
	f := NewFresh()
	f.Put(o)
	_, err := Resolve(SetFailurePolicy{Configuration: refOf(o), Webhooks: []string{"w1.sparkoperator.k8s.io"}, Operator: "op"}, f)
	var refused *Refused
	require.ErrorAs(t, err, &refused)
	require.Contains(t, refused.Reason, "field manager helm owns webhooks[name=w1.sparkoperator.k8s.io].failurePolicy")
	require.Equal(t, "set webhook.failurePolicy: Fail in the Helm values", refused.Advice)
}
