package far

import (
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

	"golang.org/x/net/http/httpproxy"
)

// Limits of time and number.
const (
	connecting    = 15 * time.Second
	stall         = 30 * time.Second // without a byte, after which an attempt is given up
	mostRedirects = 10
	connections   = 8 // to one host
)

// transport is that of all files.
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

// proxyFor is the proxy for a request, by the variables that curl knows: http_proxy, https_proxy, all_proxy, no_proxy.
func proxyFor(req *http.Request) (*url.URL, error) {
	c := httpproxy.FromEnvironment()
	all := os.Getenv("ALL_PROXY")
	if lower := os.Getenv("all_proxy"); lower != "" {
		all = lower
	}
	if c.HTTPProxy == "" {
		c.HTTPProxy = all
	}
	if c.HTTPSProxy == "" {
		c.HTTPSProxy = all
	}
	return c.ProxyFunc()(req.URL)
}

// client follows redirects, and tells no host what is for another one.
func client(rt http.RoundTripper) *http.Client {
	return &http.Client{Transport: rt, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		req.Header.Del("Referer") // it would be the address, with what is secret in it
		first := via[0].URL
		if origin(req.URL) != origin(first) {
			req.Header.Del("Authorization")
			req.URL.User = nil
		}
		switch {
		case len(via) > mostRedirects:
			return &errProtocol{"the server redirects too often"}
		case first.Scheme == "https" && req.URL.Scheme != "https":
			return &errProtocol{"the server redirects from https to http, which is not followed"}
		case req.URL.Scheme != "http" && req.URL.Scheme != "https":
			return &errProtocol{"the server redirects to what is neither http nor https"}
		}
		return nil
	}}
}

// authorize adds the credentials for the first address of a file: those in it, or those of .netrc.
func authorize(req *http.Request, first *url.URL) {
	if origin(req.URL) != origin(first) {
		return
	}
	req.URL.User = nil             // net/http would send them on
	login := first.User.Username() // "" of nil
	password, given := first.User.Password()
	if !given {
		if user, secret, ok := netrcFor(first.Hostname(), login); ok {
			login, password = user, secret
		}
	}
	if login != "" || password != "" {
		req.SetBasicAuth(login, password)
	}
}

// netrcFor is what .netrc has for a user of a host, "" for any: the first entry of its name, or the default.
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

// netrcWords are the words of .netrc; what follows macdef up to an empty line is none.
func netrcWords(text string) (words []string) {
	inMacro := false
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
			inMacro = false
		case inMacro, strings.HasPrefix(fields[0], "#"):
		case fields[0] == "macdef":
			inMacro = true
		default:
			words = append(words, fields...)
		}
	}
	return words
}

// parseNetrc reads the words machine, default, login, password and account.
func parseNetrc(text, host, user string) (login, password string, ok bool) {
	words, ours := netrcWords(text), false
	fits := func() bool { return ours && (user == "" || login == user) }
	for i := 0; i < len(words); i++ {
		value := ""
		if i+1 < len(words) {
			value = strings.Trim(words[i+1], `"`)
		}
		switch words[i] {
		case "machine", "default":
			if fits() {
				return login, password, true // the first counts
			}
			login, password = "", ""
			if ours = words[i] == "default"; ours {
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
