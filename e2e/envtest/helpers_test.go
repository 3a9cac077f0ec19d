package envtest

import (
	"context"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newNamespace(t *testing.T) string {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	must(t, kube.Create(t.Context(), namespace))
	return namespace.Name
}

func eventually(ctx context.Context, condition wait.ConditionWithContextFunc) error {
	return wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 10*time.Second, true, condition)
}

// ignore drops an error that may happen while something is on its way.
func ignore(err error, expected func(error) bool) error {
	if expected(err) {
		return nil
	}
	return err
}

func length(t *testing.T, list client.ObjectList) int {
	t.Helper()
	return meta.LenList(list)
}

func tokenRequest() *authenticationv1.TokenRequest { return &authenticationv1.TokenRequest{} }

func selfReview() *authenticationv1.SelfSubjectReview { return &authenticationv1.SelfSubjectReview{} }
