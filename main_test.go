package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"signalbox/tui"
)

// forbidden is the import table of the project: what each package may not depend on, even through
// others, and why. A pattern ending in /... names a tree.
var forbidden = []struct{ pkg, dep, why string }{
	{"signalbox/tracker", "signalbox/", "the domain imports nothing of ours"},
	{"signalbox/tracker", "os/exec", "the domain is pure"},
	{"signalbox/tracker", "net", "the domain is pure"},
	{"signalbox/tracker/engine", "signalbox/tmuxctl", "the engine knows facts, not sources"},
	{"signalbox/tracker/...", "signalbox/tui", "the core never imports the screen"},
	{"signalbox/tracker/...", "github.com/charmbracelet/bubbletea", "the core never imports the screen"},
	{"signalbox/tracker/...", "signalbox/tmuxctl", "sources do not know each other"},
	{"signalbox/tracker/...", "signalbox/hookrecv", "sources do not know each other"},
	{"signalbox/tmuxctl/...", "signalbox/tui", "adapters never import the screen"},
	{"signalbox/tmuxctl/...", "signalbox/hookrecv", "sources do not know each other"},
	{"signalbox/tmuxctl/...", "signalbox/tracker/", "adapters know the domain, not each other"},
	{"signalbox/tmuxctl/...", "github.com/charmbracelet/bubbletea", "adapters never import the screen"},
	{"signalbox/hookrecv/...", "signalbox/tui", "adapters never import the screen"},
	{"signalbox/hookrecv/...", "signalbox/tmuxctl", "sources do not know each other"},
	{"signalbox/hookrecv/...", "signalbox/tracker/", "adapters know the domain, not each other"},
	{"signalbox/hookrecv/...", "github.com/charmbracelet/", "the hook client must start in a millisecond"},
	{"signalbox/tui/...", "signalbox/tmuxctl", "the screen asks an interface, it runs nothing"},
	{"signalbox/tui/...", "signalbox/hookrecv", "the screen asks an interface, it runs nothing"},
	{"signalbox/tui/...", "signalbox/tracker/", "the screen sees snapshots, not sources"},
	{"signalbox/tui/...", "github.com/fsnotify/fsnotify", "the screen sees snapshots, not sources"},
}

// root is the composition root: it may import everything, and only main may import it.
const root = "signalbox/tui/desk"

func TestOnlyMainImportsTheCompositionRoot(t *testing.T) {
	for _, p := range listPackages(t) {
		if p.ImportPath != "signalbox" && slices.Contains(p.Deps, root) {
			t.Errorf("%s depends on %s", p.ImportPath, root)
		}
	}
}

// pure packages may not ask the clock or the machine, not even directly.
var pure = []string{"tracker", "tui/grid"}

type listedPackage struct {
	ImportPath string
	Deps       []string
}

func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Deps", "./...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var pkgs []listedPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listedPackage
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

func matches(pattern, pkg string) bool {
	if root, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == root || strings.HasPrefix(pkg, root+"/")
	}
	if strings.HasSuffix(pattern, "/") {
		return strings.HasPrefix(pkg, pattern)
	}
	return pkg == pattern || pattern != "signalbox/tracker" && strings.HasPrefix(pattern, "signalbox/") && strings.HasPrefix(pkg, pattern+"/")
}

func TestImportsGoOneWay(t *testing.T) {
	used := make([]bool, len(forbidden))
	for _, p := range listPackages(t) {
		for i, rule := range forbidden {
			if !matches(rule.pkg, p.ImportPath) || rule.pkg == "signalbox/tracker" && p.ImportPath != rule.pkg || p.ImportPath == root {
				continue
			}
			used[i] = true
			for _, dep := range p.Deps {
				if matches(rule.dep, dep) && dep != p.ImportPath && !strings.HasPrefix(dep, strings.TrimSuffix(rule.pkg, "/...")+"/") {
					t.Errorf("%s depends on %s: %s", p.ImportPath, dep, rule.why)
				}
			}
		}
	}
	for i, u := range used {
		if !u {
			t.Errorf("rule %d matches no package: %+v", i, forbidden[i])
		}
	}
}

// eachFile parses every Go file of the project that is not a test.
func eachFile(t *testing.T, visit func(path string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		visit(path, fset, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFilesAndFunctionsStaySmall holds the size rules, because a rule without a failing check decays.
func TestFilesAndFunctionsStaySmall(t *testing.T) {
	const maxFile, maxFunc = 400, 60
	eachFile(t, func(path string, fset *token.FileSet, f *ast.File) {
		if n := fset.File(f.Pos()).LineCount(); n > maxFile {
			t.Errorf("%s has %d lines, more than %d", path, n, maxFile)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; n > maxFunc {
				t.Errorf("%s: %s has %d lines, more than %d", path, fn.Name.Name, n, maxFunc)
			}
		}
	})
}

func TestPurePackagesAskNoClockAndNoMachine(t *testing.T) {
	eachFile(t, func(path string, fset *token.FileSet, f *ast.File) {
		if !slices.Contains(pure, filepath.ToSlash(filepath.Dir(path))) {
			return
		}
		for _, imp := range f.Imports {
			if name := strings.Trim(imp.Path.Value, `"`); name == "os" || name == "os/exec" || name == "net" || name == "syscall" {
				t.Errorf("%s imports %s", path, name)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "After", "Sleep"}, sel.Sel.Name) {
					t.Errorf("%s: time.%s", fset.Position(sel.Pos()), sel.Sel.Name)
				}
			}
			return true
		})
	})
}

// TestTheTopLevelIsFixed holds the layout: nothing but the agreed names and dotfiles.
func TestTheTopLevelIsFixed(t *testing.T) {
	allowed := []string{"main.go", "main_test.go", "tui", "tracker", "tmuxctl", "hookrecv", "testdata", "go.mod", "go.sum", "README.md", "signalbox"}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s does not belong at the top level", e.Name())
		}
	}
}

var update = flag.Bool("update", false, "rewrite generated parts of files")

// TestReadmeKeyTable holds the README's key table to the table that the board dispatches by.
func TestReadmeKeyTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| key | does |\n|---|---|\n")
	for _, k := range tui.KeyTable() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.Join(k.Keys, "` `"), k.Help)
	}
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "checked by a test -->\n", "<!-- /keys -->"
	before, rest, ok1 := strings.Cut(string(data), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatal("README.md has no place for the key table")
	}
	want := before + begin + b.String() + end + after
	if want == string(data) {
		return
	}
	if !*update {
		t.Fatal("README.md has another key table than the board; go test . -run Readme -update rewrites it")
	}
	if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAHookIsAHookWhateverStandsAroundIt: an exit code of 2 would veto what an agent does.
func TestAHookIsAHookWhateverStandsAroundIt(t *testing.T) {
	for _, args := range [][]string{{"hook"}, {"hook", "extra"}, {"hook", "--flag-of-tomorrow"}, {"--claude-dir", "/x", "hook"}, {"-L", "n", "hook"}, {"--new=1", "hook", "-S", "/x"}} {
		if !isHook(args) {
			t.Errorf("%q is not taken for a hook", args)
		}
	}
	for _, args := range [][]string{nil, {"hooks", "install"}, {"status", "hook"}, {"-L", "hook"}, {"--version"}} {
		if isHook(args) {
			t.Errorf("%q is taken for a hook", args)
		}
	}
}
