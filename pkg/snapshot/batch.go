package snapshot

// Batch is records that were read together. The zero value is empty.
type Batch struct {
	records
	objects   map[View][]Object // dependents, before Seal keeps those that belong to Spark
	sightings []Object          // owners found in the second round, or all objects of a file
	count     int
}

// Len returns how many records were added.
func (b *Batch) Len() int { return b.count }

// Add copies a record into a view.
func (b *Batch) Add(v View, r Record) {
	b.count++
	if o := r.object(); o.Ignore != "" {
		b.ignored = append(b.ignored, Ignored{o.Ref, o.Location, o.Ignore})
	}
	switch r := r.(type) {
	case *SparkApplication:
		b.applications = append(b.applications, *r)
	case *Pod:
		b.pods = append(b.pods, *r)
	case *Deployment:
		b.deployments = append(b.deployments, *r)
	case *Service:
		b.services = append(b.services, *r)
	case *OperatorPod:
		b.operatorPods = append(b.operatorPods, *r)
	case *WebhookSecret:
		b.secrets = append(b.secrets, *r)
	case *ServedCertificate:
		b.served = append(b.served, *r)
	case *OperatorLog:
		b.logs = append(b.logs, *r)
	case *EndpointSlice:
		b.endpoints = append(b.endpoints, *r)
	case *Event:
		b.events = append(b.events, *r)
	case *Workflow:
		b.workflows = appendTo(b.workflows, v, *r)
	case *WebhookConfiguration:
		if r.Mutating() {
			b.mutating = append(b.mutating, *r)
		} else {
			b.validating = append(b.validating, *r)
		}
	case *Object:
		b.addObject(v, r)
	}
}

func (b *Batch) addObject(v View, o *Object) {
	switch v {
	case ScheduledSparkApplications:
		b.scheduled = append(b.scheduled, *o)
	case SparkConnects:
		b.connects = append(b.connects, *o)
	case Namespaces:
		b.namespaces = append(b.namespaces, *o)
	case Owners:
		b.sightings = append(b.sightings, *o)
	default:
		b.objects = appendTo(b.objects, v, *o)
	}
}

func appendTo[T any](m map[View][]T, v View, more ...T) map[View][]T {
	if m == nil {
		m = map[View][]T{}
	}
	m[v] = append(m[v], more...)
	return m
}

// Take appends the records of another batch, which may be used again after Reset.
func (b *Batch) Take(from *Batch) {
	b.count += from.count
	b.applications = append(b.applications, from.applications...)
	b.scheduled = append(b.scheduled, from.scheduled...)
	b.connects = append(b.connects, from.connects...)
	b.pods = append(b.pods, from.pods...)
	b.deployments = append(b.deployments, from.deployments...)
	b.mutating = append(b.mutating, from.mutating...)
	b.validating = append(b.validating, from.validating...)
	b.endpoints = append(b.endpoints, from.endpoints...)
	b.services = append(b.services, from.services...)
	b.operatorPods = append(b.operatorPods, from.operatorPods...)
	b.secrets = append(b.secrets, from.secrets...)
	b.served = append(b.served, from.served...)
	b.namespaces = append(b.namespaces, from.namespaces...)
	b.events = append(b.events, from.events...)
	b.ignored = append(b.ignored, from.ignored...)
	for v, list := range from.workflows {
		b.workflows = appendTo(b.workflows, v, list...)
	}
	for v, list := range from.objects {
		b.objects = appendTo(b.objects, v, list...)
	}
	b.sightings = append(b.sightings, from.sightings...)
}

// Reset empties the batch. What is read by the thousand keeps its memory for the next page.
func (b *Batch) Reset() {
	pods, applications := b.pods[:0], b.applications[:0]
	for v, list := range b.objects {
		b.objects[v] = list[:0]
	}
	*b = Batch{records: records{pods: pods, applications: applications}, objects: b.objects, sightings: b.sightings[:0]}
}
