package decoders

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/source/far"
)

// FilesOf returns how the nodes of a document name other files, or nil if they name none.
func FilesOf(doc *model.Document) *model.FileNames {
	if f := ByName(doc.Format); f != nil {
		return f.Files
	}
	return nil
}

// mostAssetParts is the most parts of a node that AssetRefs reads.
const mostAssetParts = 16

// AssetRefs returns references to the files that a node names with its own value. With parts it also reads the node's
// parts, since attributes and references name files there.
func AssetRefs(ctx context.Context, doc *model.Document, n *model.Node, parts bool) (refs []model.Ref) {
	names := FilesOf(doc)
	if names == nil {
		return nil
	}
	seen := map[string]bool{}
	add := func(n *model.Node) {
		for _, asset := range names.Of(ctx, n) {
			if !seen[asset] {
				seen[asset] = true
				refs = append(refs, model.Ref{Kind: "file", File: asset})
			}
		}
	}
	if add(n); !parts || len(refs) > 0 || n.Children == nil || n.IsPending() {
		return refs
	}
	count, _ := n.Children.Len(ctx)
	for i := range min(count, mostAssetParts) {
		part := n.Children.At(ctx, i)
		if add(&part); part.Name == names.Within && len(refs) == 1 {
			inside, _ := part.Value.(model.Text)
			refs[0].Path = cmp.Or(string(inside), model.DefaultName)
		}
	}
	return refs
}

// An AssetFinder finds the files that a file, or a member of one, names.
type AssetFinder struct {
	names  *model.FileNames
	of     Target
	doc    *model.Document        // the document of Target of, or nil to open packages anew
	within []string               // the packages around the member, outermost first
	member string                 // its name in the innermost package, or "" for the file itself
	known  map[Target]packedFiles // packages listed so far
	places AssetPlaces
}

// AssetPlaces are places besides the file's own folder where assets are looked for.
type AssetPlaces struct {
	Maps      []AssetMap
	Search    []string // folders for paths that readers look for in search paths
	Addresses bool     // assets with http(s) addresses are looked for
}

// An AssetMap says which folder stands for the addresses that begin with a prefix: omniverse://host/ is DIR.
type AssetMap struct{ Prefix, Folder string }

// ParseAssetMap parses PREFIX=DIR.
func ParseAssetMap(text string) (m AssetMap, ok bool) {
	i := strings.LastIndexByte(text, '=')
	if i < 1 || i == len(text)-1 {
		return m, false
	}
	folder, err := filepath.Abs(text[i+1:])
	return AssetMap{text[:i], folder}, err == nil
}

// ParseAssetPlaces parses places, each a folder, or PREFIX=DIR where the prefix is that of an address.
func ParseAssetPlaces(list []string) (p AssetPlaces) {
	for _, text := range list {
		if m, ok := ParseAssetMap(text); ok && strings.Contains(m.Prefix, "://") {
			p.Maps = append(p.Maps, m)
		} else {
			p.Search = append(p.Search, text)
		}
	}
	return p
}

// mapped returns the file that stands for an address.
func (p *AssetPlaces) mapped(asset string) (file string, ok bool) {
	for _, m := range p.Maps {
		if rest, is := strings.CutPrefix(asset, m.Prefix); is {
			return filepath.Join(m.Folder, filepath.FromSlash(rest)), true
		}
	}
	return "", false
}

// Detached returns a finder that works after its document is closed: it opens packages anew.
func (f *AssetFinder) Detached() *AssetFinder {
	in := *f
	in.doc = nil
	return &in
}

// Also makes the finder look in further places.
func (f *AssetFinder) Also(places AssetPlaces) { f.places = places }

// NewAssetFinder returns a finder for doc, or for its first member. Doc was opened as t and stays open as long as the
// finder is used.
func NewAssetFinder(doc *model.Document, t Target) (*AssetFinder, error) {
	if t.File == "" {
		return nil, errors.New("these bytes are of no file beside which others could be looked for")
	}
	t.Path, t.Offset = "", -1
	names := FilesOf(doc)
	if names == nil {
		return nil, errors.New(doc.Title + " names no other files")
	}
	f := &AssetFinder{names: names, of: t, doc: doc, known: map[Target]packedFiles{}}
	return f.In(t.Inner, doc.First), nil
}

