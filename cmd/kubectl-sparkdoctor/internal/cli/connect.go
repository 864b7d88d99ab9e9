package cli

import (
	"fmt"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
)

// connect prepares the connection that kubectl's flags describe.
func connect(kube *genericclioptions.ConfigFlags) (*apiserver.Connection, error) {
	config, err := kube.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config.UserAgent = "kubectl-sparkdoctor/" + tool().Version
	config.WarningHandler = rest.NoWarnings{}
	return apiserver.Connect(config)
}

// connect returns the connection that all scans of this command share.
func (o *scanOptions) connect() (*apiserver.Connection, error) {
	if o.connection != nil {
		return o.connection, nil
	}
	conn, err := connect(o.kube)
	if err != nil {
		return nil, err
	}
	o.connection = conn
	return conn, nil
}
