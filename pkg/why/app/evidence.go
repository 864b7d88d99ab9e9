package app

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// IsConnect reports whether the application is a SparkConnect: its server is a driver that serves clients and has no end of its own.
func (e *Evidence) IsConnect() bool {
	if e.Application != nil {
		return e.Application.Kind == connect
	}
	return e.Subject.Kind == connect
}

// Main is what the driver is called: a SparkConnect has a server.
func (e *Evidence) Main() string {
	if e.IsConnect() {
		return "server"
	}
	return "driver"
}

// MessageField is where the operator writes what it has to say: a SparkConnect has a condition (createOrUpdateServerPod in
// internal/controller/sparkconnect/reconciler.go@v2.5.2).
func (e *Evidence) MessageField() string {
	if e.IsConnect() {
		return "status.conditions[ServerPodReady].message"
	}
	return "status.applicationState.errorMessage"
}

// ExecutorsField is where the status tells of executors.
func (e *Evidence) ExecutorsField() string {
	if e.IsConnect() {
		return "status.executors"
	}
	return "status.executorState"
}

// AppRef names the application.
func (e *Evidence) AppRef() snapshot.Ref {
	if a := e.Application; a != nil {
		return a.Ref()
	}
	return e.Subject
}

// Node is a node by name; nil: it was not seen.
func (e *Evidence) Node(name string) *corev1.Node {
	for i := range e.Nodes {
		if e.Nodes[i].Name == name {
			return &e.Nodes[i]
		}
	}
	return nil
}

// Pod is a pod of the application by name; nil: it is gone.
func (e *Evidence) Pod(name string) *corev1.Pod {
	for i := range e.Pods {
		if e.Pods[i].Name == name {
			return &e.Pods[i]
		}
	}
	return nil
}

// Asked is the pod that was asked for by name, where it is no executor. One that Spark did not make, such as a notebook's, a worker's of
// Airflow, or that of a spark-submit in client mode, has no label of Spark, and is the driver or a client of one all the same; nil: the
// subject is none, or it was not seen.
func (e *Evidence) Asked() *corev1.Pod {
	if e.Subject.Kind != "Pod" || e.Application != nil {
		return nil
	}
	p := e.Pod(e.Subject.Name)
	if p == nil || RoleOf(p) == "executor" {
		return nil
	}
	return p
}

// HasLog reports whether something of a pod's log was read.
func (e *Evidence) HasLog(pod string) bool {
	for _, l := range e.Logs {
		if l.Pod == pod && l.Tail != "" {
			return true
		}
	}
	return false
}
