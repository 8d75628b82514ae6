package tuitest

import "strings"

// Everyday is a board as one person has it: a few sessions, a dozen windows, one agent that asks.
const Everyday = `
$ api attached
0 claude | needs | Bash: ls > listing.txt | 12s | name=api-worker | tool=Bash | detail=ls > listing.txt | asked=write a directory listing to a file | cwd=~/src/api | branch=main | in=12000 | out=42 | cached=310000
1 server | run | npm run dev :3000 | 3m | ports=3000 | cwd=~/src/api
2 zsh | shell | /home/me/src/api | 40m | cwd=~/src/api
$ web
0 claude | review | done: All 214 tests pass and the flaky one is fixed. | 14m | name=web-tests | said=All 214 tests pass and the flaky one is fixed. | asked=make the test suite green | cwd=~/src/web | branch=fix/flaky | in=48000 | out=9100
1 review | busy | Read: src/App.tsx | 32s | name=web-review | tool=Read | detail=src/App.tsx | asked=review the last three commits | cwd=~/src/web | branch=main | subagents=2
2 nvim | run | nvim src/App.tsx | 2h | cwd=~/src/web
$ infra
0 plan | busy | Bash: terraform plan | 4m | name=tf-plan | tool=Bash | detail=terraform plan | asked=what would change in staging? | cwd=~/src/infra | branch=main
1 nvim | active | nvim main.tf | 10s | cwd=~/src/infra
2 logs | run | journalctl -f -u gateway | 6h | cwd=~
3 agent | failed | stopped with an API error | 26m | name=tf-docs | asked=document every module | cwd=~/src/infra | branch=docs
4 notes | idle | The module graph is in docs/graph.md. | 3h | name=notes | said=The module graph is in docs/graph.md. | asked=draw the module graph | cwd=~/src/infra | branch=main
& docs-check | busy | working | 3m | cwd=~/src/docs
> needs-input 12s %0 api-worker: Bash: ls > listing.txt
> review 14m %3 web-tests: done: All 214 tests pass and the flaky one is fixed.
> failed 26m %9 tf-docs: stopped with an API error
> needs-input over 40m %6 tf-plan: Bash: terraform init
> ended over 2h - old-worker: ended while busy: Bash: npm run build
`

// Projects is a board as somebody has it who opens a session for each project, most of them with one
// window: some named by hand, some never named, and one with several windows in their midst.
const Projects = `
$ api attached
0 claude | needs | Bash: ls > listing.txt | 12s | name=api-worker | tool=Bash | detail=ls > listing.txt | asked=write a directory listing to a file | cwd=~/src/api | branch=main
$ web
0 claude | review | done: All 214 tests pass and the flaky one is fixed. | 14m | name=web-tests | said=All 214 tests pass and the flaky one is fixed. | cwd=~/src/web | branch=fix/flaky
$ notes
0 nvim | run | nvim notes.md | 2h | cwd=~/notes
$ infra
0 plan | busy | Bash: terraform plan | 4m | name=tf-plan | tool=Bash | detail=terraform plan | cwd=~/src/infra | branch=main
1 agent | failed | stopped with an API error | 26m | name=tf-docs | cwd=~/src/infra | branch=docs
2 zsh | shell | /home/me/src/infra | 40m | cwd=~/src/infra
$ mobile
0 claude | busy | Edit: app/Login.kt | 40s | name=login-screen | tool=Edit | detail=app/Login.kt | cwd=~/src/mobile | branch=login
$ 3
0 zsh | shell | /home/me | 3h | cwd=~
$ design-system
0 claude | idle | The tokens are in tokens.json. | 50m | name=tokens | said=The tokens are in tokens.json. | cwd=~/src/design-system | branch=main
$ 5
0 claude | busy | Bash: go test ./... | 3m | name=billing-tests | tool=Bash | detail=go test ./... | cwd=~/src/billing | branch=main
$ logs
0 logs | run | journalctl -f -u gateway | 6h | cwd=~
& docs-check | busy | working | 3m | cwd=~/src/docs
`

// Wide is Everyday's kind of board with names and texts that terminals find hard: wide and combining
// letters, right-to-left text, emoji that are several runes, and escape sequences.
const Wide = "$ 設計 attached\n" +
	"0 クロード | needs | Bash: echo 日本語のとても長い説明文がここに続きます > 出力.txt | 12s | name=翻訳係 | tool=Bash | detail=echo 日本語 > 出力.txt | asked=ドキュメントを翻訳して | cwd=~/src/設計 | branch=主\n" +
	"1 family | busy | 👨\u200d👩\u200d👧\u200d👦 family, 🇩🇪 flag, 👍🏽 thumb, ❤\ufe0f heart, 1\ufe0f\u20e3 key | 32s | name=emoji | cwd=~/src/設計\n" +
	"2 cafe\u0301 | review | done: re\u0301sume\u0301 e\u0301crit, nai\u0308ve | 14m | name=cafe\u0301 | said=re\u0301sume\u0301 e\u0301crit | cwd=~/src/設計\n" +
	"$ עברית\n" +
	"0 שלום | busy | Edit: \u202eעולם.txt\u202c שלום עולם | 3m | name=שלום | tool=Edit | detail=עולם.txt | cwd=~/src/עברית\n" +
	"1 evil\x1b]2;owned\a | idle | \x1b[2J\x1b[31mred\x1b]52;c;aGk=\a \u009b1mtext\x00\x7f | 1h | name=\x1b[5mblink | said=\x1b[2Jcleared | asked=a\rb\tc | cwd=~/evil\x1b[8m\n" +
	"2 नमस्ते | shell | ~/हिन्दी/काम | 2h | cwd=~\n" +
	"3 tab | run | make \u2028 all | 1m | cwd=~\n"

// Long is a board in which every text is longer than any place for it.
func Long() string {
	long := strings.Repeat("a very long text without an end ", 12)
	word := strings.Repeat("longwordwithoutspaces", 8)
	return "$ " + word + " attached\n" +
		"0 " + word + " | needs | " + long + " | 2400h | name=" + word + " | tool=" + word + " | detail=" + long + " | asked=" + long + " | cwd=~/" + word + "/" + word + " | branch=" + word + " | in=123456789 | out=99999999 | cached=1234567890\n" +
		"+ " + word + " | busy | " + long + " | 1m | name=" + word + "\n" +
		"+ " + word + " | shell | " + long + " | 1m\n" +
		"123456 " + word + " | run | " + long + " | 90000h | ports=3000 3001 3002 8080 8081 9000\n" +
		"7 x | review | " + long + " | 0s | name=x | said=" + long + " | queued=" + long + ";" + long + "\n" +
		"$ s\n0 y | unknown | no hooks, no registry | 5m\n" +
		"& " + word + " | busy | " + word + " | 3m | cwd=~/" + word + "\n"
}
