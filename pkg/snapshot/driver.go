package snapshot

import (
	"cmp"
)

// DriverAccess is what an application says about whom its driver runs as, and what the driver will ask of the API server.
type DriverAccess struct {
	SparkVersion string // spec.sparkVersion
	AccountName  string // as Named says; empty: none is named
	Named        string // the path that names the account
	// Foreign says that the driver has credentials of its own, asks for no pods itself, or runs in another namespace: what
	// its account may do there is not known.
	Foreign        bool
	ClaimsByDriver bool   // a volume of an executor is a claim that the driver makes
	ClaimsBySubmit bool   // a volume of the driver is a claim that spark-submit makes
	NoConfigMap    bool   // spark.kubernetes.executor.disableConfigMap=true
	NoWatch        bool   // spark.kubernetes.executor.enableApiWatcher=false
	Ingresses      bool   // spec.driverIngressOptions is not empty
	BatchScheduler string // spec.batchScheduler
	BatchQueue     string // spec.batchSchedulerOptions.queue
}

// Account returns the service account of the driver.
func (d *DriverAccess) Account(a *SparkApplication) Account {
	return Account{a.Namespace, cmp.Or(d.AccountName, DefaultAccount)}
}