// In returns the finder of the member inner of the file, or of its first member.
func (f *AssetFinder) In(inner, first string) *AssetFinder {
	in := *f
	if levels := append(memberLevels(inner), memberLevels(first)...); len(levels) > 0 {
		last := len(levels) - 1
		in.within, in.member = levels[:last:last], levels[last]
	}
	return &in
}

// memberLevels returns the nested members of an inner path, outermost first: a, b and c of "a[b[c]]".
func memberLevels(inner string) (levels []string) {
	for inner != "" {
		outer, rest, ok := splitAsset(inner)
		if !ok {
			return append(levels, inner)
		}
		levels, inner = append(levels, outer), rest
	}
	return levels
}

// splitAsset splits a path at its first bracket.
func splitAsset(asset string) (outer, inner string, ok bool) {
	return SplitMember(asset, func(string) bool { return false })
}

// nested is the inverse of memberLevels.
func nested(levels []string) (inner string) {
	for i := len(levels) - 1; i >= 0; i-- {
		if inner != "" {
			inner = "[" + inner + "]"
		}
		inner = levels[i] + inner
	}
	return inner
}

// Find returns the files that an asset path names. It looks beside the file. For a member it looks in the same package:
// beside the member, then for a search path beside the package's first member. Then it looks beside the package, where
// readers that run in its folder find it. A pattern returns all that match. The error is fs.ErrNotExist if there are
// none. Find looks for addresses and in further folders as Also says; on a server it returns a file's address without
// checking that it exists.
func (f *AssetFinder) Find(ctx context.Context, asset string) ([]Target, error) {
	asset, err := f.names.Plain(asset)
	if err != nil {
		return nil, err
	}
	outer, inner, packed := splitAsset(asset)
	if !packed {
		outer = asset
	}
	file, mapped := f.places.mapped(outer)
	levels := memberLevels(inner)
	switch {
	case mapped:
		files, err := f.onDisk("", file)
		return f.inFiles(ctx, files, inner, err)
	case f.places.Addresses && far.IsAddress(outer):
		return f.inFiles(ctx, []string{far.Keep(outer)}, inner, nil)
	case strings.Contains(asset, "://"):
		return nil, fmt.Errorf("%s is an address, which is not looked for", asset)
	case f.member != "" && !path.IsAbs(outer):
		found, err := f.inPackage(ctx, outer, levels)
		if err != nil || len(found) > 0 {
			return found, err
		}
		if !f.names.Searched(outer) {
			return nil, fmt.Errorf("there is no file %s in the package: %w", asset, fs.ErrNotExist)
		}
	}
	files, err := f.outside(outer)
	return f.inFiles(ctx, files, inner, err)
}

// inFiles returns the members inner of files, or the files if inner is "". If err says that there are no files, it
// returns err.
func (f *AssetFinder) inFiles(ctx context.Context, files []string, inner string, err error) ([]Target, error) {
	var found []Target
	for _, file := range files {
		there, err := f.exists(ctx, file, nil, memberLevels(inner))
		if err != nil {
			return nil, err
		}
		if there {
			found = append(found, Target{File: file, Inner: inner, Offset: -1})
		}
	}
	if len(found) == 0 && err == nil {
		return nil, fmt.Errorf("there is no %s in %s: %w", inner, strings.Join(files, ", "), fs.ErrNotExist)
	}
	return found, err
}

// inPackage returns the members that asset names in the member's package, and levels in those.
func (f *AssetFinder) inPackage(ctx context.Context, asset string, levels []string) ([]Target, error) {
	found, err := f.siblings(ctx, f.within, f.member, asset, levels)
	if err != nil || len(found) > 0 || !f.names.Searched(asset) {
		return found, err
	}
	of, err := f.packed(ctx, f.of.File, f.within)
	if err != nil || len(of.first) == 0 {
		return nil, err
	}
	last := len(of.first) - 1
	return f.siblings(ctx, slices.Concat(f.within, of.first[:last]), of.first[last], asset, levels)
}

