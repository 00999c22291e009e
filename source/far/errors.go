package far

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"cutaway/model"
)

// An Error is the reason why a file of a server cannot be read.
type Error struct {
	Address string // without secrets
	Reason  string
	Err     error // for errors.Is; may be nil
}

func (e *Error) Error() string { return "cannot read " + e.Address + ": " + e.Reason }

// Unwrap returns fs.ErrNotExist, fs.ErrPermission or the error of the network.
func (e *Error) Unwrap() error { return e.Err }

// ErrNoRanges is the error that a server only sends whole files.
type ErrNoRanges struct {
	Address string
	Size    int64 // in bytes, or -1 if the server does not send it
}

func (e *ErrNoRanges) Error() string {
	return e.Reason() + "; --download gets it to a temporary file"
}

// Reason returns the error without advice.
func (e *ErrNoRanges) Reason() string {
	return fmt.Sprintf("cannot read %s: the server gives no ranges of it, only the whole, %s", e.Address, e.SizeText())
}

// SizeText returns the size for a person.
func (e *ErrNoRanges) SizeText() string {
	if e.Size < 0 {
		return "whose size it does not say"
	}
	return model.GroupedCount(e.Size, "byte")
}

// ErrChanged is the error that a file has changed since it was opened.
type ErrChanged struct {
	Address  string
	What     string // such as "ETag"
	Was, Now string
}

func (e *ErrChanged) Error() string {
	return fmt.Sprintf("%s has changed since it was opened: its %s was %s, now %s; open it again", e.Address, e.What, e.Was, e.Now)
}

// A statusError is the status of an unsuccessful answer.
type statusError struct {
	status int
	after  time.Duration // delay before the next attempt, or 0
	proxy  bool          // the answer of a proxy that rejects the request
	query  bool          // the address has a query, which may be a signature
}

func (e *statusError) Error() string {
	who, hint := "server", ""
	switch {
	case e.status == http.StatusProxyAuthRequired:
		who, hint = "proxy", ": it wants a user and password, which can be in the address of the proxy"
	case e.proxy:
		who = "proxy"
	case e.status == http.StatusUnauthorized:
		hint = ": it wants a user and password, which can be in ~/.netrc"
	case e.status == http.StatusForbidden && e.query:
		hint = ": a signed address may have expired"
	}
	return fmt.Sprintf("the %s answers %d %s%s", who, e.status, http.StatusText(e.status), hint)
}

func (e *statusError) Unwrap() error {
	switch e.status {
	case http.StatusNotFound, http.StatusGone:
		return fs.ErrNotExist
	case http.StatusUnauthorized, http.StatusForbidden:
		return fs.ErrPermission
	}
	return nil
}

// isTemporary reports whether the same request may succeed later.
func (e *statusError) isTemporary() bool {
	switch e.status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// An errProtocol is the fault of an unusable answer, which would not improve.
type errProtocol struct{ reason string }

func (e *errProtocol) Error() string { return e.reason }

var errStalled = errors.New("the server has sent nothing for " + stall.String())

// isTemporary reports whether an error may be temporary.
func isTemporary(err error) bool {
	var status *statusError
	var changed *ErrChanged
	var whole *ErrNoRanges
	var dns *net.DNSError
	switch {
	case errors.As(err, &status):
		return status.isTemporary()
	case errors.As(err, &changed), errors.As(err, &whole), errors.As(err, new(*errProtocol)), certificateWords(err) != "", noTLS(err):
		return false
	case errors.As(err, &dns):
		return !dns.IsNotFound
	}
	return true
}

// noTLS reports whether a server does not answer a TLS handshake with TLS.
func noTLS(err error) bool {
	return errors.As(err, new(tls.RecordHeaderError)) || errors.Is(err, http.ErrSchemeMismatch)
}

// Errors of Winsock, which syscall does not name.
const (
	wsaReset   = syscall.Errno(10054)
	wsaRefused = syscall.Errno(10061)
)

// isRefused reports whether nothing listens at an address.
func isRefused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, wsaRefused)
}

// words returns an error of the network for a person, without addresses: those of redirects can be signed.
func words(err error) string {
	var dns *net.DNSError
	var dial *net.OpError
	var inURL *url.Error
	if text := certificateWords(err); text != "" {
		return text
	}
	switch {
	case errors.As(err, &dial) && dial.Op == "proxyconnect":
		return "the proxy cannot be reached: " + words(dial.Err)
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no host " + dns.Name
	case noTLS(err):
		return "the server does not speak TLS there: it may be an http:// address"
	case errors.Is(err, errStalled):
		return errStalled.Error()
	case isRefused(err):
		return "the connection is refused"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, wsaReset):
		return "the server broke off"
	case errors.As(err, &inURL):
		err = inURL.Err
	}
	if text := err.Error(); !strings.Contains(text, "://") {
		return text
	}
	return "the server's answer leads nowhere"
}

// certificateWords returns the fault of a server's certificate, or "" for other errors.
func certificateWords(err error) string {
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var roots x509.SystemRootsError
	var other *tls.CertificateVerificationError
	const day = "2 January 2006"
	switch {
	case errors.As(err, &unknown):
		by := ""
		if unknown.Cert != nil {
			by = ": " + unknown.Cert.Issuer.String()
		}
		return "its certificate is signed by an authority that this machine does not trust" + by
	case errors.As(err, &host):
		return fmt.Sprintf("its certificate is not for %s but for %s", host.Host, strings.Join(certifiedNames(host.Certificate), ", "))
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("its certificate is valid from %s to %s, not now", invalid.Cert.NotBefore.Format(day), invalid.Cert.NotAfter.Format(day))
	case errors.As(err, &roots):
		return "this machine knows no authorities that could have signed its certificate"
	case errors.As(err, &other):
		return "its certificate is not good: " + other.Err.Error()
	}
	return ""
}

func certifiedNames(c *x509.Certificate) []string {
	names := append([]string{}, c.DNSNames...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		names = append(names, c.Subject.CommonName)
	}
	return names
}
