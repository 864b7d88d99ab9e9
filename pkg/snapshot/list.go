package snapshot

import (
	"fmt"
	"slices"
)

// lists are the records of every view but the applications, the pods and the dependents, of which there are so many
// that they are kept by themselves.
type lists map[View]list

// list is the records of one view, all of one type.
type list interface {
	add(r Record) // copies it
	take(from list)
	drop(func(*Object) bool)
	sort()
	empty() list
	replace(updates []Update) list
	has(key Key) bool
	holds(namespace string) bool
	objects(yield func(*Object) bool) bool
	records(yield func(Record) bool) bool
}

// listFor returns an empty list for records of r's type: the one place that names the types.
func listFor(r Record) list {
	switch r.(type) {
	case *Object:
		return new(listOf[Object, *Object])
	case *Deployment:
		return new(listOf[Deployment, *Deployment])
	case *Service:
		return new(listOf[Service, *Service])
	case *OperatorPod:
		return new(listOf[OperatorPod, *OperatorPod])
	case *WebhookSecret:
		return new(listOf[WebhookSecret, *WebhookSecret])
	case *ServedCertificate:
		return new(listOf[ServedCertificate, *ServedCertificate])
	case *OperatorLog:
		return new(listOf[OperatorLog, *OperatorLog])
	case *EndpointSlice:
		return new(listOf[EndpointSlice, *EndpointSlice])
	case *ResourceQuota:
		return new(listOf[ResourceQuota, *ResourceQuota])
	case *Node:
		return new(listOf[Node, *Node])
	case *Lease:
		return new(listOf[Lease, *Lease])
	case *RoleBinding:
		return new(listOf[RoleBinding, *RoleBinding])
	case *CRD:
		return new(listOf[CRD, *CRD])
	case *RoleRules:
		return new(listOf[RoleRules, *RoleRules])
	case *Event:
		return new(listOf[Event, *Event])
	case *SparkConnect:
		return new(listOf[SparkConnect, *SparkConnect])
	case *Schedule:
		return new(listOf[Schedule, *Schedule])
	case *Workflow:
		return new(listOf[Workflow, *Workflow])
	case *WebhookConfiguration:
		return new(listOf[WebhookConfiguration, *WebhookConfiguration])
	default:
		panic(fmt.Sprintf("no list for records of type %T", r)) // the author's error, which any test of the view meets
	}
}

func (l *lists) add(v View, r Record) {
	if *l == nil {
		*l = lists{}
	}
	if (*l)[v] == nil {
		(*l)[v] = listFor(r)
	}
	(*l)[v].add(r)
}

func (l *lists) take(from lists) {
	for v, more := range from {
		if *l == nil {
			*l = lists{}
		}
		if (*l)[v] == nil {
			(*l)[v] = more.empty()
		}
		(*l)[v].take(more)
	}
}

// objects yields the objects of some views, and reports whether to go on.
func (l lists) objects(yield func(*Object) bool, views ...View) bool {
	for _, v := range views {
		if one := l[v]; one != nil && !one.objects(yield) {
			return false
		}
	}
	return true
}

// replace exchanges the list of a view for one in which updated objects are as fetched.
func (l *lists) replace(v View, updates []Update) {
	at := slices.IndexFunc(updates, func(u Update) bool { return u.Record != nil })
	switch {
	case (*l)[v] == nil && at < 0:
		return
	case *l == nil:
		*l = lists{}
		fallthrough
	case (*l)[v] == nil:
		(*l)[v] = listFor(updates[at].Record)
	}
	(*l)[v] = (*l)[v].replace(updates)
}

// of returns the records of a view, nil if there are none.
func of[T any, P record[T]](l lists, v View) []T {
	if one, ok := l[v].(*listOf[T, P]); ok {
		return *one
	}
	return nil
}

// read is of for the accessors of a snapshot, which answers only for declared views.
func read[T any, P record[T]](s *Snapshot, v View) []T { s.use(v); return of[T, P](s.records.lists, v) }

type listOf[T any, P record[T]] []T

func (l *listOf[T, P]) add(r Record)     { *l = append(*l, *r.(P)) }                   //nolint:errcheck // listFor chose the type by the record
func (l *listOf[T, P]) take(from list)   { *l = append(*l, *from.(*listOf[T, P])...) } //nolint:errcheck // both are of one view
func (l *listOf[T, P]) sort()            { sortRecords[T, P](*l) }
func (l *listOf[T, P]) empty() list      { return new(listOf[T, P]) }
func (l *listOf[T, P]) has(key Key) bool { return has[T, P](*l, key) }
func (l *listOf[T, P]) holds(ns string) bool {
	return slices.ContainsFunc(*l, func(r T) bool { return P(&r).object().Namespace == ns })
}
func (l *listOf[T, P]) replace(u []Update) list {
	out := listOf[T, P](replace[T, P](*l, u))
	return &out
}
func (l *listOf[T, P]) objects(yield func(*Object) bool) bool { return yieldAll[T, P](yield, *l) }
func (l *listOf[T, P]) records(yield func(Record) bool) bool  { return yieldRecords[T, P](yield, *l) }
