// Command types prints, as JSON, the shape of every API kind that a default kube-apiserver serves.
//
// The shape is read from the Go types by reflection: JSON names in declaration order, protobuf
// numbers, omission rules and patch directives. tools/generate turns the output into the tables
// under packages/apiserver/data.
package main

import (
	"encoding/json"
	"os"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

type kindRow struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
}

type output struct {
	Kinds    []kindRow                    `json:"kinds"`
	Packages map[string]map[string]typeOf `json:"packages"`
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range served {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	walk := &walker{packages: map[string]map[string]typeOf{}}
	kinds := []kindRow{}
	for gvk, goType := range scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal {
			continue
		}
		kinds = append(kinds, kindRow{gvk.Group, gvk.Version, gvk.Kind, walk.expression(goType)})
	}
	sort.Slice(kinds, func(i, j int) bool { return rank(kinds[i]) < rank(kinds[j]) })
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(output{kinds, walk.packages}); err != nil {
		panic(err)
	}
}

// The empty group sorts first, so the core kinds lead.
func rank(row kindRow) string {
	return strings.Join([]string{row.Group, row.Version, row.Kind}, "\x00")
}
