package far

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/http/httpproxy"
)

// Limits of time and number.
const (
	connecting    = 15 * time.Second
	stall         = 30 * time.Second // without a byte, before an attempt is given up
	mostRedirects = 10
	connections   = 8 // to one host
)

// transport is shared by all files.
var transport http.RoundTripper = &http.Transport{
	Proxy:               proxyFor,
	DialContext:         (&net.Dialer{Timeout: connecting, KeepAlive: stall}).DialContext,
	TLSHandshakeTimeout: connecting,
	MaxConnsPerHost:     connections,
	MaxIdleConnsPerHost: connections,
	IdleConnTimeout:     3 * stall,
	ForceAttemptHTTP2:   true,
	DisableCompression:  true,
	OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
		if resp.StatusCode != http.StatusOK {
			return &statusError{status: resp.StatusCode, proxy: true}
		}
		return nil
	},
}

// proxyFor returns the proxy for a request, from the variables of curl. http_proxy counts in small letters only, since
// a server sets HTTP_PROXY for its scripts from a header of the request; https_proxy, all_proxy and no_proxy count in
// capitals too.
func proxyFor(req *http.Request) (*url.URL, error) {
	either := func(name string) string { return cmp.Or(os.Getenv(name), os.Getenv(strings.ToUpper(name))) }
	all := either("all_proxy")
	c := httpproxy.Config{HTTPProxy: cmp.Or(os.Getenv("http_proxy"), all), HTTPSProxy: cmp.Or(either("https_proxy"), all), NoProxy: either("no_proxy")}
	return c.ProxyFunc()(req.URL)
}

// client returns a client that follows redirects from start, and sends no host the credentials of another.
func client(rt http.RoundTripper, start *url.URL) *http.Client {
	return &http.Client{Transport: rt, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		req.Header.Del("Referer") // otherwise the message has the address with its secrets
		first, wrong := via[0].URL, wrongPort(req.URL)
		switch {
		case len(via) > mostRedirects:
			return &errProtocol{"the server redirects too often"}
		case first.Scheme == "https" && req.URL.Scheme != "https":
			return &errProtocol{"the server redirects from https to http, which is not followed"}
		case req.URL.Scheme != "http" && req.URL.Scheme != "https":
			return &errProtocol{"the server redirects to what is neither http nor https"}
		case wrong != "":
			return &errProtocol{"the server's answer leads nowhere: " + wrong}
		}
		authorize(req, start)
		return nil
	}}
}

// authorize sets the credentials for the host of a request: those in the file's first address if it has the same
// origin, or those in .netrc.
func authorize(req *http.Request, first *url.URL) {
	req.Header.Del("Authorization") // net/http keeps it for hosts below the first
	req.URL.User = nil              // net/http would pass them on
	login, password, given := "", "", false
	if origin(req.URL) == origin(first) {
		login = first.User.Username() // "" if User is nil
		password, given = first.User.Password()
	}
	if !given {
		if user, secret, ok := netrcFor(req.URL.Hostname(), login); ok {
			login, password = user, secret
		}
	}
	if login != "" || password != "" {
		req.SetBasicAuth(login, password)
	}
}

// netrcFor returns the login in .netrc for a user of a host, or any user if "": the first entry for the host, or the
// default.
func netrcFor(host, user string) (login, password string, ok bool) {
	name := os.Getenv("NETRC")
	if name == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", "", false
		}
		name = filepath.Join(home, ".netrc")
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) && runtime.GOOS == "windows" {
			name = filepath.Join(home, "_netrc")
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", "", false
	}
	return parseNetrc(string(text), host, user)
}

// netrcWords returns the words of .netrc, without macros (macdef up to an empty line) and comments (words after #). It
// returns none if a quote is not closed on its line, so that half a password is never sent.
func netrcWords(text string) (words []string) {
	inMacro := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for inMacro = inMacro && line != ""; !inMacro && line != "" && line[0] != '#'; line = strings.TrimSpace(line) {
			word, quoted := "", line[0] == '"'
			if quoted {
				var closed bool
				if word, line, closed = netrcQuoted(line[1:]); !closed {
					return nil
				}
			} else {
				end := strings.IndexFunc(line+" ", unicode.IsSpace)
				word, line = line[:end], line[end:]
			}
			if inMacro = !quoted && word == "macdef"; !inMacro {
				words = append(words, word)
			}
		}
	}
	return words
}

// netrcQuoted reads up to the closing quote, with curl's escapes.
func netrcQuoted(line string) (word, rest string, closed bool) {
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '"':
			return word, line[i+1:], true
		case c == '\\' && i+1 < len(line):
			i++
			if c = line[i]; strings.IndexByte("nrt", c) >= 0 {
				c = "\n\r\t"[strings.IndexByte("nrt", c)]
			}
		}
		word += string([]byte{c})
	}
	return "", "", false
}

// parseNetrc parses the words machine, default, login, password and account.
func parseNetrc(text, host, user string) (login, password string, ok bool) {
	words, ours := netrcWords(text), false
	fits := func() bool { return ours && (user == "" || login == user) }
	for i := 0; i < len(words); i++ {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch word := strings.ToLower(words[i]); word {
		case "machine", "default":
			if fits() {
				return login, password, true // the first entry counts
			}
			login, password = "", ""
			if ours = word == "default"; ours {
				continue
			}
			ours = strings.EqualFold(value, host)
		case "login":
			login = value
		case "password":
			password = value
		}
		i++
	}
	return login, password, fits()
}
