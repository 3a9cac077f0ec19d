// Command internal-types prints, as JSON, the fields of the internal types that messages to clients show.
//
// Internal types have no JSON tags, so each is walked together with its v1 counterpart, which knows
// the names. tools/generate turns the output into a table under packages/apiserver/data.
package main

import (
	"encoding/json"
	"os"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/core"
)

// What the messages show; the types these hold follow by themselves.
var shown = []struct{ internal, v1 any }{
	{core.PodTemplateSpec{}, corev1.PodTemplateSpec{}},
	{core.PodIP{}, corev1.PodIP{}},
	{core.HostIP{}, corev1.HostIP{}},
	{apps.DeploymentStrategy{}, appsv1.DeploymentStrategy{}},
	{apps.StatefulSetUpdateStrategy{}, appsv1.StatefulSetUpdateStrategy{}},
	{apps.DaemonSetUpdateStrategy{}, appsv1.DaemonSetUpdateStrategy{}},
	{batch.PodFailurePolicy{}, batchv1.PodFailurePolicy{}},
	{batch.SuccessPolicy{}, batchv1.SuccessPolicy{}},
	{batch.UncountedTerminatedPods{}, batchv1.UncountedTerminatedPods{}},
}

func main() {
	walk := &walker{seen: map[string]reflect.Type{}, texts: map[string]string{}}
	for _, pair := range shown {
		walk.structure(reflect.TypeOf(pair.internal), reflect.TypeOf(pair.v1))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(walk.texts); err != nil {
		panic(err)
	}
}
