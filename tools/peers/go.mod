module cutaway/tools/peers

go 1.26

require github.com/wader/fq v0.17.0

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/creasty/defaults v1.8.0 // indirect
	github.com/ergochat/readline v0.1.3 // indirect
	github.com/golang/snappy v1.0.0 // indirect
	github.com/gomarkdown/markdown v0.0.0-20260217112301-37c66b85d6ab // indirect
	github.com/gopacket/gopacket v1.5.0 // indirect
	github.com/itchyny/timefmt-go v0.1.7 // indirect
	github.com/mitchellh/copystructure v1.2.0 // indirect
	github.com/mitchellh/mapstructure v1.5.0 // indirect
	github.com/mitchellh/reflectwalk v1.0.2 // indirect
	github.com/wader/gojq v0.12.1-0.20260315123642-6d8c75fc0e74 // indirect
	golang.org/x/crypto v0.49.0 // indirect
	golang.org/x/net v0.52.0 // indirect
	golang.org/x/sys v0.42.0 // indirect
	golang.org/x/term v0.41.0 // indirect
	golang.org/x/text v0.35.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

tool github.com/wader/fq
