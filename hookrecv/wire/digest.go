package wire

import "strconv"

// A digest identifies a JSON value across processes: 64 bits, not made to withstand an attacker. A
// wrong match would mislabel one permission prompt of the agent that forged it.
//
// Bytes are folded with FNV-1a. FNV alone mixes its last bytes poorly, and members of an object are
// summed so that their order does not matter, so every part is finished with done before it is
// combined; without that {"a":1,"b":2} and {"a":2,"b":1} often sum to the same.
type digest uint64

const (
	fnvOffset digest = 14695981039346656037
	fnvPrime  digest = 1099511628211
)

// newDigest starts a digest for one kind of value, so that "1" and 1 differ.
func newDigest(kind byte) digest { return (fnvOffset ^ digest(kind)) * fnvPrime }

func (d digest) bytes(p []byte) digest {
	for _, c := range p {
		d = (d ^ digest(c)) * fnvPrime
	}
	return d
}

// done spreads every bit over all others (the finaliser of MurmurHash3).
func (d digest) done() digest {
	d ^= d >> 33
	d *= 0xff51afd7ed558ccd
	d ^= d >> 33
	d *= 0xc4ceb9fe1a85ec53
	d ^= d >> 33
	return d
}

// as finishes a combined digest as a value of the given kind.
func (d digest) as(kind byte) digest { return (d ^ newDigest(kind)).done() }

// pair combines two digests; their order matters.
func pair(a, b digest) digest { return (a*fnvPrime + b).done() }

// String is 16 hexadecimal digits.
func (d digest) String() string {
	s := strconv.FormatUint(uint64(d), 16)
	return "0000000000000000"[len(s):] + s
}
