package packaging

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"os"
	"strings"
	"testing"

	"cutaway/assets"
	"cutaway/decoders"
	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestTypes: no type and no extension is listed twice.
func TestTypes(t *testing.T) {
	seen := make(map[string]bool)
	for _, typ := range Types {
		for _, name := range append([]string{typ.MIME, typ.progID(), typ.uti()}, typ.Extensions...) {
			if seen[name] && name != typ.uti() {
				t.Errorf("%s is listed twice", name)
			}
			seen[name] = true
		}
	}
}

// TestDefaults: what a double click opens, and what it does not.
func TestDefaults(t *testing.T) {
	defaults := map[string]bool{}
	for _, typ := range Types {
		for _, e := range typ.Extensions {
			defaults[e] = typ.Default
			if strings.HasPrefix(e, ".p") && strings.HasSuffix(e, "_b") && !typ.Default {
				t.Errorf("%s is not opened by a double click", e)
			}
		}
	}
	for e, want := range map[string]bool{
		".usdc": true, ".usdz": true, ".vrs": true, ".udm_b": true, ".pmdl_b": true, ".psg_b": true, ".oodf": true,
		".usd": false, ".udm": false, ".pmdl": false, ".asset": false, ".prefab": false, ".unity": false, ".json": false, ".bin": false,
	} {
		if got, known := defaults[e]; !known || got != want {
			t.Errorf("%s: known %v, default %v", e, known, got)
		}
	}
}

// TestPage: the table of docs/packaging.md has each type's extensions and magic in the column that its Default says;
// -update writes it anew.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("| | with Cutaway | only offered under Open with… |\n| --- | --- | --- |\n")
	row := func(title string, types []model.FileType) {
		var columns [2]string // opened, only offered
		for _, kind := range types {
			column := &columns[1]
			if kind.Default {
				column = &columns[0]
			}
			if *column != "" {
				*column += "; "
			}
			*column += "`" + strings.Join(kind.Extensions, "`, `") + "`" + also(kind.Magic)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", title, columns[0], columns[1])
	}
	for _, f := range decoders.All() {
		if len(f.Types) > 0 {
			row(f.Title, f.Types)
		}
	}
	var general []model.FileType
	for _, kind := range Types {
		if kind.Known {
			general = append(general, kind.FileType)
		}
	}
	row("general", general)
	decodertest.Region(t, "../../docs/packaging.md", "types", b.String())
}

// also says by which text a type is known besides its extensions.
func also(magic []model.Magic) string {
	var list []string
	for _, m := range magic {
		text := fmt.Sprintf("`%s` at byte %d", m.Text, m.Offset)
		for and := m.And; and != nil; and = and.And {
			text += fmt.Sprintf(" with `%s` at byte %d", and.Text, and.Offset)
		}
		list = append(list, text)
	}
	if list == nil {
		return ""
	}
	return " (also by " + strings.Join(list, ", ") + ")"
}

// TestMagicIsDetected: bytes that the system recognises as a type of ours are recognised by its format too.
func TestMagicIsDetected(t *testing.T) {
	tested := 0
	for _, f := range decoders.All() {
		if f.Name == "flatbuffer" {
			continue // by its schema, which need not be there
		}
		for _, typ := range f.Types {
			for _, m := range typ.Magic {
				tested++
				if d := detectMagic(t.Context(), f, &m); d.Confidence != model.Sure {
					t.Errorf("%s: the format is not sure of %q at %d: %s", typ.MIME, m.Text, m.Offset, d.Reason)
				}
			}
		}
	}
	if tested < 6 {
		t.Errorf("only %d magics", tested)
	}
}

func detectMagic(ctx context.Context, f *model.Format, m *model.Magic) model.Detection {
	head := make([]byte, 256)
	for part := m; part != nil; part = part.And {
		copy(head[part.Offset:], part.Text)
	}
	return f.Detect(ctx, &model.Probe{Source: model.NewFileSource("x", model.BytesReader(head)), Name: "x", Head: head})
}

