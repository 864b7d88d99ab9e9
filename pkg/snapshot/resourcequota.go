package snapshot

// ResourceQuota is what a quota leaves to the pods of its namespace, as the API server counts it.
type ResourceQuota struct {
	Object
	Scoped bool // it counts only some pods
	Limits []QuotaLimit
}

// QuotaLimit is one resource of a quota, with quantities as Kubernetes writes them.
type QuotaLimit struct{ Resource, Hard, Used string }

// ResourceQuotas returns the quotas.
func (s *Snapshot) ResourceQuotas() []ResourceQuota { return read[ResourceQuota](s, ResourceQuotas) }
