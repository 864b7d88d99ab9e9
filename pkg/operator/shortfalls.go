package operator

import "slices"

// Shortfall is a permission that a release needs and that its own chart does not grant.
type Shortfall struct {
	Permission
	Missing []string // verbs
	To      Account
}

// Shortfalls returns them for a release of 2.x. What is seen in a cluster counts more: there somebody may have granted it.
func Shortfalls(v Version) []Shortfall {
	if v.Major == 1 {
		return nil
	}
	grants := GrantsOf(v)
	var out []Shortfall
	add := func(to Account, needs []Permission) {
		for _, need := range needs {
			if !need.in(v) {
				continue
			}
			missing := slices.DeleteFunc(slices.Clone(need.Verbs), func(verb string) bool {
				return slices.ContainsFunc(grants, func(g Grant) bool { return g.To == to && g.covers(&need, verb) })
			})
			if len(missing) > 0 {
				out = append(out, Shortfall{need, missing, to})
			}
		}
	}
	add(ToController, controllerPermissions())
	add(ToWebhook, webhookPermissions())
	return out
}

// Denies reports whether the chart of a release does not grant its controller what a feature cannot do without.
func Denies(v Version, f Feature) bool {
	return slices.ContainsFunc(Shortfalls(v), func(s Shortfall) bool { return s.To == ToController && s.When == f && !s.Degrades })
}

// covers reports whether a grant covers a verb of a need. A grant by name covers it, too: charts name the very object.
func (g *Grant) covers(need *Permission, verb string) bool {
	resource := need.Resource
	if need.Subresource != "" {
		resource += "/" + need.Subresource
	}
	return g.Group == need.Group && g.Resource == resource && slices.Contains(g.verbs(), verb) && g.SelectNamespaces == (need.When == SelectNamespaces)
}
