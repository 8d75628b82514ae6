package tracker

import "testing"

func TestClaudeProcess(t *testing.T) {
	args := func(a ...string) []string { return a }
	tests := []struct {
		name string
		p    Process
		want bool
	}{
		{"started from the PATH", Process{Name: "claude", Args: args("claude", "-n", "api")}, true},
		{"started by its full path", Process{Name: "claude", Args: args("/home/me/.local/bin/claude")}, true},
		{"a path with a blank", Process{Name: "claude", Args: args("/Users/Jo Doe/bin/claude")}, true},
		{"named by its version", Process{Name: "2.1.212", Args: args("/home/me/.local/share/claude/versions/2.1.212")}, true},
		{"a login shell's dash", Process{Name: "claude", Args: args("-claude")}, true},
		{"node with its title set", Process{Name: "claude", Args: args("claude")}, true},
		{"node with the package's script", Process{Name: "node", Args: args("/usr/bin/node", "--no-warnings", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js")}, true},
		{"node with the link to the script", Process{Name: "node", Args: args("node", "/usr/local/bin/claude", "--resume")}, true},
		{"bun with the package's script", Process{Name: "bun", Args: args("bun", "/x/claude-code/cli.js")}, true},
		{"print mode is a conversation", Process{Name: "claude", Args: args("claude", "-p", "hello")}, true},
		{"a background session opened here", Process{Name: "claude", Args: args("claude", "attach", "c50f8a43")}, true},
		{"arguments cannot be read", Process{Name: "claude"}, true},
		{"a renamed sleep is Claude by name only", Process{Name: "claude", Args: args("./claude", "1000")}, true},

		{"a search: the binary as ugrep", Process{Name: "claude", Args: args("ugrep", "-G", "-I")}, false},
		{"a search: the binary as rg", Process{Name: "claude", Args: args("rg", "claude")}, false},
		{"a shell script called claude", Process{Name: "claude", Args: args("/bin/bash", "/home/me/bin/claude")}, false},
		{"our own question", Process{Name: "claude", Args: args("/home/me/bin/claude", "agents", "--json")}, false},
		{"the same from node", Process{Name: "node", Args: args("node", "/usr/local/bin/claude", "agents", "--json")}, false},
		{"an MCP server of Claude's", Process{Name: "claude", Args: args("claude", "mcp", "serve")}, false},
		{"a host of background sessions", Process{Name: "claude", Args: args("claude bg-pty-host", "--bg-pty-host", "x.sock")}, false},
		{"the background service", Process{Name: "claude", Args: args("/x/claude", "daemon", "run")}, false},
		{"another node program", Process{Name: "node", Args: args("node", "/srv/app/server.js", "claude")}, false},
		{"node alone", Process{Name: "node", Args: args("node")}, false},
		{"an editor on claude.md", Process{Name: "vim", Args: args("vim", "claude.md")}, false},
		{"a name that begins like it", Process{Name: "claude-lab", Args: args("claude-lab", "up")}, false},
		{"a version that is not one", Process{Name: "2.1", Args: args("2.1")}, false},
		{"a shell that runs it", Process{Name: "bash", Args: args("bash", "-c", "claude; true")}, false},
		{"nothing known", Process{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ClaudeProcess(tt.p); got != tt.want {
				t.Errorf("ClaudeProcess(%q, %q) = %v, want %v", tt.p.Name, tt.p.Args, got, tt.want)
			}
		})
	}
}
