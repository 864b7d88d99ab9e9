package words

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// callable is what makes a webhook callable again, by why it was not.
func callable(r *mechanism.Refusal) command.Command {
	service := "the Service of webhook " + r.Name
	if s := r.Service; s.Name != "" {
		service = "Service " + s.Namespace + "/" + s.Name
	}
	of := func(c command.Command, line string) command.Command {
		if r.Service.Name == "" {
			return c
		}
		return c.With(line, r.Service.Namespace, r.Service.Name)
	}
	const described = "kubectl -n %s describe service %s"
	switch r.Fault {
	case mechanism.UnknownAuthority:
		return scanned(r, command.Do("set caBundle of webhook %s to the CA of the certificate that %s serves", r.Name, service))
	case mechanism.CertificateExpired:
		return scanned(r, command.Do("renew the certificate that %s serves, and restart its pods", service))
	case mechanism.OtherName:
		return scanned(r, command.Do("give %s a certificate for its name, NAME.NAMESPACE.svc", service))
	case mechanism.NoService:
		return of(command.Do("create %s again, or delete the configuration of webhook %s", service, r.Name), described)
	case mechanism.NoEndpoints:
		return of(command.Do("start the pods behind %s: none of them is ready", service), described)
	case mechanism.NotListening:
		return of(command.Do("look why the pods behind %s do not listen at its target port", service), described)
	case mechanism.NoAnswerInTime:
		port := r.Service.Port
		if port == "" {
			port = "443"
		}
		return of(command.Do("let the API server reach port %s of %s (NetworkPolicies, firewall of the control plane), or look why its pods are "+
			"slow", port, service), described)
	default:
		return of(command.Do("look why %s does not answer calls of webhook %s", service, r.Name), described)
	}
}

// scanned adds the command that compares certificates, where the namespace of the webhook is known.
func scanned(r *mechanism.Refusal, c command.Command) command.Command {
	if r.Service.Namespace == "" {
		return c
	}
	return c.With("kubectl sparkdoctor scan -n %s", r.Service.Namespace)
}

// webhookUntrusted says which CA the API server trusts, which one the webhook has, and who wrote the first.
func webhookUntrusted(d *mechanism.WebhookUntrusted) Phrase {
	trusts, has := apart(d.Bundle, d.CA)
	by := ""
	if d.Writer.Manager != "" {
		by = "by " + d.Writer.Manager
		if !d.Writer.Time.IsZero() {
			by += " at " + d.Writer.Time.UTC().Format(time.TimeOnly)
		}
	}
	says := fmt.Sprintf("%s %s has CA %s (caBundle%s), its Secret %s has %s", d.Config.Kind, d.Config.Name, trusts, behind(" ", by),
		d.Secret.Name, has)
	if d.Bundle == (mechanism.Certificate{}) {
		says = fmt.Sprintf("caBundle of %s %s is empty", d.Config.Kind, d.Config.Name)
		if by != "" {
			says = fmt.Sprintf("%s %s has an empty caBundle (%s)", d.Config.Kind, d.Config.Name, by)
		}
	}
	var do []command.Command
	switch {
	case d.Writer.Deploys():
		do = append(do, command.Do("take caBundle out of %s%s", deployer(d), thenRestart(d)))
	case d.Injected != "":
		do = append(do, command.Do("see why cert-manager's cainjector does not fill caBundle of %s from %s", d.Config.Name, d.Injected))
	case d.Secret.Name == "":
		do = append(do, command.Do("set caBundle of %s to the CA of the certificate that the webhook serves%s", d.Config.Name, orRestart(d)))
	default:
		do = append(do, command.Do("set caBundle of %s to %s of Secret %s%s", d.Config.Name, d.Key, d.Secret.Name, orRestart(d)))
	}
	if d.Restart.Name != "" && d.Injected == "" {
		do[0] = do[0].With("kubectl -n %s rollout restart deployment %s", d.Restart.Namespace, d.Restart.Name)
	} else {
		do[0] = do[0].On("describe", d.Config)
	}
	return Phrase{says, do}
}

// deployer is what writes caBundle.
func deployer(d *mechanism.WebhookUntrusted) string {
	if d.Source != "" {
		return d.Source
	}
	return "what " + d.Writer.Manager + " applies"
}

func thenRestart(d *mechanism.WebhookUntrusted) string {
	switch {
	case d.Restart.Name == "" && d.Secret.Name == "":
		return "; then set it to the CA of the certificate that the webhook serves"
	case d.Restart.Name == "":
		return fmt.Sprintf("; then set it to %s of Secret %s", d.Key, d.Secret.Name)
	}
	return "; then restart the webhook, which writes its own CA"
}

func orRestart(d *mechanism.WebhookUntrusted) string {
	if d.Restart.Name == "" {
		return ""
	}
	return ", or restart the webhook, which does that"
}

// apart names two certificates by what tells them apart: their names, else when they were made.
func apart(a, b mechanism.Certificate) (first, second string) {
	if a.Name != b.Name && a.Name != "" && b.Name != "" {
		return a.Name, b.Name
	}
	layout := time.DateOnly
	if day := 24 * time.Hour; a.Since.Truncate(day).Equal(b.Since.Truncate(day)) {
		layout = time.DateTime
	}
	of := func(c mechanism.Certificate) string {
		if c.Name == "" {
			return "of " + c.Since.Format(layout)
		}
		return c.Name + " of " + c.Since.Format(layout)
	}
	return of(a), of(b)
}
