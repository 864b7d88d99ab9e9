package snapshot

import "slices"

// ClusterScoped reports whether objects of a kind belong to no namespace: kinds of the views, and those of Kubernetes itself
// (`kubectl api-resources --namespaced=false`, kubernetes@v1.36).
func ClusterScoped(gk GroupKind) bool {
	if i := slices.IndexFunc(Sources(), func(s Source) bool { return s.GroupKind() == gk }); i >= 0 {
		return !Sources()[i].Namespaced
	}
	return slices.Contains(clusterScoped()[gk.Group], gk.Kind)
}

// clusterScoped are the kinds of Kubernetes without a namespace that no view is of.
func clusterScoped() map[string][]string {
	return map[string][]string{
		"":                             {"ComponentStatus", "Node", "PersistentVolume"},
		"admissionregistration.k8s.io": {"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"},
		"apiregistration.k8s.io":       {"APIService"},
		"certificates.k8s.io":          {"CertificateSigningRequest", "ClusterTrustBundle"},
		"flowcontrol.apiserver.k8s.io": {"FlowSchema", "PriorityLevelConfiguration"},
		"networking.k8s.io":            {"IPAddress", "IngressClass", "ServiceCIDR"},
		"node.k8s.io":                  {"RuntimeClass"},
		"policy":                       {"PodSecurityPolicy"},
		"resource.k8s.io":              {"DeviceClass", "DeviceTaintRule", "ResourceSlice"},
		"scheduling.k8s.io":            {"PriorityClass"},
		"storage.k8s.io":               {"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"},
	}
}
