package packaging

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"cutaway/assets"
	"cutaway/decoders"
	"cutaway/model"
)

// TestTypesAreTheFormats: the table has every extension of every format, once, and no other, and the type that a
// format says it has.
func TestTypesAreTheFormats(t *testing.T) {
	for _, f := range decoders.All() {
		var extensions, types []string
		for i := range Types {
			if Types[i].Format == f.Name {
				extensions = append(extensions, Types[i].Extensions...)
				types = append(types, Types[i].MIME)
			}
		}
		want := slices.Sorted(slices.Values(f.Extensions))
		if slices.Sort(extensions); !slices.Equal(extensions, want) {
			t.Errorf("%s: the types have the extensions %q, the format %q", f.Name, extensions, want)
		}
		if f.MIME != "" && (len(types) == 0 || types[0] != f.MIME) {
			t.Errorf("%s: the format says %q, the types are %q", f.Name, f.MIME, types)
		}
	}
	seen := make(map[string]bool)
	for _, typ := range Types {
		for _, name := range append([]string{typ.MIME, typ.uti(), typ.progID()}, typ.Extensions...) {
			if seen[name] && name != typ.uti() {
				t.Errorf("%s stands twice", name)
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

// The table of docs/packaging.md has each type's extensions and magic in the column that its Default says.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/packaging.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| with Cutaway |")
	table, _, _ = strings.Cut(table, "\n\n")
	var columns [2]string // opened, only offered
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) == 4 {
			columns[0] += cells[1]
			columns[1] += cells[2]
		}
	}
	for _, kind := range Types {
		column := columns[1]
		if kind.Default {
			column = columns[0]
		}
		for _, ext := range kind.Extensions {
			if !strings.Contains(column, "`"+ext+"`") {
				t.Errorf("%s (%s) is not in its column", ext, kind.MIME)
			}
		}
		for _, magic := range kind.Magic {
			if kind.Default && !strings.Contains(column, "`"+magic.Text+"`") {
				t.Errorf("%s, by which %s is known, is not in the table", magic.Text, kind.MIME)
			}
		}
	}
}

// TestMagicIsDetected: bytes that the system recognises as a type of ours are recognised by its format too.
func TestMagicIsDetected(t *testing.T) {
	tested := 0
	for _, typ := range Types {
		for _, m := range typ.Magic {
			head := make([]byte, 256)
			for part := &m; part != nil; part = part.And {
				copy(head[part.Offset:], part.Text)
			}
			if typ.Format == "flatbuffer" {
				continue // by its schema, which need not be there
			}
			tested++
			src := model.NewFileSource("x", model.BytesReader(head))
			d := decoders.ByName(typ.Format).Detect(t.Context(), &model.Probe{Source: src, Name: "x", Head: head})
			if d.Confidence != model.Sure {
				t.Errorf("%s: the format is not sure of %q at %d: %s", typ.MIME, m.Text, m.Offset, d.Reason)
			}
		}
	}
	if tested < 6 {
		t.Errorf("only %d magics", tested)
	}
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

func TestInstaller(t *testing.T) {
	text := Installer("1.2.3")
	for _, want := range []string{"AppVersion=1.2.3\r\n", `ValueData: """{app}\cutaway.exe"" ""%1"""; Flags: uninsdeletekey`, `Software\Classes\.vrs"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the script has no %s", want)
		}
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
