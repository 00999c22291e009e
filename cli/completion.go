package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"cutaway/model/search"
)

type completionVerb struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (*completionVerb) Help() string {
	return examples("completion bash > ~/.local/share/bash-completion/completions/cutaway",
		"completion zsh > ~/.zfunc/_cutaway", "completion fish > ~/.config/fish/completions/cutaway.fish")
}

func (v *completionVerb) run(s *session) error {
	c := completer{verbs: s.model.Leaves(true), root: s.model.Node, formats: strings.Fields(strings.ReplaceAll(formatNames(s.lib), ",", ""))}
	var script strings.Builder
	switch v.Shell {
	case "bash":
		c.bash(&script)
	case "zsh":
		c.zsh(&script)
	case "fish":
		c.fish(&script)
	}
	_, err := s.out.WriteString(script.String())
	return err
}

// completer writes completion scripts from the command line's model.
type completer struct {
	root    *kong.Node
	verbs   []*kong.Node
	formats []string
}

// words returns the words that may follow a flag or be an argument, or nil for a file or free text.
func (c *completer) words(v *kong.Value) []string {
	switch {
	case v.Enum != "":
		return strings.Split(strings.TrimPrefix(v.Enum, ","), ",") // "" is without the flag
	case v.Name == "format":
		return c.formats
	case v.Name == "as":
		var names []string
		for _, f := range search.Forms() {
			names = append(names, f.String())
		}
		return names
	case v.Name == "by":
		return []string{"section", "type", "subtree"}
	}
	return nil
}

// flags are those of verb and those of every verb.
func (c *completer) flags(verb *kong.Node) []*kong.Flag {
	var list []*kong.Flag
	for _, group := range verb.AllFlags(true) {
		list = append(list, group...)
	}
	return list
}

func flagNames(f *kong.Flag) []string {
	names := []string{"--" + f.Name}
	if f.Short != 0 {
		names = append(names, "-"+string(f.Short))
	}
	return names
}

// takesFile reports whether a flag's value is the name of a file.
func takesFile(f *kong.Flag) bool { return f.PlaceHolder == "FILE" || f.PlaceHolder == "OUT" }

func (c *completer) verbNames() []string {
	var names []string
	for _, v := range c.verbs {
		names = append(names, v.Name)
	}
	return names
}

func (c *completer) bash(w *strings.Builder) {
	fmt.Fprintf(w, `# bash completion for cutaway
_cutaway() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= word flags= words=
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
            %s) verb=$word; break ;;
        esac
    done
    case "$verb $prev" in
`, strings.Join(c.verbNames(), "|"))
	for _, u := range c.flagUses() {
		switch words := c.words(u.flag.Value); {
		case words != nil:
			fmt.Fprintf(w, "        %s) mapfile -t COMPREPLY < <(compgen -W %s -- \"$cur\"); return ;;\n",
				u.pattern(), quote(strings.Join(words, " ")))
		case takesFile(u.flag):
			fmt.Fprintf(w, "        %s) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;\n", u.pattern())
		case !u.flag.IsBool():
			fmt.Fprintf(w, "        %s) return ;;\n", u.pattern())
		}
	}
	fmt.Fprintf(w, "    esac\n    case $verb in\n        '') flags=%s; words=%s ;;\n",
		quote(strings.Join(c.flagWords(c.root), " ")), quote(strings.Join(c.verbNames(), " ")))
	for _, v := range c.verbs {
		words := ""
		for _, p := range v.Positional {
			words = strings.Join(c.words(p), " ")
		}
		fmt.Fprintf(w, "        %s) flags=%s; words=%s ;;\n", v.Name, quote(strings.Join(c.flagWords(v), " ")), quote(words))
	}
	fmt.Fprint(w, `    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"; compgen -f -- "$cur")
    fi
}
complete -o filenames -F _cutaway cutaway
`)
}

// flagUse is a flag of one verb, or of all that have it.
type flagUse struct {
	verb string // "*" for all
	flag *kong.Flag
}

// pattern returns the pattern of bash's case for "verb flag".
func (u flagUse) pattern() string {
	var patterns []string
	for _, name := range flagNames(u.flag) {
		patterns = append(patterns, u.verb+`" `+name+`"`)
	}
	return strings.Join(patterns, "|")
}

