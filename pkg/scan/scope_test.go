package scan

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFew(t *testing.T) {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprint("ns", i))
	}
	require.Equal(t, "ns0, ns1, ns2, ns3, ns4, ns5, ns6, ns7, ns8, ns9", few(names[:10]))
	require.Equal(t, "ns0, ns1, ns2, ns3, ns4, ns5, ns6, ns7, ns8, ns9 and 190 more", few(names))
	require.Equal(t, "ns0", few(names[:1]))
}