func TestXML(t *testing.T) {
	for name, text := range map[string]string{
		"MIME": MIMEInfo(), "metainfo": Metainfo("1.2.3", "2026-01-02"), "plist": DocumentTypes(),
	} {
		decoder := xml.NewDecoder(strings.NewReader(text))
		for {
			_, err := decoder.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
	}
	for _, want := range []string{
		`<glob pattern="*.pptsys_b"/>`, `<match type="string" offset="4" value="OODF"/>`, `<sub-class-of type="application/zip"/>`,
	} {
		if !strings.Contains(MIMEInfo(), want) {
			t.Errorf("the MIME types have no %s", want)
		}
	}
	if strings.Contains(MIMEInfo(), `"application/json"`) {
		t.Error("the MIME types describe one of the system's own")
	}
}

func TestAssociations(t *testing.T) {
	defaults, offered, _ := strings.Cut(Associations(), "[Added Associations]")
	for _, typ := range Types {
		us := "\n" + typ.MIME + "=" + ID + ".desktop;"
		if strings.Contains(defaults, us) != typ.Default || strings.Contains(offered, us) == typ.Default {
			t.Errorf("%s is in the wrong group", typ.MIME)
		}
		if !strings.Contains(DesktopEntry(), typ.MIME+";") {
			t.Errorf("the desktop entry does not name %s", typ.MIME)
		}
	}
}

// TestRegistryFile reads the .reg file back.
func TestRegistryFile(t *testing.T) {
	const path = `C:\Some "where"\cutaway.exe`
	lines := strings.Split(RegistryFile(path), "\r\n")
	if lines[0] != "Windows Registry Editor Version 5.00" {
		t.Fatalf("begins with %q", lines[0])
	}
	unquote := strings.NewReplacer(`\\`, `\`, `\"`, `"`)
	found := make(map[string]string)
	key := ""
	for n, line := range lines[1:] {
		name, text, isValue := strings.Cut(line, "=")
		switch {
		case line == "":
		case strings.HasPrefix(line, `[HKEY_CURRENT_USER\Software\`) && strings.HasSuffix(line, "]"):
			key = strings.TrimPrefix(line[1:len(line)-1], `HKEY_CURRENT_USER\Software\`)
		case isValue && key != "" && len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' && (name == "@" || name[0] == '"'):
			found[key+"|"+strings.Trim(name, `"@`)] = unquote.Replace(text[1 : len(text)-1])
		default:
			t.Errorf("line %d is neither key nor value: %q", n+2, line)
		}
	}
	for name, want := range map[string]string{
		`Classes\.usdc|`:                                        "Cutaway.usdc",
		`Classes\.pmdl_b|`:                                      "Cutaway.udm_b",
		`Classes\Cutaway.usdc\shell\open\command|`:              `"` + path + `" "%1"`,
		`RegisteredApplications|Cutaway`:                        `Software\Cutaway\Capabilities`,
		`Cutaway\Capabilities\FileAssociations|.oodf`:           "Cutaway.oodf",
		`Classes\Applications\cutaway.exe\SupportedTypes|.json`: "",
	} {
		if got, there := found[name]; !there || got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, e := range []string{".usd", ".udm", ".json", ".bin", ".asset"} {
		if id, there := found[`Classes\`+e+"|"]; there {
			t.Errorf("a double click on %s is ours, as %s", e, id)
		}
		if _, there := found[`Classes\`+e+`\OpenWithProgids|Cutaway`+e]; !there {
			t.Errorf("%s is not offered", e)
		}
	}
}

// TestInstaller: what the installer writes into the registry its uninstaller takes away.
func TestInstaller(t *testing.T) {
	text := Installer("1.2.3", 5<<20)
	install, uninstall, _ := strings.Cut(text, `Section "Uninstall"`)
	for _, want := range []string{
		`"DisplayVersion" "1.2.3"`, `"EstimatedSize" 5120`, "!insertmacro Associate `.vrs` `Cutaway.vrs`",
		"WriteRegStr HKCU `Software\\Classes\\Cutaway.usdc\\shell\\open\\command` `` `\"$INSTDIR\\cutaway.exe\" \"%1\"`",
	} {
		if !strings.Contains(install, want) {
			t.Errorf("the installer has no %s", want)
		}
	}
	for _, want := range []string{
		"!insertmacro Dissociate `.vrs` `Cutaway.vrs`", "DeleteRegKey HKCU `Software\\Classes\\Cutaway.usdc`\n",
		"DeleteRegValue HKCU `Software\\Classes\\.json\\OpenWithProgids` `Cutaway.json`", "DeleteRegKey HKCU `Software\\Cutaway`\n",
	} {
		if !strings.Contains(uninstall, want) {
			t.Errorf("the uninstaller has no %s", want)
		}
	}
	if strings.Contains(install, "Associate `.json`") || strings.Contains(text, "@") {
		t.Error("a type of others is taken, or a place of the template is left")
	}
}

func TestResources(t *testing.T) {
	var read map[string]any
	if err := json.Unmarshal([]byte(Resources("1.2.3", "cutaway.exe", "Cutaway")), &read); err != nil || len(read) != 3 {
		t.Errorf("%v: %v", err, read)
	}
}

func TestIcon(t *testing.T) {
	for _, size := range IconSizes {
		data, err := Icon(assets.Icon, size)
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(data))
		if err != nil || m.Bounds().Dx() != size || m.Bounds().Dy() != size {
			t.Fatalf("%d: %v, %v", size, m.Bounds(), err)
		}
		if _, _, _, a := m.At(0, 0).RGBA(); a != 0 {
			t.Errorf("%d: the corner is not clear", size)
		}
		if r, _, b, a := m.At(size/2, size/8).RGBA(); a != 0xffff || b <= r {
			t.Errorf("%d: the ground is not blue", size)
		}
	}
}

func TestLicences(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if escapedModule("github.com/BurntSushi/toml") != "github.com/!burnt!sushi/toml" {
		t.Error("a module with capitals is not found in the cache")
	}
	if _, err := Licences([]string{program}, t.TempDir(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "no licence") {
		t.Errorf("no licence of Go, and the error is %v", err)
	}
	goRoot := t.TempDir()
	if err := os.WriteFile(goRoot+"/LICENSE", []byte("the terms"), 0o600); err != nil {
		t.Fatal(err)
	}
	// A test program names no modules; make package reads a whole one.
	if text, err := Licences([]string{program, program}, goRoot, t.TempDir()); err != nil || !strings.Contains(text, "LICENSE\n\nthe terms\n") {
		t.Errorf("%v: %s", err, text)
	}
}
