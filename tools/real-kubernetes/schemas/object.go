package main

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

func judgeObject(asked request) (answer, error) {
	var written apiextensionsv1.JSONSchemaProps
	if err := utiljson.Unmarshal(asked.Schema, &written); err != nil {
		return nil, err
	}
	var schema apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&written, &schema, nil); err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(&schema)
	if err != nil {
		return nil, err
	}
	problems := structuralschema.ValidateStructural(nil, structural)
	result := answer{"problems": texts(problems)}
	if len(problems) > 0 || asked.Object == nil {
		return result, nil
	}
	var object, old map[string]any
	if err := utiljson.Unmarshal(asked.Object, &object); err != nil {
		return nil, err
	}
	unknown := pruning.PruneWithOptions(object, structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	result["unknown"] = append([]string{}, unknown...)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, structural)
	defaulting.Default(object, structural)
	result["object"] = object

	validator, _, err := validation.NewSchemaValidator(&schema)
	if err != nil {
		return nil, err
	}
	var errs field.ErrorList
	var options []cel.Option
	if asked.Old == nil {
		errs = append(errs, validation.ValidateCustomResource(nil, object, validator)...)
	} else {
		if err := utiljson.Unmarshal(asked.Old, &old); err != nil {
			return nil, err
		}
		correlated := common.NewCorrelatedObject(object, old, &model.Structural{Structural: structural})
		options = append(options, cel.WithRatcheting(correlated))
		errs = append(errs, validation.ValidateCustomResourceUpdate(nil, object, old, validator, validation.WithRatcheting(correlated))...)
	}
	errs = append(errs, objectmeta.Validate(nil, object, structural, false)...)
	if old == nil || len(listtype.ValidateListSetsAndMaps(nil, structural, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, object)...)
	}
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	if rules != nil && !blocksRules(errs) {
		var before any
		if old != nil {
			before = old
		}
		failed, _ := rules.Validate(context.Background(), nil, structural, object, before, celconfig.RuntimeCELCostBudget, options...)
		errs = append(errs, failed...)
	}
	result["errors"] = texts(errs)
	return result, nil
}

func blocksRules(errs field.ErrorList) bool {
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return true
		}
	}
	return false
}
