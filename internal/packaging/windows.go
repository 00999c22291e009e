package packaging

import (
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

// RegistryFile is a .reg file that associates the files with the program at path, for the user who imports it.
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

// Installer is a script for Inno Setup, which installs cutaway.exe, associates the files and takes all back when it is
// uninstalled. It lies beside the program that it packs.
func Installer(version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `; iscc cutaway.iss makes Cutaway-%[2]s-setup.exe of cutaway.exe, LICENSE.txt and THIRD-PARTY-LICENSES.txt beside this file.
[Setup]
AppId=%[1]s
AppName=%[3]s
AppVersion=%[2]s
AppPublisher=The Cutaway authors
DefaultDirName={autopf}\%[3]s
DefaultGroupName=%[3]s
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
LicenseFile=LICENSE.txt
UninstallDisplayIcon={app}\%[4]s.exe
OutputBaseFilename=%[3]s-%[2]s-setup

[Files]
Source: "%[4]s.exe"; DestDir: "{app}"
Source: "LICENSE.txt"; DestDir: "{app}"
Source: "THIRD-PARTY-LICENSES.txt"; DestDir: "{app}"

[Icons]
Name: "{group}\%[3]s"; Filename: "{app}\%[4]s.exe"

[Registry]
`, ID, version, Name, Program)
	quote := strings.NewReplacer(`"`, `""`)
	for _, v := range registry(`{app}\` + Program + ".exe") {
		flags := "uninsdeletevalue uninsdeletekeyifempty"
		if strings.HasPrefix(v.key, `Classes\`+Name+".") || strings.HasPrefix(v.key, Name) {
			flags = "uninsdeletekey"
		}
		fmt.Fprintf(&b, "Root: HKA; Subkey: \"Software\\%s\"; ValueType: string; ValueName: \"%s\"; ValueData: \"%s\"; Flags: %s\n",
			v.key, v.name, quote.Replace(v.text), flags)
	}
	return strings.ReplaceAll(b.String(), "\n", "\r\n")
}
