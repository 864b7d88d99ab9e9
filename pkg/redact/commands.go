package redact

import "strings"

// command is a program that takes a password behind a flag whose name does not say so.
type command struct {
	names    []string // in lower case
	ending   string   // how a name may go on, as a regular expression
	sub      string   // a word that must follow, "" for none
	flag     string
	attached bool // the value stands behind the flag without a blank
	apart    bool // or it is an argument of its own
}

// commands is the table of those programs. In others, the same flags mean something else: docker run -p 8080:80, mkdir -p /x, ssh -p 22.
func commands() []command {
	return []command{
		{names: []string{"mysql", "mariadb"}, ending: `(?:-?(?:dump|admin|import|check|show|slap|pump|sh|binlog))?`, flag: "-p", attached: true},
		{names: []string{"sshpass"}, flag: "-p", attached: true, apart: true},
		{names: []string{"7z"}, ending: "[ar]?", flag: "-p", attached: true},
		{names: []string{"docker", "podman", "nerdctl", "skopeo", "buildah", "oras", "crane", "helm", "az", "oc"}, sub: "login", flag: "-p",
			attached: true, apart: true},
		{names: []string{"beeline", "cqlsh", "mongo"}, ending: "(?:sh|dump|restore|import|export)?", flag: "-p", apart: true},
		{names: []string{"redis-cli"}, flag: "-a", apart: true},
		{names: []string{"ldap"}, ending: "(?:search|modify|add|delete|passwd|whoami|compare)", flag: "-w", attached: true, apart: true},
		{names: []string{"vsql"}, flag: "-w", apart: true},
		{names: []string{"sqlcmd", "bcp"}, flag: "-P", attached: true, apart: true},
		{names: []string{"zip", "unzip"}, flag: "-P", apart: true},
		{names: []string{"keytool", "jarsigner"}, flag: "-(?:src|dest|new)?(?:store|key)pass(?:wd)?", apart: true},
		{names: []string{"openssl"}, flag: "-pass(?:in|out)?", apart: true},
		{names: []string{"aws"}, sub: "configure", flag: "aws_(?:secret_access_key|session_token)", apart: true},
	}
}

// between is what stands between two arguments in a shell, in a list of JSON or of Go.
const between = `\\*["']{0,2}(?:,\s*|\s+)\\*["']{0,2}`

// beforeCommand is what a command stands behind, unless it begins a line.
const beforeCommand = `(?:^|[\s"'/;|&($\[{>:=\x60]|\\[nrt])`

// ofCommands returns a pattern for each. A command begins a line, or follows a blank, a quote, a bracket, a path or what parts commands;
// its flag stands before the next of what parts commands, and the first word behind its name, or behind its subcommand, is a flag.
func ofCommands() []pattern {
	var out []pattern
	for _, c := range commands() {
		text := beforeCommand + `(?:` + strings.Join(c.names, "|") + ")" + c.ending + between
		switch {
		case c.sub == "login":
			text += `(?:registry` + between + `)?login` + between + `(?:[^;|&\n]*?` + between + `)??`
		case c.sub != "":
			text += c.sub + between + `(?:[^;|&\n]*?` + between + `)??`
		default:
			text += `(?:-[^;|&\n]*?` + between + `)??`
		}
		text += c.flag + "(?:"
		if c.attached {
			text += `\\*"+([^"\s]+)|\\*'+([^'\s]+)|([^\s"'\\,&;<>\])][^\s"'\\&;<>\])]*)`
		}
		if c.attached && c.apart {
			text += "|"
		}
		if c.apart {
			text += between + `([^\s"'\\\-<>&;\])][^\s"'\\<>&;\])]*)`
		}
		out = append(out, pattern{c.names, text + ")"})
	}
	return out
}
