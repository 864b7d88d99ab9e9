package command

import "strings"

// Asked is what the user said about the cluster and about who asks. A command that does not say it again may go elsewhere.
type Asked struct {
	Kubeconfig, Context, Cluster, User, As, AsUID string

	AsGroups  []string
	Namespace string // of -n, for the program's own commands: there may be no right to more
	Selector  string // of -l, for those of them that take it
	Input     Input  // of -f, for those of them that read files
}

// In returns a line with the flags by which the user asked.
func (a Asked) In(line string) string {
	if line == "" {
		return ""
	}
	if strings.HasPrefix(line, rbac) {
		a = a.administrators()
	}
	var b strings.Builder
	for rest := line; rest != ""; {
		part, joint := rest, ""
		for _, one := range []string{" && ", " || ", " | "} {
			if i := strings.Index(part, one); i >= 0 {
				part, joint = part[:i], one
			}
		}
		rest = rest[len(part)+len(joint):]
		b.WriteString(a.inOne(part) + joint)
	}
	return b.String()
}

// inOne puts the flags into one command. kubectl takes none before the name of a plugin.
func (a Asked) inOne(part string) string {
	own, isOwn := strings.CutPrefix(part, "kubectl sparkdoctor ")
	switch {
	case isOwn:
		flags := a.flags("--context")
		if a.Namespace != "" && !strings.Contains(part, " -n ") {
			flags += " -n " + Quoted(a.Namespace)
		}
		if a.Selector != "" && (strings.HasPrefix(own, "fix ") || strings.HasPrefix(own, "explain ")) {
			flags += " -l " + Quoted(a.Selector)
		}
		return "kubectl sparkdoctor " + a.Input.of(own+flags)
	case strings.HasPrefix(part, "kubectl "):
		return "kubectl" + a.flags("--context") + strings.TrimPrefix(part, "kubectl")
	case strings.HasPrefix(part, "helm "):
		return "helm" + a.flags("--kube-context") + strings.TrimPrefix(part, "helm")
	default:
		return part
	}
}

// flags are those of kubectl, or of helm, which knows fewer (helm.sh/docs/helm/helm).
func (a Asked) flags(context string) string {
	var b strings.Builder
	add := func(name, value string) {
		if value != "" {
			b.WriteString(" " + name + " " + Quoted(value))
		}
	}
	add("--kubeconfig", a.Kubeconfig)
	add(context, a.Context)
	as, group := "--as", "--as-group"
	if context == "--kube-context" {
		as, group = "--kube-as-user", "--kube-as-group"
	} else {
		add("--cluster", a.Cluster)
		add("--user", a.User)
		add("--as-uid", a.AsUID)
	}
	add(as, a.As)
	for _, one := range a.AsGroups {
		add(group, one)
	}
	return b.String()
}
