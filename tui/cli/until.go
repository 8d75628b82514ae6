package cli

import (
	"errors"

	"signalbox/tracker"
)

// goals are the words of --until: the statuses, and the two ways in which a turn is over.
var goals = []string{"idle", "busy", "needs-input", "review", "unknown", "done", "failed"}

// goal says of a verdict whether it is what is waited for: errReached when it is, another error when it
// cannot be any more, nil to wait on.
type goal func(tracker.Verdict) error

// goalOf is the goal of a word, nil for one that is none.
func goalOf(word string) goal {
	reached := func(ok bool) error {
		if ok {
			return errReached
		}
		return nil
	}
	switch word {
	case "done":
		return func(v tracker.Verdict) error {
			if v.Status == tracker.StatusReview && v.Failed != "" {
				return &Exit{Code: ExitInternal, Err: errors.New(v.Reason)}
			}
			return reached(v.Status == tracker.StatusReview)
		}
	case "failed":
		return func(v tracker.Verdict) error { return reached(v.Status == tracker.StatusReview && v.Failed != "") }
	}
	want, ok := tracker.ParseStatus(word)
	if !ok || want == tracker.StatusNone {
		return nil
	}
	return func(v tracker.Verdict) error { return reached(v.Status == want) }
}
