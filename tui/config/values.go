package config

import (
	"fmt"
	"time"
)

// Duration is a length of time as people write it: "90s", "5m", or "off" for 0.
type Duration time.Duration

// off is how 0 is written: "0s" would be read as "at once".
const off = "off"

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(b []byte) error {
	if string(b) == off {
		*d = 0
		return nil
	}
	v, err := time.ParseDuration(string(b))
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no length of time such as \"30s\", \"5m\" or \"off\"", b)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes it back.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

func (d Duration) String() string {
	switch v := time.Duration(d); {
	case v == 0:
		return off
	case v%time.Hour == 0:
		return fmt.Sprintf("%dh", v/time.Hour)
	case v%time.Minute == 0:
		return fmt.Sprintf("%dm", v/time.Minute)
	default:
		return v.String()
	}
}

// Hours are a part of the day by the clock on the wall, as minutes since midnight. It may reach over
// midnight; From equal to To is no time at all.
type Hours struct{ From, To int }

// UnmarshalText reads "22:00-07:30", or "" for never.
func (h *Hours) UnmarshalText(b []byte) error {
	*h = Hours{}
	if len(b) == 0 {
		return nil
	}
	var fh, fm, th, tm int
	n, err := fmt.Sscanf(string(b), "%d:%d-%d:%d", &fh, &fm, &th, &tm)
	got := Hours{From: fh*60 + fm, To: th*60 + tm}
	if err != nil || n != 4 || got.String() != string(b) || fh > 23 || th > 23 || fm > 59 || tm > 59 {
		return fmt.Errorf("%q is no part of a day such as \"22:00-07:30\"", b)
	}
	if got.From == got.To {
		return fmt.Errorf("%q begins and ends at the same time", b)
	}
	*h = got
	return nil
}

// MarshalText writes it back.
func (h Hours) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

func (h Hours) String() string {
	if h.From == h.To {
		return ""
	}
	return fmt.Sprintf("%02d:%02d-%02d:%02d", h.From/60, h.From%60, h.To/60, h.To%60)
}

// Contains reports whether the time, in its own zone, falls into the hours.
func (h Hours) Contains(t time.Time) bool {
	m := t.Hour()*60 + t.Minute()
	if h.From <= h.To {
		return h.From <= m && m < h.To
	}
	return m >= h.From || m < h.To
}

// Std is the duration for the rest of the program.
func (d Duration) Std() time.Duration { return time.Duration(d) }