// flagUses lists each flag once, and for each verb where verbs want other words after it.
func (c *completer) flagUses() []flagUse {
	var list []flagUse
	wants := make(map[string]string) // of each flag that was listed
	for _, v := range c.verbs {
		for _, f := range c.flags(v) {
			words := strings.Join(c.words(f.Value), " ")
			switch was, seen := wants[f.Name]; {
			case !seen:
				wants[f.Name] = words
				list = append(list, flagUse{"*", f})
			case was != words:
				list = append([]flagUse{{v.Name, f}}, list...) // before the one for all
			}
		}
	}
	return list
}

func (c *completer) flagWords(n *kong.Node) []string {
	var words []string
	for _, f := range c.flags(n) {
		words = append(words, flagNames(f)...)
	}
	return words
}

func (c *completer) zsh(w *strings.Builder) {
	fmt.Fprint(w, "#compdef cutaway\n\n_cutaway_start() {\n    _describe verb verbs\n    _files\n}\n\n_cutaway() {\n    local -a verbs\n    verbs=(\n")
	for _, v := range c.verbs {
		fmt.Fprintf(w, "        %s\n", quote(v.Name+":"+v.Help))
	}
	fmt.Fprint(w, `    )
    local verb= word
    for word in "${(@)words[2,CURRENT-1]}"; do
        (( ${verbs[(I)$word:*]} )) && { verb=$word; break }
    done
    case $verb in
`)
	for _, v := range c.verbs {
		action := "_files"
		for _, p := range v.Positional {
			if words := c.words(p); words != nil {
				action = "(" + strings.Join(words, " ") + ")"
			}
		}
		c.zshCase(w, v.Name, v, "1:verb:", "*:argument:"+action)
	}
	c.zshCase(w, "*", c.root, "*:verb or file:_cutaway_start")
	fmt.Fprint(w, "    esac\n}\n\n_cutaway \"$@\"\n")
}

// zshCase writes what may be after a verb.
func (c *completer) zshCase(w *strings.Builder, pattern string, n *kong.Node, arguments ...string) {
	fmt.Fprintf(w, "        %s)\n            _arguments -s", pattern)
	for _, f := range c.flags(n) {
		for _, name := range flagNames(f) {
			arguments = append(arguments, c.zshFlag(f, name))
		}
	}
	for _, a := range arguments {
		fmt.Fprintf(w, " \\\n                %s", quote(a))
	}
	fmt.Fprint(w, " ;;\n")
}

func (c *completer) zshFlag(f *kong.Flag, name string) string {
	help := strings.NewReplacer("[", "(", "]", ")", ":", " -").Replace(f.Help)
	s := name + "[" + help + "]"
	switch words := c.words(f.Value); {
	case words != nil:
		s += ":" + f.Name + ":(" + strings.Join(words, " ") + ")"
	case takesFile(f):
		s += ":file:_files"
	case !f.IsBool():
		s += ":" + f.Name + ":"
	}
	return s
}

func (c *completer) fish(w *strings.Builder) {
	fmt.Fprint(w, "# fish completion for cutaway\n")
	for _, v := range c.verbs {
		fmt.Fprintf(w, "complete -c cutaway -n __fish_use_subcommand -a %s -d %s\n", v.Name, quote(v.Help))
	}
	for _, v := range c.verbs {
		when := quote("__fish_seen_subcommand_from " + v.Name)
		for _, f := range c.flags(v) {
			fmt.Fprintf(w, "complete -c cutaway -n %s -l %s", when, f.Name)
			if f.Short != 0 {
				fmt.Fprintf(w, " -s %c", f.Short)
			}
			switch words := c.words(f.Value); {
			case words != nil:
				fmt.Fprintf(w, " -x -a %s", quote(strings.Join(words, " ")))
			case !f.IsBool():
				fmt.Fprint(w, " -r")
			}
			fmt.Fprintf(w, " -d %s\n", quote(f.Help))
		}
		for _, p := range v.Positional {
			if words := c.words(p); words != nil {
				fmt.Fprintf(w, "complete -c cutaway -n %s -f -a %s\n", when, quote(strings.Join(words, " ")))
			}
		}
	}
}

// quote is s in single quotes, as all three shells read them.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
