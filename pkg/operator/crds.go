package operator

import "slices"

// Telltale is a field by which the age of a CRD shows: it is in the schema from a release on, and in none before.
type Telltale struct {
	Field string // below spec, of SparkApplication; schedules have it below spec.template
	Since Version
}

// Telltales lists them, oldest first: found by comparing the schemas of spark-operator-chart-1.1.27 to v2.5.2
// (config/crd/bases/, manifest/crds/). Since 2.4.0 nothing was added.
func Telltales() []Telltale {
	return []Telltale{
		{"driver.priorityClassName", Version{2, 0, 0}}, {"executor.priorityClassName", Version{2, 0, 0}},
		{"driver.template", Version{2, 1, 0}}, {"executor.template", Version{2, 1, 0}}, {"deps.archives", Version{2, 1, 0}},
		{"driver.memoryLimit", Version{2, 2, 0}}, {"executor.memoryLimit", Version{2, 2, 0}}, {"dynamicAllocation.shuffleTrackingEnabled", Version{2, 2, 0}},
		{"suspend", Version{2, 4, 0}},
	}
}

// TelltalesOf returns those that the CRD of a release has, for a SparkApplication or, with schedules, for a schedule.
func TelltalesOf(v Version, schedules bool) []Telltale {
	list := slices.DeleteFunc(Telltales(), func(t Telltale) bool { return v.Compare(t.Since) < 0 })
	if !schedules {
		return list
	}
	for i := range list {
		list[i].Field = "template." + list[i].Field
	}
	if !v.Before(2, 2, 0) {
		list = append(list, Telltale{"timeZone", Version{2, 2, 0}})
	}
	return list
}

// StartsConnect reports whether the controller of a release watches SparkConnect servers, asked or not (cmd/operator/
// controller/start.go@v2.3.0).
func StartsConnect(v Version) bool { return !v.Before(2, 3, 0) }
