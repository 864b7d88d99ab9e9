package permissions

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// accountUser is an application, or a SparkConnect, whose driver runs as a service account.
type accountUser struct {
	*snapshot.Object
	spark.DriverAccess
	field string // that names the account, or would
	ended bool
	works bool // executors run: the account was good enough
}

// accountUsers are those whose drivers run as one service account, those that have not ended first.
type accountUsers struct {
	snapshot.Account
	list []accountUser
	live int // of them have not ended
}

// usersOf are the applications and SparkConnects whose accounts matter. One that completed has shown that its account was good enough, and
// what a driver with credentials of its own may do cannot be told.
func usersOf(apps []*snapshot.SparkApplication, connects []snapshot.SparkConnect) []accountUser {
	var out []accountUser
	for _, app := range apps {
		access := spark.DriverOf(app)
		if app.Terminating() || app.State == "COMPLETED" || access.AccessUnknown {
			continue
		}
		out = append(out, accountUser{Object: &app.Object, DriverAccess: access, field: cmp.Or(access.Named, "spec.driver.serviceAccount"),
			ended: app.Ended(), works: app.State == "RUNNING" && app.Executors.Running > 0})
	}
	for i := range connects {
		c := &connects[i]
		if access := spark.ServerOf(c); !c.Terminating() && !access.AccessUnknown {
			out = append(out, accountUser{Object: &c.Object, DriverAccess: access, field: spark.ServerAccountField, works: c.Running > 0})
		}
	}
	return out
}

// byAccount groups them, in order of account.
func byAccount(list []accountUser) []accountUsers {
	at := map[snapshot.Account]*accountUsers{}
	for _, one := range list {
		account := one.On(one.Namespace)
		u := at[account]
		if u == nil {
			u = &accountUsers{Account: account}
			at[account] = u
		}
		u.list = append(u.list, one)
		if !one.ended {
			u.live++
		}
	}
	out := make([]accountUsers, 0, len(at))
	for _, u := range at {
		slices.SortStableFunc(u.list, func(a, b accountUser) int {
			return cmp.Or(facts.CompareBool(a.ended, b.ended), a.Compare(b.Ref))
		})
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b accountUsers) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// lacks returns what the account does not allow and any of the applications asks for, and whether all could be judged.
func (u *accountUsers) lacks(access *spark.Access) (list []spark.DriverRequest, all bool) {
	all = true
	drivers := make([]spark.DriverAccess, 0, len(u.list))
	for i := range u.list {
		drivers = append(drivers, u.list[i].DriverAccess)
	}
	for _, w := range spark.DriverRequests(drivers...) {
		switch allowed, known := access.Allows(u.Account, w.In(u.Namespace)); {
		case allowed:
		case !known:
			all = false
		default:
			list = append(list, w)
		}
	}
	return list, all
}
