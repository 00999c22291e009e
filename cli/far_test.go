package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFarFiles: every kind of verb takes addresses; nothing that is printed has what is secret in them.
func TestFarFiles(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("sig") != "hush" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		http.ServeFile(w, r, "../assets"+r.URL.Path)
	}))
	defer web.Close()
	good := web.URL + "/sample.usdc?sig=hush"
	for _, k := range []struct {
		status int
		says   string
		args   []string
	}{
		{0, "sample.usdc", []string{"info", good}},
		{0, "Prototypes", []string{"tree", good + "#scene"}},
		{0, `/sample.usdc?…"`, []string{"check", "--json", good, "../assets/sample.usdc"}},
		{0, `/sample.usdc?…"`, []string{"scan", "--json", good}},
		{0, "the same content", []string{"diff", good, "../assets/sample.usdc"}},
		{0, "magic", []string{"at", good, "3"}},
		{2, "403 Forbidden", []string{"info", web.URL + "/sample.usdc?sig=hushed"}},
		{3, "about a whole file", []string{"check", good + "#scene"}},
		{3, "unexpected argument", []string{"info", good, good}},
		{2, "not recognised", []string{"info", web.URL + "/icon.png?sig=hush"}},
		{2, "only http:// and https:// are read", []string{"info", "s3://bucket/sample.usdc"}},
	} {
		var out, errs bytes.Buffer
		status := Main(t.Context(), "test", k.args, &out, &errs)
		all := out.String() + errs.String()
		if status != k.status || !strings.Contains(all, k.says) {
			t.Errorf("%q: status %d: %.600s", k.args, status, all)
		}
		if strings.Contains(all, "hush") {
			t.Errorf("%q tells the secret: %.600s", k.args, all)
		}
	}
}
