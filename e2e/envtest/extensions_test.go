package envtest

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

func TestTwoManagersApplyTheSameObject(t *testing.T) {
	ctx := t.Context()
	namespace := newNamespace(t)
	apply := func(manager string, data map[string]string) error {
		config := corev1apply.ConfigMap("shared", namespace).WithData(data)
		return kube.Apply(ctx, config, client.FieldOwner(manager))
	}
	must(t, apply("ada", map[string]string{"colour": "blue"}))
	must(t, apply("eve", map[string]string{"size": "large"}))
	if err := apply("eve", map[string]string{"colour": "red"}); !apierrors.IsConflict(err) {
		t.Fatalf("want a conflict, got %v", err)
	}
	must(t, apply("ada", map[string]string{"colour": "green"}))
	var read corev1.ConfigMap
	must(t, kube.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "shared"}, &read))
	if read.Data["colour"] != "green" || read.Data["size"] != "large" || len(read.ManagedFields) != 2 {
		t.Fatalf("got %v, managed by %v", read.Data, read.ManagedFields)
	}
}

func TestAWebhookOfTheSuiteIsAsked(t *testing.T) {
	ctx := t.Context()
	namespace := newNamespace(t)
	options := envtest.WebhookInstallOptions{
		ValidatingWebhooks: []*admissionregistrationv1.ValidatingWebhookConfiguration{refuseSecrets(namespace)},
	}
	must(t, options.Install(admin))
	defer func() { must(t, options.Cleanup()) }()
	serveReviews(t, options)

	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "s"}}
	var last error
	if err := eventually(ctx, func(ctx context.Context) (bool, error) {
		// The configuration, or our server behind it, may be a moment late.
		attempt := secret.DeepCopy()
		err := kube.Create(ctx, attempt)
		if err == nil {
			return false, kube.Delete(ctx, attempt)
		}
		if !strings.Contains(err.Error(), "rate limiter") {
			last = err
		}
		return strings.Contains(err.Error(), "no secrets here"), nil
	}); err != nil {
		t.Fatalf("%v: %v", err, last)
	}
}

func refuseSecrets(namespace string) *admissionregistrationv1.ValidatingWebhookConfiguration {
	path := "/review"
	none := admissionregistrationv1.SideEffectClassNone
	return &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "refuse-secrets"},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name:                    "secrets.example.com",
			AdmissionReviewVersions: []string{"v1"},
			SideEffects:             &none,
			NamespaceSelector: &metav1.LabelSelector{
				MatchLabels: map[string]string{corev1.LabelMetadataName: namespace},
			},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
				Rule: admissionregistrationv1.Rule{
					APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"secrets"},
				},
			}},
			ClientConfig: admissionregistrationv1.WebhookClientConfig{
				// envtest puts the address of this process in its place.
				Service: &admissionregistrationv1.ServiceReference{Namespace: "x", Name: "x", Path: &path},
			},
		}},
	}
}

func serveReviews(t *testing.T, options envtest.WebhookInstallOptions) {
	t.Helper()
	server := &http.Server{
		Addr:              net.JoinHostPort(options.LocalServingHost, strconv.Itoa(options.LocalServingPort)),
		ReadHeaderTimeout: 10 * time.Second,
		Handler: http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
			var review admissionv1.AdmissionReview
			if err := json.NewDecoder(request.Body).Decode(&review); err != nil {
				http.Error(response, err.Error(), http.StatusBadRequest)
				return
			}
			review.Response = &admissionv1.AdmissionResponse{
				UID: review.Request.UID, Allowed: false, Result: &metav1.Status{Message: "no secrets here"},
			}
			review.Request = nil
			response.Header().Set("content-type", "application/json")
			_ = json.NewEncoder(response).Encode(review)
		}),
	}
	folder := options.LocalServingCertDir
	go func() {
		_ = server.ListenAndServeTLS(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	}()
	t.Cleanup(func() { _ = server.Close() })
}
