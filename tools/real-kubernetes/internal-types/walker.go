package main

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The walker knows a type by its name alone, as the messages do.
type walker struct {
	seen  map[string]reflect.Type
	texts map[string]string
}

// Types with a JSON form of their own.
var special = map[reflect.Type]string{
	reflect.TypeOf(resource.Quantity{}):  "q",
	reflect.TypeOf(intstr.IntOrString{}): "i",
	reflect.TypeOf(metav1.Time{}):        "t",
}

var metaPackage = reflect.TypeOf(metav1.ObjectMeta{}).PkgPath()

func (w *walker) structure(internal, v1 reflect.Type) {
	name := internal.Name()
	if known, ok := w.seen[name]; ok {
		if known != internal {
			panic("two internal types are called " + name)
		}
		return
	}
	w.seen[name] = internal
	parts := []string{}
	for i := 0; i < internal.NumField(); i++ {
		if part := w.field(internal.Field(i), v1); part != "" {
			parts = append(parts, part)
		}
	}
	w.texts[name] = strings.Join(parts, " ")
}

func (w *walker) field(field reflect.StructField, v1 reflect.Type) string {
	var counterpart reflect.StructField
	if v1 != nil && v1.Kind() == reflect.Struct {
		counterpart, _ = v1.FieldByName(field.Name)
	}
	if field.Anonymous {
		switch field.Type.Name() {
		case "TypeMeta":
			return ""
		case "ObjectMeta":
			return "@meta"
		}
		w.structure(field.Type, counterpart.Type)
		return "+" + field.Type.Name()
	}
	label := field.Name
	usual := strings.ToLower(label[:1]) + label[1:]
	jsonName, _, _ := strings.Cut(counterpart.Tag.Get("json"), ",")
	if jsonName != "" && jsonName != usual {
		label += "=" + jsonName
	}
	return label + ":" + w.expression(field.Type, counterpart.Type)
}

func (w *walker) expression(internal, v1 reflect.Type) string {
	if code, ok := special[internal]; ok {
		return code
	}
	if internal.PkgPath() == metaPackage {
		return "x"
	}
	switch internal.Kind() {
	case reflect.Pointer:
		return "*" + w.expression(internal.Elem(), pointee(v1))
	case reflect.Slice:
		return "[]" + w.expression(internal.Elem(), element(v1))
	case reflect.Map:
		return "{}" + w.expression(internal.Elem(), element(v1))
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Struct:
		w.structure(internal, pointee(v1))
		return internal.Name()
	default:
		return "n"
	}
}

func element(v1 reflect.Type) reflect.Type {
	if v1 == nil {
		return nil
	}
	return v1.Elem()
}

// Whether a field is a pointer differs between the two forms of some types.
func pointee(v1 reflect.Type) reflect.Type {
	if v1 != nil && v1.Kind() == reflect.Pointer {
		return v1.Elem()
	}
	return v1
}
