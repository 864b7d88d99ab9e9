package wire

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// decoder turns an item into a record, or into none if no check reads it.
type decoder func(*Decoder, snapshot.Source, Item) (snapshot.Record, error)

// decoders is the table of decoders, under the keys of the table of kinds in snapshot.
func decoders() map[snapshot.View]decoder {
	return map[snapshot.View]decoder{
		snapshot.WarningEvents:              decodeEvent,
		snapshot.SparkPods:                  as((*Decoder).decodePod),
		snapshot.Services:                   as((*Decoder).decodeObject),
		snapshot.Ingresses:                  as((*Decoder).decodeObject),
		snapshot.ConfigMaps:                 as((*Decoder).decodeObject),
		snapshot.PersistentVolumeClaims:     as((*Decoder).decodeObject),
		snapshot.VolcanoPodGroups:           as((*Decoder).decodeObject),
		snapshot.SchedulerPodGroups:         as((*Decoder).decodeObject),
		snapshot.ResourceQuotas:             builtIn(resourceQuotaFrom),
		snapshot.KueueWorkloads:             as((*Decoder).decodeWorkload),
		snapshot.SparkApplications:          as((*Decoder).decodeSparkApplication),
		snapshot.ScheduledSparkApplications: as((*Decoder).decodeSchedule),
		snapshot.SparkConnects:              as((*Decoder).decodeSparkConnect),
		snapshot.Deployments:                builtIn(deploymentFrom),
		snapshot.MutatingWebhooks:           withoutBundles(builtIn(mutatingFrom)),
		snapshot.ValidatingWebhooks:         withoutBundles(builtIn(validatingFrom)),
		snapshot.Namespaces:                 as((*Decoder).decodeObject),
		snapshot.RoleBindings:               as((*Decoder).decodeBinding),
		snapshot.ClusterRoleBindings:        as((*Decoder).decodeBinding),
		snapshot.Workflows:                  as((*Decoder).decodeWorkflow),
		snapshot.WorkflowTemplates:          as((*Decoder).decodeWorkflow),
		snapshot.ClusterWorkflowTemplates:   as((*Decoder).decodeWorkflow),
		snapshot.CronWorkflows:              as((*Decoder).decodeWorkflow),

		snapshot.WebhookServices:  builtIn(serviceFrom),
		snapshot.WebhookEndpoints: builtIn(endpointSliceFrom),
		snapshot.OperatorCRDs:     as((*Decoder).decodeCRD),
		snapshot.CRDRules:         as((*Decoder).decodeCRDRule),
		snapshot.Roles:            builtIn(roleFrom),
		snapshot.ClusterRoles:     builtIn(clusterRoleFrom),
		snapshot.ServiceAccounts:  as((*Decoder).decodeObject),
		snapshot.Nodes:            builtIn(nodeFrom),
		snapshot.OperatorPods:     builtIn(operatorPodFrom),
		snapshot.WebhookSecrets:   builtIn(webhookSecretFrom),
		snapshot.Leases:           builtIn(leaseFrom),
		snapshot.HookJobs:         builtIn(jobFrom),

		snapshot.Owners: as((*Decoder).decodeObject),
	}
}

// as is for methods that return their own type of record; nil is none.
func as[T any, P interface {
	*T
	snapshot.Record
}](decode func(*Decoder, snapshot.Source, Item) (P, error)) decoder {
	return func(d *Decoder, src snapshot.Source, item Item) (snapshot.Record, error) {
		r, err := decode(d, src, item)
		if r == nil {
			return nil, err
		}
		return r, err
	}
}

// builtIn is for built-in kinds, which are decoded in full and narrowed; nil is none.
func builtIn[K any, P interface {
	*K
	Unmarshal([]byte) error
}, T any, R interface {
	*T
	snapshot.Record
}](narrow func(P, snapshot.Location) R) decoder {
	return func(_ *Decoder, _ snapshot.Source, item Item) (snapshot.Record, error) {
		var full K
		if err := typed(item, P(&full)); err != nil {
			return nil, err
		}
		r := narrow(&full, item.Location)
		if r == nil {
			return nil, nil
		}
		return r, nil
	}
}
