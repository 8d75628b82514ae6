package grid

import (
	"strconv"
	"time"
)

// AgeWidth is how many cells the longest age text takes.
const AgeWidth = 3

const (
	day  = 24 * time.Hour
	week = 7 * day
	year = 365 * day
)

// Age is how long ago since was, in at most AgeWidth cells, and how long that text stays true. In
// the first minute it moves in steps of ten seconds, then by the minute, the hour, the day: a board
// whose numbers change all the time cannot be read at a glance. A time in the future is "now"; a
// zero time has no age.
func Age(now, since time.Time) (text string, valid time.Duration) {
	if since.IsZero() {
		return "", 0
	}
	d := now.Sub(since)
	switch {
	case d < 10*time.Second:
		return "now", 10*time.Second - d
	case d < time.Minute:
		return step(d, 10*time.Second, 10, "s")
	case d < time.Hour:
		return step(d, time.Minute, 1, "m")
	case d < 2*day:
		return step(d, time.Hour, 1, "h")
	case d < 100*day:
		return step(d, day, 1, "d")
	case d < 100*week:
		return step(d, week, 1, "w")
	}
	return step(d, year, 1, "y")
}

func step(d, unit time.Duration, times int, suffix string) (string, time.Duration) {
	n := d / unit
	return ageText(int(n)*times, suffix), (n+1)*unit - d
}

// ageText avoids an allocation for the ages that most rows have.
func ageText(n int, suffix string) string {
	if suffix == "m" && n > 0 && n < len(minutes) {
		return minutes[n]
	}
	return strconv.Itoa(n) + suffix
}

var minutes = [...]string{
	"", "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "10m", "11m", "12m", "13m", "14m", "15m", "16m", "17m", "18m", "19m",
	"20m", "21m", "22m", "23m", "24m", "25m", "26m", "27m", "28m", "29m", "30m", "31m", "32m", "33m", "34m", "35m", "36m", "37m", "38m", "39m",
	"40m", "41m", "42m", "43m", "44m", "45m", "46m", "47m", "48m", "49m", "50m", "51m", "52m", "53m", "54m", "55m", "56m", "57m", "58m", "59m",
}
