package cli

import (
	"github.com/spf13/cobra"
)

// config shows and checks the configuration.
func (t *tree) config() *cobra.Command {
	var show, defaults, path bool
	c := &cobra.Command{
		Use: "config", Short: "Check the configuration; --show prints it with every key, its meaning and its default", Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if btoi(show)+btoi(defaults)+btoi(path) > 1 {
				return usage("--show, --defaults and --path exclude each other")
			}
			return t.with(func(d Desk) error {
				text, err := d.ConfigPath(), error(nil)
				switch {
				case show || defaults:
					text, err = d.ShowConfig(defaults)
				case !path:
					text, err = d.CheckConfig()
				}
				if err != nil {
					return err
				}
				return printed(c.OutOrStdout(), text)
			})
		},
	}
	c.Flags().BoolVar(&show, "show", false, "print what holds, as a file with every key, its meaning and its default")
	c.Flags().BoolVar(&defaults, "defaults", false, "the same without your file: the place to begin one")
	c.Flags().BoolVar(&path, "path", false, "print where the file is")
	return c
}
