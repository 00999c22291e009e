package packaging

import (
	_ "embed" // the templates
	"fmt"
	"strings"
)

// A value is one value of the registry; an empty name is the key's default.
type value struct{ key, name, text string }

// progID names a type in the registry.
func (t *Type) progID() string {
	return Name + t.Extensions[0]
}

// registry lists what the registry of Windows must hold below Software, for the program at path. Extensions that we
// are only offered for get us under Open with… alone.
func registry(path string) []value {
	const classes, capabilities = `Classes\`, Name + `\Capabilities`
	command := `"` + path + `" "%1"`
	application := classes + `Applications\` + Program + ".exe"
	values := []value{
		{capabilities, "ApplicationName", Name},
		{capabilities, "ApplicationDescription", Summary},
		{"RegisteredApplications", Name, `Software\` + capabilities},
		{application, "FriendlyAppName", Name},
		{application + `\shell\open\command`, "", command},
	}
	for i := range Types {
		t := &Types[i]
		id := t.progID()
		values = append(values,
			value{classes + id, "", t.Title},
			value{classes + id + `\DefaultIcon`, "", path + ",0"},
			value{classes + id + `\shell\open\command`, "", command})
		for _, e := range t.Extensions {
			if t.Default {
				values = append(values, value{classes + e, "", id}, value{capabilities + `\FileAssociations`, e, id})
			}
			values = append(values, value{classes + e + `\OpenWithProgids`, id, ""}, value{application + `\SupportedTypes`, e, ""})
		}
	}
	return values
}

// RegistryFile returns a .reg file that associates the files with the program at path, for the user who imports it.
func RegistryFile(path string) string {
	var b strings.Builder
	b.WriteString("Windows Registry Editor Version 5.00\n")
	last := ""
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, v := range registry(path) {
		if v.key != last {
			fmt.Fprintf(&b, "\n[HKEY_CURRENT_USER\\Software\\%s]\n", v.key)
			last = v.key
		}
		name := "@"
		if v.name != "" {
			name = `"` + quote.Replace(v.name) + `"`
		}
		fmt.Fprintf(&b, "%s=\"%s\"\n", name, quote.Replace(v.text))
	}
	return strings.ReplaceAll(b.String(), "\n", "\r\n")
}

// Installer returns a script for NSIS, which installs the programs for the user who runs it, associates the files and takes
// all back when it is uninstalled. It lies beside the programs that it packs, which take
// bytes on the disk.
func Installer(version string, bytes int64) string {
	var install, uninstall strings.Builder
	removed := make(map[string]bool)
	for _, v := range registry(`$INSTDIR\` + Program + ".exe") {
		key := `Software\` + v.key
		own := key
		for _, prefix := range []string{`Software\Classes\` + Name + ".", `Software\Classes\Applications\` + Program + ".exe", `Software\` + Name} {
			if rest, ok := strings.CutPrefix(key, prefix); ok {
				below, _, _ := strings.Cut(rest, `\`)
				own = prefix + below
			}
		}
		switch {
		case strings.HasPrefix(key, `Software\Classes\.`) && v.name == "" && !strings.HasSuffix(key, "OpenWithProgids"):
			extension := strings.TrimPrefix(key, `Software\Classes\`)
			fmt.Fprintf(&install, "  !insertmacro Associate `%s` `%s`\n", extension, v.text)
			fmt.Fprintf(&uninstall, "  !insertmacro Dissociate `%s` `%s`\n", extension, v.text)
			continue
		case own != key || strings.HasPrefix(key, `Software\`+Name) || strings.HasPrefix(key, `Software\Classes\`+Name+"."):
			if !removed[own] {
				fmt.Fprintf(&uninstall, "  DeleteRegKey HKCU `%s`\n", own)
			}
			removed[own] = true
		default:
			fmt.Fprintf(&uninstall, "  DeleteRegValue HKCU `%s` `%s`\n  DeleteRegKey /ifempty HKCU `%[1]s`\n", key, v.name)
			if extension, ok := strings.CutSuffix(key, `\OpenWithProgids`); ok {
				fmt.Fprintf(&uninstall, "  DeleteRegKey /ifempty HKCU `%s`\n", extension)
			}
		}
		fmt.Fprintf(&install, "  WriteRegStr HKCU `%s` `%s` `%s`\n", key, v.name, v.text)
	}
	uninstall.WriteString("  DeleteRegKey /ifempty HKCU `Software\\Classes\\Applications`\n")
	return strings.NewReplacer("@VERSION@", version, "@KILOBYTES@", fmt.Sprint(bytes>>10), "@ID@", ID,
		"@ASSOCIATE@\n", install.String(), "@DISSOCIATE@\n", uninstall.String()).Replace(installer)
}

//go:embed installer.nsi
var installer string

// Resources describes to go-winres what is put into a program: icon, version, and a manifest by which it is sharp on
// every monitor and takes paths of more than 260 characters. The pictures of icons lie beside it as icon-SIZE.png.
func Resources(version, file, title string) string {
	return strings.NewReplacer("@VERSION@", version, "@FILE@", file, "@TITLE@", title, "@NAME@", Name, "@SUMMARY@", Summary).Replace(resources)
}

//go:embed winres.json
var resources string
