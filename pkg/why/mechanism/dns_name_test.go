package mechanism

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInClusterDNS(t *testing.T) {
	for host, want := range map[string]dnsName{
		"db":                             {service: "db"},
		"db.shop":                        {service: "db", namespace: "shop", mayBeOutside: true},
		"db.shop.svc":                    {service: "db", namespace: "shop"},
		"db.shop.svc.cluster.local":      {service: "db", namespace: "shop"},
		"db.shop.svc.cluster.local.":     {service: "db", namespace: "shop"},
		"db-0.db.shop.svc":               {service: "db", namespace: "shop", ofPod: true},
		"db-0.db.shop.svc.cluster.local": {service: "db", namespace: "shop", ofPod: true},
	} {
		found, is := inClusterDNS(host)
		require.True(t, is, host)
		require.Equal(t, want, found, host)
	}
	for _, host := range []string{"", ".", "db.example.com", "bucket.s3.eu-west-1.amazonaws.com"} {
		_, is := inClusterDNS(host)
		require.False(t, is, host)
	}
	name, _ := inClusterDNS("db")
	require.Equal(t, dnsName{service: "db", namespace: "here"}, name.lookedUpIn("here"))
}
