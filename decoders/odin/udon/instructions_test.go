package udon

import (
	"slices"
	"testing"
)

// TestAddresses: an instruction has one word, or two with an operand; the last may be cut off.
func TestAddresses(t *testing.T) {
	code := []byte{0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0}
	if got := addresses(code); !slices.Equal(got, []uint32{0, 8, 12, 16}) {
		t.Errorf("instructions at %v", got)
	}
	p := &program{code: code32{bytes: code}, lines: addresses(code)}
	for i, want := range []instruction{
		{address: 0, size: 8, op: opPush, code: opcodes[opPush], known: true, operand: 7}, {address: 8, size: 4, code: opcodes[0], known: true},
		{address: 12, size: 4, op: 3}, {address: 16, size: 6, op: opJump, code: opcodes[opJump], known: true, cut: true},
	} {
		if got := p.instruction(int64(i)); got != want {
			t.Errorf("instruction %d is %+v, want %+v", i, got, want)
		}
	}
	if i, ok := p.lineOf(12); !ok || i != 2 {
		t.Errorf("instruction %d, %t at 12", i, ok)
	}
	if i, ok := p.lineOf(4); ok {
		t.Errorf("instruction %d at 4, inside of another", i)
	}
}

// TestExtern writes signatures of host functions as calls, and other texts as they are.
func TestExtern(t *testing.T) {
	for signature, want := range map[string]string{
		"UnityEngineDebug.__Log__SystemObject__SystemVoid":                "UnityEngineDebug.Log(SystemObject) → SystemVoid",
		"SystemInt32.__op_Addition__SystemInt32_SystemInt32__SystemInt32": "SystemInt32.op_Addition(SystemInt32, SystemInt32) → SystemInt32",
		"Class.__get_value__SystemInt32":                                  "Class.get_value() → SystemInt32",
		"plain":                                                           "plain", "Class.__alone": "Class.__alone",
	} {
		if got := externText(signature); got != want {
			t.Errorf("%q is %q, want %q", signature, got, want)
		}
	}
}

// TestShortCall: namespaces are left out where a name follows them.
func TestShortCall(t *testing.T) {
	for call, want := range map[string]string{
		"VRCUdonCommonInterfacesIUdonEventReceiver.SendCustomEvent(SystemString) → SystemVoid": "IUdonEventReceiver.SendCustomEvent(String)",
		"SystemBoolean.op_ConditionalAnd(SystemBoolean, SystemBoolean) → SystemBoolean":        "Boolean.op_ConditionalAnd(Boolean, Boolean) → Boolean",
		"UnityEngineUIText.set_text(SystemString) → SystemVoid":                                "Text.set_text(String)",
		"System.Gone":         "System.Gone",
		"Systematic.Do() → X": "Systematic.Do() → X",
		"not.a.signature":     "not.a.signature",
	} {
		if got := shortCall(call); got != want {
			t.Errorf("%q is %q, not %q", call, got, want)
		}
	}
}
