package tuitest

import (
	"fmt"
	"strings"

	"signalbox/tracker"
)

// Kind is what the texts of a generated board are like.
type Kind string

// Kinds.
const (
	Plain      Kind = "plain"
	WideRunes  Kind = "wide runes"
	LongNames  Kind = "long names"
	SourceDown Kind = "a source is down"
	OneEach    Kind = "a session for each window"
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Plain, WideRunes, LongNames, SourceDown, OneEach} }

// Many is a plain board with so many windows, about a third of them with an agent.
func Many(windows int) *tracker.Snapshot { return ManyOf(windows, Plain) }

// ManyOf is a board of a kind with so many windows. Without any there is no tmux server.
func ManyOf(windows int, k Kind) *tracker.Snapshot {
	text := many(windows, k == OneEach)
	if windows == 0 {
		text = "tmux absent no server"
	}
	switch k {
	case WideRunes:
		text = wideWords().Replace(text)
	case LongNames:
		text = longWords().Replace(text)
	case SourceDown:
		text += "\n! registry failed 20m too many watches; polling instead"
	}
	return Parse(text)
}

func wideWords() *strings.Replacer {
	return strings.NewReplacer("api", "設計", "web", "ウェブ", "infra", "cafe\u0301", "docs", "עברית", "mobile", "📱", "claude", "クロード",
		"go test ./...", "日本語のとても長い説明文がここに続きます 👨\u200d👩\u200d👧\u200d👦 ./...", "The change is on the branch.", "終わりました。🇩🇪 👍🏽",
		"npm run dev", "npm run 開発", "rm -rf build", "rm -rf \u202eビルド\u202c")
}

func longWords() *strings.Replacer {
	const word, text = "a-name-that-is-longer-than-any-column-for-it-", "a text that goes on and on, past the edge of every cell that it may stand in, and then some: "
	return strings.NewReplacer("$ ", "$ "+word, "claude", word+"claude", "zsh |", word+"zsh |", "name=", "name="+word,
		"go test", text+"go test", "The change", text+"The change", "npm run", text+"npm run", "rm -rf", text+"rm -rf", "~/src/", "~/"+word+"/src/")
}

// many describes a board: a few windows for each session, or one.
func many(windows int, oneEach bool) string {
	perSession := 7
	projects := []string{"api", "web", "infra", "docs", "mobile", "data", "auth", "billing", "search", "edge"}
	rows := []string{
		"claude | busy | Bash: go test ./... | 3m | name=%s-tests | tool=Bash | detail=go test ./... | asked=make the tests pass | cwd=~/src/%s | branch=main",
		"zsh | shell | /home/me/src/%[2]s | 2h | cwd=~/src/%[2]s",
		"server | run | npm run dev | 8m | cwd=~/src/%[2]s",
		"claude | idle | The change is on the branch. | 50m | name=%s-review | said=The change is on the branch. | cwd=~/src/%s | branch=main",
		"nvim | run | nvim main.go | 1h | cwd=~/src/%[2]s",
		"claude | busy | Edit: internal/server/handler.go | 40s | name=%s-work | tool=Edit | detail=internal/server/handler.go | cwd=~/src/%s | branch=main",
		"logs | active | tail -f app.log | 2s | cwd=~/src/%[2]s",
	}
	var b strings.Builder
	for i := range windows {
		project := projects[i/perSession%len(projects)]
		if oneEach {
			project = projects[i%len(projects)]
		}
		switch {
		case oneEach:
			fmt.Fprintf(&b, "$ %s-%d\n", project, i)
		case i%perSession == 0:
			fmt.Fprintf(&b, "$ %s", project)
			if i/perSession >= len(projects) {
				fmt.Fprintf(&b, "-%d", i/perSession/len(projects)+1)
			}
			b.WriteByte('\n')
		}
		row := rows[i%len(rows)]
		switch i {
		case 5:
			row = "claude | needs | Bash: rm -rf build | 20s | name=%s-build | tool=Bash | detail=rm -rf build | asked=clean up | cwd=~/src/%s | branch=main"
		case 24:
			row = "claude | review | done: The migration is written. | 9m | name=%s-db | said=The migration is written. | cwd=~/src/%s | branch=main"
		}
		text := fmt.Sprintf(row, project, project)
		if j := strings.Index(text, "%!(EXTRA"); j >= 0 {
			text = text[:j]
		}
		fmt.Fprintf(&b, "%d %s\n", i%perSession, text)
	}
	return b.String()
}
