// Command openapi reads OpenAPI documents as JSON from its input and prints them in the protobuf
// form that clients also ask for.
//
// Input and output are objects with the same names: a document in JSON becomes its protobuf bytes
// in base64. tools/generate stores them under packages/apiserver/data/openapi.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	openapi_v3 "github.com/google/gnostic-models/openapiv3"
	"google.golang.org/protobuf/proto"
)

func main() {
	var documents map[string]json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&documents); err != nil {
		fail("the input", err)
	}
	converted := make(map[string][]byte, len(documents))
	for name, document := range documents {
		bytes, err := convert(document)
		if err != nil {
			fail(name, err)
		}
		converted[name] = bytes
	}
	if err := json.NewEncoder(os.Stdout).Encode(converted); err != nil {
		fail("the output", err)
	}
}

// A document says by itself which version it is written in.
func convert(document []byte) ([]byte, error) {
	var version struct{ Swagger string }
	if err := json.Unmarshal(document, &version); err != nil {
		return nil, err
	}
	message, err := parse(document, version.Swagger != "")
	if err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(message)
}

func parse(document []byte, isV2 bool) (proto.Message, error) {
	if isV2 {
		return openapi_v2.ParseDocument(document)
	}
	return openapi_v3.ParseDocument(document)
}

func fail(what string, err error) {
	fmt.Fprintf(os.Stderr, "Cannot convert %s: %v\n", what, err)
	os.Exit(1)
}
