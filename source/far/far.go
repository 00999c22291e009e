// Package far reads files of http and https servers by ranges, at any offset like local files, through a cache of
// blocks with read-ahead for sequential reads. Each answer must be of the same file as the first, by its ETag,
// Last-Modified and length; a file that changes is an error, never a mixture.
//
// An address may contain secrets: a user and password, or a signature in its query. Keep removes these, and its result
// is passed on, shown and stored; only requests have the whole address.
package far

import (
	"net"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
)

// IsAddress reports whether a file name is an address of a server.
func IsAddress(name string) bool {
	scheme, rest, ok := strings.Cut(name, "://")
	return ok && rest != "" && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// hidden replaces the query of an address that is shown.
const hidden = "?…"

// secrets maps results of Keep to whole addresses.
var secrets = struct {
	sync.Mutex
	whole map[string]*secret
}{whole: make(map[string]*secret)}

// A secret is a whole address, with the number of calls of Keep minus those of Forget.
type secret struct {
	address string
	uses    int
}

// Keep returns name without secrets, and remembers these until Forget. It returns other names unchanged. Text after the
// first #, and a member in brackets at the end, are no part of an address.
func Keep(name string) string {
	if !IsAddress(name) {
		return name
	}
	address, rest := cut(name)
	shown := Shown(address)
	secrets.Lock()
	defer secrets.Unlock()
	if _, kept := secrets.whole[address]; kept || shown == address {
		return name
	}
	for n, base := 2, strings.TrimSuffix(shown, hidden)+hidden; ; n++ {
		one, taken := secrets.whole[shown]
		if !taken {
			one = &secret{address: address}
			secrets.whole[shown] = one
		}
		if one.address == address {
			one.uses++
			return shown + rest
		}
		shown = base + strconv.Itoa(n) // another query or user for the same path
	}
}

// cut splits a name into its address and the rest, a member and path.
func cut(name string) (address, rest string) {
	address, _, _ = strings.Cut(name, "#")
	if outer, _, ok := SplitMember(address); ok {
		address = outer
	}
	return address, name[len(address):]
}

// Forget undoes one call of Keep for an address.
func Forget(shown string) {
	secrets.Lock()
	defer secrets.Unlock()
	address, _ := cut(shown)
	if one := secrets.whole[address]; one != nil {
		if one.uses--; one.uses == 0 {
			delete(secrets.whole, address)
		}
	}
}

// HasSecret reports whether an address returned by Keep is useless without its secret, and should not be remembered.
func HasSecret(shown string) bool {
	secrets.Lock()
	defer secrets.Unlock()
	address, _ := cut(shown)
	_, has := secrets.whole[address]
	return has || IsAddress(shown) && strings.Contains(shown, hidden)
}

// Shown returns an address without user, password and query.
func Shown(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	authority, tail := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, tail = rest[:i], rest[i:]
	}
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	member := ""
	if before, _, asks := strings.Cut(tail, "?"); asks {
		if i := strings.LastIndexByte(tail, '['); i > len(before) && strings.HasSuffix(tail, "]") {
			member = tail[i:] // the name of a member of a package is no secret
		}
		tail = before + hidden + member
	}
	return scheme + "://" + authority + tail
}

// fullAddress returns the address for requests.
func fullAddress(shown string) string {
	secrets.Lock()
	defer secrets.Unlock()
	if one, kept := secrets.whole[shown]; kept {
		return one.address
	}
	return shown
}

// Name returns the name of the file at an address.
func Name(address string) string {
	u, err := url.Parse(Shown(address))
	if err != nil {
		return path.Base(address)
	}
	switch base := path.Base(u.Path); base {
	case "/", ".":
		return u.Host
	default:
		return base
	}
}

// SplitMember splits "https://host/outer[inner]".
func SplitMember(name string) (outer, inner string, ok bool) {
	_, rest, _ := strings.Cut(name, "://")
	start := len(name) - len(rest) + max(strings.IndexByte(rest, '/'), 0) // a host may be [::1]
	i := strings.IndexByte(name[start:], '[')
	if i < 0 || !strings.HasSuffix(name, "]") || start+i+2 >= len(name) {
		return "", "", false
	}
	return name[:start+i], name[start+i+1 : len(name)-1], true
}

// origin returns the scheme, host and port of an address. Credentials apply to one origin.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// wrongPort returns the fault of the port of an address, or "".
func wrongPort(u *url.URL) string {
	port := u.Port()
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return "its port is " + port + ", not one of 1 to 65535"
	}
	return ""
}
