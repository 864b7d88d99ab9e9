package cli

import (
	"fmt"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
)

// restConfig is how kubectl's flags say to reach a cluster.
func restConfig(kube *genericclioptions.ConfigFlags) (*rest.Config, error) {
	config, err := kube.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config.UserAgent = "kubectl-sparkdoctor/" + version
	config.WarningHandler = rest.NoWarnings{}
	return config, nil
}

func connect(kube *genericclioptions.ConfigFlags) (*collect.Connection, error) {
	config, err := restConfig(kube)
	if err != nil {
		return nil, err
	}
	return collect.Connect(config)
}

// connect returns the connection that all scans of this command share.
func (o *scanOptions) connect() (*collect.Connection, error) {
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
