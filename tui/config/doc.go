// Package config is config.toml: its keys, their defaults and meanings, and the check of a file.
//
// Everything here is a function of bytes; only Load reads a file. The table in table.go is the one
// place that names a key, its default and its meaning: the file of Show is made from it, and a test
// holds it to the fields of Config. Whatever is wrong with a file comes as one *Error with the line
// of each problem, so that a person mends it in one go.
package config
