// Command schemas judges schemas of custom resources with upstream's own packages.
//
// It reads one JSON request per line and prints one answer per line:
//
//	{"schema": …, "object": …, "old": …}   what is wrong with the schema, which fields of the object
//	                                       it does not know, the object pruned and with defaults, and
//	                                       the errors of creating it, or of changing old to it
//	{"crd": …}                             the errors of creating the definition
//	{"publish": …}                         what OpenAPI says about version v1 of Widget.example.com
//
// conformance/schemas compares the answers with those of packages/machinery/src/schema.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

type request struct {
	Schema  json.RawMessage `json:"schema"`
	Object  json.RawMessage `json:"object"`
	Old     json.RawMessage `json:"old"`
	CRD     json.RawMessage `json:"crd"`
	Publish json.RawMessage `json:"publish"`
}

type answer map[string]any

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			text, problem := json.Marshal(judge(line))
			if problem != nil {
				text = []byte(`{"problem":"the answer is not JSON"}`)
			}
			out.Write(append(text, '\n'))
		}
		if err != nil {
			return
		}
	}
}

// Some schemas make upstream panic; a real server answers 500 and goes on, and so do we.
func judge(line []byte) (result answer) {
	defer func() {
		if panicked := recover(); panicked != nil {
			result = answer{"problem": fmt.Sprint(panicked)}
		}
	}()
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{"problem": err.Error()}
	}
	var err error
	switch {
	case asked.CRD != nil:
		result, err = judgeDefinition(asked.CRD)
	case asked.Publish != nil:
		result, err = publish(asked.Publish)
	default:
		result, err = judgeObject(asked)
	}
	if err != nil {
		return answer{"problem": err.Error()}
	}
	return result
}

func texts(errs field.ErrorList) []string {
	lines := make([]string, 0, len(errs))
	for _, err := range errs {
		lines = append(lines, err.Error())
	}
	return lines
}
