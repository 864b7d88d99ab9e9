//go:build linux

package main

import (
	"fmt"
	"net"

	"github.com/vishvananda/netlink"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node/plan"
)

// network makes the bridge, to which the CNI plugin adds the pods. There is no default route: what is on the bridge and the
// addresses of Services are all that a pod or the node can reach.
func network(p plan.Plan) error {
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return fmt.Errorf("finding the loopback interface: %w", err)
	}
	uplink, err := netlink.LinkByName(p.Link)
	if err != nil {
		return fmt.Errorf("finding interface %s: %w", p.Link, err)
	}
	bridge := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: p.Bridge}}
	if err := netlink.LinkAdd(bridge); err != nil {
		return fmt.Errorf("adding bridge %s: %w", p.Bridge, err)
	}
	if err := netlink.LinkSetMaster(uplink, bridge); err != nil {
		return fmt.Errorf("adding %s to the bridge: %w", p.Link, err)
	}
	address, err := netlink.ParseAddr(p.Address)
	if err != nil {
		return fmt.Errorf("parsing the node's address: %w", err)
	}
	if err := netlink.AddrAdd(bridge, address); err != nil {
		return fmt.Errorf("adding the node's address: %w", err)
	}
	for _, link := range []netlink.Link{loopback, uplink, bridge} {
		if err := netlink.LinkSetUp(link); err != nil {
			return fmt.Errorf("setting %s up: %w", link.Attrs().Name, err)
		}
	}
	_, to, err := net.ParseCIDR(p.Route.To)
	if err != nil {
		return fmt.Errorf("parsing the network of Services: %w", err)
	}
	if err := netlink.RouteAdd(&netlink.Route{LinkIndex: bridge.Attrs().Index, Dst: to, Gw: net.ParseIP(p.Route.Via)}); err != nil {
		return fmt.Errorf("adding the route to Services: %w", err)
	}
	return nil
}
