package main

import (
	"fmt"
	"path"
	"reflect"
	"strconv"
	"strings"
)

// typeOf describes one named Go type: a struct has fields, everything else a kind.
type typeOf struct {
	Kind   string  `json:"kind,omitempty"`
	Of     string  `json:"of,omitempty"`
	Fields []field `json:"fields,omitzero"`
}

type field struct {
	Name          string `json:"name"`
	Type          string `json:"type"`
	Number        int    `json:"number"`
	Omit          string `json:"omit"`
	MergeKey      string `json:"mergeKey,omitempty"`
	PatchStrategy string `json:"patchStrategy,omitempty"`
	GoType        string `json:"goType,omitempty"`
}

// walker collects every named type reachable from the kinds, by package.
type walker struct {
	packages map[string]map[string]typeOf
}

// expression names a type in the notation of the tables and records what it is made of.
func (w *walker) expression(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return "*" + w.expression(t.Elem())
	}
	if t.PkgPath() == "" || t.PkgPath() == "time" {
		return w.unnamed(t)
	}
	name := qualified(t)
	switch {
	case t.Kind() == reflect.Interface:
		w.record(t, func() typeOf { return typeOf{Kind: "special"} })
		return name
	case hasMethod(t, "UnmarshalJSON"):
		w.record(t, func() typeOf { return typeOf{Kind: "special"} })
		return name
	case t.Kind() == reflect.Struct:
		w.record(t, func() typeOf { return typeOf{Fields: w.fields(t)} })
		return name
	case t.Kind() == reflect.Slice && hasMethod(t, "Unmarshal"):
		// In protobuf such a list is a message of its own with the items in field 1.
		w.record(t, func() typeOf { return typeOf{Kind: "list", Of: w.expression(t.Elem())} })
		return name
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		return w.unnamed(t)
	default:
		scalar := scalarName(t)
		w.record(t, func() typeOf { return typeOf{Kind: scalar} })
		return scalar + ":" + name
	}
}

func (w *walker) unnamed(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + w.expression(t.Elem())
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			panic(fmt.Sprintf("map with keys of %v", t.Key()))
		}
		return "map[string]" + w.expression(t.Elem())
	case reflect.Interface:
		return "any"
	default:
		return scalarName(t)
	}
}

func (w *walker) record(t reflect.Type, describe func() typeOf) {
	types := w.packages[packageOf(t)]
	if types == nil {
		types = map[string]typeOf{}
		w.packages[packageOf(t)] = types
	}
	if _, known := types[t.Name()]; known {
		return
	}
	types[t.Name()] = typeOf{} // Stops the recursion of types that contain themselves.
	types[t.Name()] = describe()
}

func (w *walker) fields(t reflect.Type) []field {
	fields := []field{}
	for i := range t.NumField() {
		member := t.Field(i)
		name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
		if name == "-" || !member.IsExported() {
			continue
		}
		inlined := name == "" && member.Anonymous
		if name == "" && !inlined {
			name = member.Name
		}
		expression := w.expression(member.Type)
		fields = append(fields, field{
			Name:          name,
			Type:          expression,
			Number:        protobufNumber(member.Tag.Get("protobuf")),
			Omit:          omission(options),
			MergeKey:      member.Tag.Get("patchMergeKey"),
			PatchStrategy: member.Tag.Get("patchStrategy"),
			GoType:        underivableName(member.Type),
		})
	}
	return fields
}

// underivableName gives the Go name of a collection that the notation cannot express.
func underivableName(t reflect.Type) string {
	base := t
	for base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	isCollection := base.Kind() == reflect.Slice || base.Kind() == reflect.Map
	if !isCollection || hasMethod(base, "Unmarshal") {
		return ""
	}
	if base.Name() != "" || (base.Kind() == reflect.Map && base.Key().PkgPath() != "") {
		return t.String()
	}
	return ""
}

func omission(options string) string {
	omit := ""
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "omitzero":
			return "z"
		case "omitempty":
			omit = "e"
		}
	}
	return omit
}

func protobufNumber(tag string) int {
	parts := strings.Split(tag, ",")
	if len(parts) < 2 {
		return 0
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil {
		panic(fmt.Sprintf("protobuf tag %q: %v", tag, err))
	}
	return number
}

func scalarName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64,
		reflect.Float64:
		return t.Kind().String()
	case reflect.Int:
		return "int64"
	default:
		panic(fmt.Sprintf("no scalar for %v", t))
	}
}

func qualified(t reflect.Type) string {
	return packageOf(t) + "." + t.Name()
}

// packageOf shortens an import path: `core/v1` for k8s.io/api/core/v1, `resource` for a package
// without a version.
func packageOf(t reflect.Type) string {
	base := path.Base(t.PkgPath())
	if len(base) > 1 && base[0] == 'v' && base[1] >= '0' && base[1] <= '9' {
		return path.Base(path.Dir(t.PkgPath())) + "/" + base
	}
	return base
}

func hasMethod(t reflect.Type, name string) bool {
	_, found := reflect.PointerTo(t).MethodByName(name)
	return found
}
