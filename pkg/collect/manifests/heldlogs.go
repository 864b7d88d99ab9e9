package manifests

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// heldLog is the log of a container until it is known whether the pod belongs to the application: that may be read after it. It is packed,
// since a dump has the logs of all others, too.
type heldLog struct {
	pod       snapshot.Ref
	container string
	previous  bool
	text      whole.Text // without its lines
	head      int        // bytes of the lines that are its beginning
	packed    bytes.Buffer
}

// hold packs the lines of a log.
func (b *builder) hold(t whole.Text, l heldLog) error {
	if t.Read == 0 {
		return nil
	}
	b.logs++
	if b.packer == nil {
		b.packer, _ = flate.NewWriter(nil, flate.BestSpeed)
	}
	b.packer.Reset(&l.packed)
	for _, part := range [][]byte{t.Head, t.Tail} {
		if _, err := b.packer.Write(part); err != nil {
			return err
		}
	}
	if err := b.packer.Close(); err != nil {
		return err
	}
	l.head = len(t.Head)
	t.Head, t.Tail = nil, nil
	l.text = t
	b.held = append(b.held, l)
	return b.spent.Keep(int64(l.packed.Cap()) + perEntry)
}

// ingressController is how the pods of ingress-nginx are named by its chart (charts/ingress-nginx/templates/_helpers.tpl of
// kubernetes/ingress-nginx@controller-v1.11.3, ingress-nginx.controller.fullname): their logs tell of calls of a server by clients.
const ingressController = "ingress-nginx-controller-"

// celebornMaster is how the pods of masters of Celeborn are named by its chart (charts/celeborn/templates/_helpers.tpl of
// apache/celeborn@v0.6.1): their logs tell why the shuffle of an application was refused.
var celebornMaster = regexp.MustCompile(`celeborn(?:-[\w-]+)?-master-\d+$`)

// copiesOfLog is how often a log is in memory while it is cleaned.
const copiesOfLog = 4

// addLogs adds the logs of pods that a kept object names, of ingress controllers, and of masters of Celeborn. Other logs belong to no
// application that is read.
func (b *builder) addLogs() error {
	pods := map[string]bool{}
	for i := range b.held {
		pods[b.held[i].pod.Name] = false
	}
	for _, w := range b.inFull.kept {
		name(w.Fields, pods)
		if w.Group() == snapshot.ApacheGroup { // which names no pods: these are named after it and its attempts
			for pod := range pods {
				pods[pod] = pods[pod] || strings.HasPrefix(pod, w.Name+"-")
			}
		}
	}
	unpacker := flate.NewReader(nil)
	for i := range b.held {
		l := &b.held[i]
		serves := strings.HasPrefix(l.pod.Name, ingressController) || celebornMaster.MatchString(l.pod.Name)
		if !pods[l.pod.Name] && !serves {
			continue
		}
		err := unpacker.(flate.Resetter).Reset(&l.packed, nil) //nolint:forcetypeassert,errcheck // says flate.NewReader
		var text []byte
		if err == nil {
			text, err = io.ReadAll(unpacker)
		}
		if err == nil {
			err = b.spent.Keep(copiesOfLog * int64(len(text)))
		}
		if err != nil {
			return fmt.Errorf("log of container %s of pod %s/%s: %w", l.container, l.pod.Namespace, l.pod.Name, err)
		}
		l.text.Head, l.text.Tail = text[:l.head], text[l.head:]
		b.Add(snapshot.ApplicationLogs, l.text.Of(l.pod, l.container, l.previous))
		b.held[i] = heldLog{}
	}
	return nil
}

// name marks the pods that any text or key of a value names.
func name(value any, pods map[string]bool) {
	mark := func(text string) {
		if _, is := pods[text]; is {
			pods[text] = true
		}
	}
	switch v := value.(type) {
	case string:
		mark(v)
	case []any:
		for _, one := range v {
			name(one, pods)
		}
	case map[string]any:
		for key, one := range v {
			mark(key)
			name(one, pods)
		}
	}
}
