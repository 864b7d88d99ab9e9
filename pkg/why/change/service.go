package change

import (
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// ServiceIs is a Service that exists under another name than the one that a setting has.
type ServiceIs struct{ Namespace string }

// ServicePort is the one port of a Service.
type ServicePort struct{ Service string }

// OwnHost is a store that has one host for all buckets.
type OwnHost struct{}

func (OwnHost) reason()     {}
func (ServiceIs) reason()   {}
func (ServicePort) reason() {}

// inSettings sets a key of spec.sparkConf or spec.hadoopConf.
func inSettings(v *mechanism.View, s mechanism.Setting, to string, because Reason) []Change {
	object, prefix := owner(v)
	if object.Name == "" || s.In == "sparkConf" {
		return []Change{set(v, field{setting: s.Key}, to, because)}
	}
	c := Change{Object: object, Path: below(prefix, s.In, s.Key), To: to, Because: because}
	if was := v.Spec.HadoopConf[s.Key]; was != "" {
		c.From = was
	}
	return []Change{c}
}

// service corrects the one setting that names the host of a Service by another namespace, or by a port that it does not have.
func service(v *mechanism.View, c *cause.Cause) []Change {
	setting, from, to := "", "", ""
	var because Reason
	var corrected func(value string) string
	switch d := c.Detail.(type) {
	case mechanism.ServiceElsewhere:
		setting, because, corrected = d.Setting, ServiceIs{Namespace: d.Service.Namespace}, d.Corrected
		if from, to = d.Service.Name+"."+d.Asked, d.Service.Name+"."+d.Service.Namespace; d.Short {
			from, to = d.Host, d.Host+"."+d.Service.Namespace
		}
	case mechanism.PortUnserved:
		if len(d.Has) != 1 {
			return nil
		}
		setting, because = d.Setting, ServicePort{Service: d.Service.Name}
		corrected = func(value string) string { return d.Corrected(value, d.Has[0]) }
		from, to = ":"+strconv.Itoa(int(d.Port)), ":"+strconv.Itoa(int(d.Has[0]))
	case mechanism.BucketInHost:
		return inSettings(v, d.PathStyle, "true", OwnHost{})
	default:
		return nil
	}
	was := v.Spec.Conf[setting]
	now := corrected(was)
	if setting == "" || now == was {
		return nil
	}
	out := set(v, field{setting: setting}, now, because)
	out.Item = &Item{From: from, To: to}
	return []Change{out}
}
