package decodertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// StandardText returns the text of the AOUSD Core Specification in the folder shared, which is not ours to give away. It skips the test
// without the file or without pdftotext.
func StandardText(t *testing.T, shared string) string {
	t.Helper()
	pdf := filepath.Join(shared, "formats", "aousd_core_spec_1.0.1.pdf")
	if _, err := os.Stat(pdf); err != nil {
		t.Skip("without ../shared/formats")
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("without pdftotext (apt-get install poppler-utils)")
	}
	text, err := exec.Command("pdftotext", "-layout", pdf, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