// siblings returns the members of pkg that asset names relative to member, and levels in those.
func (f *AssetFinder) siblings(ctx context.Context, pkg []string, member, asset string, levels []string) (found []Target, err error) {
	of, err := f.packed(ctx, f.of.File, pkg)
	if err != nil {
		return nil, err
	}
	fits := f.fitting(path.Join(path.Dir(member), asset))
	for _, name := range of.members {
		if !fits(name) {
			continue
		}
		whole := slices.Concat(pkg, []string{name}, levels)
		there, err := f.exists(ctx, f.of.File, whole[:len(pkg)+1], levels)
		if err != nil {
			return nil, err
		}
		if there {
			found = append(found, Target{File: f.of.File, Inner: nested(whole), Offset: -1})
		}
	}
	return found, nil
}

// exists reports whether levels name a member of pkg in a file.
func (f *AssetFinder) exists(ctx context.Context, file string, pkg, levels []string) (bool, error) {
	for i, name := range levels {
		of, err := f.packed(ctx, file, slices.Concat(pkg, levels[:i]))
		if err != nil || !slices.Contains(of.members, name) {
			return false, err
		}
	}
	return true, nil
}

// packedFiles lists the members of a package.
type packedFiles struct {
	members []string
	first   []string // the first member; if it is a package, followed by its first
}

// packed lists the members of a package, or none if the file is no package.
func (f *AssetFinder) packed(ctx context.Context, file string, levels []string) (packedFiles, error) {
	pkg := Target{File: file, Inner: nested(levels), Offset: -1}
	if known, ok := f.known[pkg]; ok {
		return known, nil
	}
	doc, done, err := f.open(ctx, pkg)
	switch {
	case ctx.Err() != nil:
		return packedFiles{}, ctx.Err()
	case err != nil && far.IsAddress(file) && !errors.Is(err, fs.ErrNotExist):
		return packedFiles{}, err // the server may have it
	case err != nil:
		f.known[pkg] = packedFiles{}
		return packedFiles{}, nil
	}
	defer done()
	of := packedFiles{first: memberLevels(doc.First)}
	for _, name := range append([]string{doc.First}, doc.Members...) {
		if levels := memberLevels(name); len(levels) > 0 && !slices.Contains(of.members, levels[0]) {
			of.members = append(of.members, levels[0])
		}
	}
	f.known[pkg] = of
	return of, nil
}

// open opens a file or a member. It reuses the finder's document. done closes what open opened.
func (f *AssetFinder) open(ctx context.Context, t Target) (doc *model.Document, done func(), err error) {
	own, levels := memberLevels(f.of.Inner), memberLevels(t.Inner)
	switch {
	case f.doc == nil || t.File != f.of.File || len(levels) < len(own) || !slices.Equal(levels[:len(own)], own):
		doc, err = OpenTarget(ctx, t, OpenOptions{})
	case len(levels) == len(own):
		return f.doc, func() {}, nil
	default:
		doc, err = f.doc.OpenMember(ctx, nested(levels[len(own):]))
	}
	return doc, func() { _ = doc.Close() }, err // opened for reading only
}

// fitting returns a function that reports whether the path name, or its pattern, matches a file name.
func (f *AssetFinder) fitting(name string) func(string) bool {
	before, after, fits := f.names.Pattern(name)
	if fits == nil {
		return func(s string) bool { return s == name }
	}
	return func(s string) bool {
		s, begins := strings.CutPrefix(s, before)
		s, ends := strings.CutSuffix(s, after)
		return begins && ends && fits(s)
	}
}

// isPattern reports whether a path stands for several files.
func (f *AssetFinder) isPattern(asset string) bool {
	_, _, fits := f.names.Pattern(asset)
	return fits != nil
}

// outside returns the files that asset names outside of packages.
func (f *AssetFinder) outside(asset string) ([]string, error) {
	if far.IsAddress(f.of.File) {
		file, err := f.farAway(asset)
		return []string{file}, err
	}
	own := filepath.Dir(f.of.File)
	files, err := f.onDisk(own, asset)
	if errors.Is(err, fs.ErrNotExist) && f.names.Searched(asset) {
		for _, folder := range f.places.Search {
			if in, err := f.onDisk(folder, asset); err == nil {
				return in, nil
			}
		}
	}
	return files, err
}

