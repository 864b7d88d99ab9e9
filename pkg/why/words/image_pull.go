package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// pullBecause is why a registry refuses or limits a pull, where the kubelet says it.
func pullBecause(c *cause.Cause, d *mechanism.ImagePull) string {
	if len(d.SecretsGone) == 0 {
		return ""
	}
	n := len(d.SecretsGone)
	return fmt.Sprintf(" without an account, since pull %s %s %s in namespace %s; the kubelet says", phrase.Verb(n, "secret", "secrets"),
		strings.Join(d.SecretsGone, ", "), phrase.Verb(n, "does not exist", "do not exist"), c.Subject.Namespace)
}

// pullSaid is what the registry, the network or the runtime said. That a manifest is too old takes the runtime three lines.
func pullSaid(d *mechanism.ImagePull) string {
	if d.Fault != mechanism.ManifestTooOld {
		return sentence(pullError(d.Said))
	}
	const old = "its manifest has Docker schema 1 (manifest.v1+prettyjws), "
	if d.Node == "" || d.Runtime == "" {
		return old + "which containerd no longer takes since 2.1"
	}
	return fmt.Sprintf(old+"which %s no longer takes; it runs on node %s", release(d.Runtime), d.Node)
}

// release is a container runtime and its release: "containerd 2.1.4".
func release(version string) string { return strings.Replace(version, "://", " ", 1) }

// whereNamed is the field that names the image, or the container that does.
func (t Terms) whereNamed(d *mechanism.ImagePull) string {
	if d.ImageField == "" {
		return " of container " + d.Container
	}
	return " in " + t.of(d.ImageField)
}

func (t Terms) pullNext(c *cause.Cause, d *mechanism.ImagePull) command.Command {
	host := registryOf(d.Image)
	switch d.Fault {
	case mechanism.PullNever:
		return command.Do("set imagePullPolicy to IfNotPresent, or load image %s onto the node", d.Image)
	case mechanism.ImageNameInvalid:
		return command.Do("correct the image name %q%s", d.Image, t.whereNamed(d))
	case mechanism.PullDenied, mechanism.PullLimited:
		return t.pullSecretNext(c, d)
	case mechanism.NoPlatform:
		return command.Do("build image %s for the architecture of the node, or set nodeSelector kubernetes.io/arch to one that it has", d.Image)
	case mechanism.ImageNotThere:
		return command.Do("push image %s, or correct its name and tag%s", d.Image, t.whereNamed(d))
	case mechanism.ManifestTooOld:
		return command.Do("rebuild image %s, or convert it (skopeo copy --format oci), and push it again; nodes with containerd before 2.1 "+
			"still take it as it is", d.Image).With("kubectl get nodes -o wide")
	case mechanism.NoRoomForImage:
		return command.Do("free the disk of node %s, or give its nodes a larger one: image %s does not fit", orThe(d.Node), d.Image)
	case mechanism.CertificateRefused:
		return command.Do("let the runtime of node %s trust the authority of registry %s, or renew its certificate, as the message says",
			orThe(d.Node), host)
	case mechanism.RegistrySpeaksHTTP:
		return command.Do("give registry %s a certificate, or list it as one that speaks HTTP at the runtime of the nodes (hosts.toml of "+
			"containerd)", host)
	case mechanism.ImageBroken:
		return command.Do("push image %s again, and remove what node %s has of it: its layers are not what the manifest says", d.Image,
			orThe(d.Node))
	case mechanism.RegistryFails:
		return command.Do("look at registry %s, which answers with an error of its own; the kubelet tries again by itself", host)
	case mechanism.RegistryUnreachable:
		return command.Do("find out why node %s cannot reach the registry of %s", orThe(d.Node), d.Image).
			With("kubectl -n %s get events --field-selector reason=Failed", c.Subject.Namespace)
	default:
		return command.Do("resolve what the runtime says of image %s", d.Image).
			With("kubectl -n %s get events --field-selector reason=Failed", c.Subject.Namespace)
	}
}

// pullSecretNext is about who pulls: with no pull secret that exists, or with one that may not read the image.
func (t Terms) pullSecretNext(c *cause.Cause, d *mechanism.ImagePull) command.Command {
	if len(d.SecretsGone) > 0 {
		field := t.of(d.SecretsField)
		if d.SecretsOf != "" {
			field = "imagePullSecrets of service account " + d.SecretsOf
		}
		other := "one that exists"
		if len(d.Known) > 0 {
			other = phrase.FirstOf(d.Known)
		}
		return command.Do("name %s in %s, or create Secret %s in namespace %s", other, field, strings.Join(d.SecretsGone, ", "),
			c.Subject.Namespace).
			With("kubectl -n %s get secret --field-selector type=kubernetes.io/dockerconfigjson", c.Subject.Namespace)
	}
	if d.Fault == mechanism.PullLimited {
		return command.Do("name a pull secret in %s, so that the registry's rate limit of an account counts, or copy %s "+
			"to a registry of your own", t.of(d.SecretsField), d.Image)
	}
	return command.Do("name a pull secret in %s that may read %s", t.of(d.SecretsField), d.Image)
}

// orThe is the name of a node, as far as it is known.
func orThe(node string) string {
	if node == "" {
		return "of the pod"
	}
	return node
}

// registryOf is the host of an image's name: without one, Docker Hub (splitDockerDomain in
// vendor/github.com/distribution/reference/normalize.go of kubernetes@v1.36.3).
func registryOf(image string) string {
	first, _, more := strings.Cut(image, "/")
	if more && (strings.ContainsAny(first, ".:") || first == "localhost") {
		return first
	}
	return "docker.io"
}
