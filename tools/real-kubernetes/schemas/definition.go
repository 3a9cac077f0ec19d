package main

import (
	"context"
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/handler"
)

func readDefinition(raw json.RawMessage) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := utiljson.Unmarshal(raw, crd); err != nil {
		return nil, err
	}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(crd)
	return crd, nil
}

func judgeDefinition(raw json.RawMessage) (answer, error) {
	crd, err := readDefinition(raw)
	if err != nil {
		return nil, err
	}
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd, internal, nil); err != nil {
		return nil, err
	}
	return answer{"errors": texts(validation.ValidateCustomResourceDefinition(context.Background(), internal))}, nil
}

func publish(raw json.RawMessage) (answer, error) {
	crd, err := readDefinition(raw)
	if err != nil {
		return nil, err
	}
	v3, err := builder.BuildOpenAPIV3(crd, "v1", builder.Options{IncludeSelectableFields: true})
	if err != nil {
		return nil, err
	}
	v2, err := builder.BuildOpenAPIV2(crd, "v1", builder.Options{V2: true, IncludeSelectableFields: true})
	if err != nil {
		return nil, err
	}
	const kind, list = "com.example.v1.Widget", "com.example.v1.WidgetList"
	definitions := handler.PruneDefaults(v2.Definitions)
	return answer{
		"v3": answer{"kind": v3.Components.Schemas[kind], "list": v3.Components.Schemas[list]},
		"v2": answer{"kind": definitions[kind], "list": definitions[list]},
	}, nil
}