// farAway returns the address of asset relative to that of the file.
func (f *AssetFinder) farAway(asset string) (string, error) {
	switch {
	case path.IsAbs(asset):
		return "", fmt.Errorf("%s is a path of a machine, and the file that names it is on a server", asset)
	case f.isPattern(asset):
		return "", fmt.Errorf("%s stands for many files, and a server does not list what it has", asset)
	}
	file := far.Sibling(f.of.File, asset)
	if file == "" {
		return "", fmt.Errorf("%s cannot be looked for: the address of the file that names it is signed for that file alone", asset)
	}
	return file, nil
}

// onDisk returns the local files that asset names relative to a folder.
func (f *AssetFinder) onDisk(folder, asset string) ([]string, error) {
	if runtime.GOOS == "windows" {
		own := f.of.File
		if abs, err := filepath.Abs(own); err == nil {
			own = abs
		}
		if why := offDisk(asset, own); why != "" {
			return nil, fmt.Errorf("%s is not looked for: %s", asset, why)
		}
	}
	file := filepath.FromSlash(asset)
	if !filepath.IsAbs(file) {
		file = filepath.Join(folder, file)
	}
	if before, after, several := f.names.Pattern(file); several != nil {
		all, err := filepath.Glob(literal.Replace(before) + "*" + literal.Replace(after))
		fits := f.fitting(filepath.ToSlash(file))
		all = slices.DeleteFunc(all, func(name string) bool { return !fits(filepath.ToSlash(name)) })
		if err == nil && len(all) > 0 {
			return all, nil
		}
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("there is no file %s: %w", file, fs.ErrNotExist)
	}
	return []string{file}, nil
}

// literal escapes a path for filepath.Glob, so that a name in a file cannot make it search whole disks.
var literal = func() *strings.Replacer {
	special := []string{"*", "[*]", "?", "[?]", "[", "[[]"}
	if filepath.Separator != '\\' { // a backslash escapes only where it separates no folders
		special = append(special, `\`, `\\`)
	}
	return strings.NewReplacer(special...)
}()

// offDisk returns the reason why Windows is not asked for a path, or "" if it may be asked. Asking for the path of a
// server logs in there, which reveals the user's name and a hash of the password; only the file's own server knows
// these anyway.
func offDisk(asset, file string) string {
	asset = strings.ReplaceAll(asset, "/", `\`)
	server, onServer, device := uncServer(asset)
	own, _, _ := uncServer(strings.ReplaceAll(file, "/", `\`))
	switch {
	case device:
		return "it is a path of devices"
	case onServer && (server == "" || !strings.EqualFold(server, own)):
		return "it is on the server " + server + ", and the file that names it is not"
	case len(asset) > 1 && asset[1] == ':' && (len(asset) == 2 || asset[2] != '\\'):
		return "it is relative to whatever folder is the current one of drive " + asset[:2]
	}
	for name := range strings.SplitSeq(asset, `\`) {
		base, _, _ := strings.Cut(name, ".")
		base, _, _ = strings.Cut(base, ":")
		if deviceName.MatchString(strings.TrimRight(base, " ")) {
			return name + " is the name of a device"
		}
	}
	return ""
}

// deviceName matches the names that Windows reserves for devices in every folder, whatever their extension.
var deviceName = regexp.MustCompile(`^(?i:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|CLOCK\$|(COM|LPT)[0-9¹²³])$`)

// uncServer returns the server of a Windows path such as \\server\share\file, also written \\?\UNC\server\share\file.
// device reports any other path that begins with \\?\, \\.\ or \??\.
func uncServer(name string) (server string, onServer, device bool) {
	for _, prefix := range []string{`\\?\`, `\\.\`, `\??\`} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			if len(rest) < 4 || !strings.EqualFold(rest[:4], `UNC\`) {
				return "", false, true
			}
			name = `\\` + rest[4:]
			break
		}
	}
	rest, onServer := strings.CutPrefix(name, `\\`)
	if onServer {
		server, _, _ = strings.Cut(rest, `\`)
	}
	return server, onServer, false
}
