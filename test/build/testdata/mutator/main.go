// Program mutator decodes applications as one release of the Spark Operator does, and puts their pods through the webhook of that
// release. It is built within the operator's own module, whose webhook is internal. Requests and answers are JSON values, one after
// the other on standard input and output.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	"github.com/kubeflow/spark-operator/v2/internal/webhook"
)

type request struct {
	Application json.RawMessage
	Pods        []corev1.Pod
}

type answer struct {
	Refused string       // why the application does not decode
	Denied  string       // why the webhook denies a pod
	Pods    []corev1.Pod // as the webhook leaves them
}

// store is the cache of the webhook, with one application.
type store struct {
	client.Client
	app *v1beta2.SparkApplication
}

func (s store) Get(_ context.Context, _ client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	app, isApplication := into.(*v1beta2.SparkApplication)
	if !isApplication {
		return fmt.Errorf("asked for a %T", into)
	}
	s.app.DeepCopyInto(app)
	return nil
}

func (r *request) serve(decoder runtime.Decoder) answer {
	decoded, _, err := decoder.Decode(r.Application, nil, nil)
	if err != nil {
		return answer{Refused: err.Error()}
	}
	app, isApplication := decoded.(*v1beta2.SparkApplication)
	if !isApplication {
		return answer{Refused: fmt.Sprintf("is a %T", decoded)}
	}
	defaulter := webhook.NewSparkPodDefaulter(store{app: app}, nil)
	for i := range r.Pods {
		if err := defaulter.Default(context.Background(), &r.Pods[i]); err != nil {
			return answer{Denied: err.Error()}
		}
	}
	return answer{Pods: r.Pods}
}

func run(in io.Reader, out io.Writer) error {
	scheme := runtime.NewScheme()
	if err := v1beta2.AddToScheme(scheme); err != nil {
		return err
	}
	decoder := serializer.NewCodecFactory(scheme).UniversalDeserializer()
	requests, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var r request
		switch err := requests.Decode(&r); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := answers.Encode(r.serve(decoder)); err != nil {
			return err
		}
	}
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
