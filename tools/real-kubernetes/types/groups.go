package main

import (
	admission "k8s.io/api/admission/v1"
	admissionregistration "k8s.io/api/admissionregistration/v1"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	resource "k8s.io/api/resource/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// What a default server serves as resources, then what it answers or sends besides: Tables and
// partial metadata, aggregated discovery, and the reviews it posts to admission webhooks.
var served = []func(*runtime.Scheme) error{
	core.AddToScheme,
	admissionregistration.AddToScheme,
	apiextensions.AddToScheme,
	apiregistration.AddToScheme,
	apps.AddToScheme,
	authentication.AddToScheme,
	authorization.AddToScheme,
	autoscalingv1.AddToScheme,
	autoscalingv2.AddToScheme,
	batch.AddToScheme,
	certificates.AddToScheme,
	coordination.AddToScheme,
	discovery.AddToScheme,
	events.AddToScheme,
	flowcontrol.AddToScheme,
	networking.AddToScheme,
	node.AddToScheme,
	policy.AddToScheme,
	rbac.AddToScheme,
	resource.AddToScheme,
	scheduling.AddToScheme,
	storage.AddToScheme,
	meta.AddMetaToScheme,
	metav1beta1.AddMetaToScheme,
	addOptions,
	apidiscovery.AddToScheme,
	admission.AddToScheme,
}

// Clients may name the options of a request by the meta group instead of the resource's own.
func addOptions(scheme *runtime.Scheme) error {
	meta.AddToGroupVersion(scheme, meta.SchemeGroupVersion)
	return nil
}
