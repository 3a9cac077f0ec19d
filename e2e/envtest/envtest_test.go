// Package envtest runs an unmodified controller-runtime environment on whatever control plane
// KUBEBUILDER_ASSETS names: Flotilla's stand-ins or the real programs.
package envtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

var (
	environment *envtest.Environment
	admin       *rest.Config
	kube        client.Client
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	environment = &envtest.Environment{AttachControlPlaneOutput: os.Getenv("ENVTEST_OUTPUT") != ""}
	// Where there is only loopback, the real server finds no address of its own to advertise.
	environment.ControlPlane.GetAPIServer().Configure().Set("advertise-address", "192.0.2.1")
	begun := time.Now()
	if admin, err = environment.Start(); err != nil {
		return 1, fmt.Errorf("cannot start the environment: %w", err)
	}
	fmt.Printf("envtest: started in %d ms\n", time.Since(begun).Milliseconds())
	if kube, err = client.New(admin, client.Options{}); err != nil {
		return 1, errors.Join(err, environment.Stop())
	}
	code = m.Run()
	begun = time.Now()
	if err := environment.Stop(); err != nil {
		return 1, fmt.Errorf("cannot stop the environment: %w", err)
	}
	fmt.Printf("envtest: stopped in %d ms\n", time.Since(begun).Milliseconds())
	return code, nil
}

func TestTheAdminCreatesReadsAndDeletesObjects(t *testing.T) {
	ctx := t.Context()
	namespace := newNamespace(t)
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "settings"},
		Data:       map[string]string{"colour": "blue"},
	}
	must(t, kube.Create(ctx, config))
	err := kube.Create(ctx, config.DeepCopy())
	if err == nil {
		t.Fatal("created the same object twice")
	}

	config.Data["colour"] = "green"
	must(t, kube.Update(ctx, config))
	var read corev1.ConfigMap
	must(t, kube.Get(ctx, client.ObjectKeyFromObject(config), &read))
	if read.Data["colour"] != "green" {
		t.Fatalf("read %v", read.Data)
	}

	must(t, kube.Delete(ctx, config))
	if err := kube.Get(ctx, client.ObjectKeyFromObject(config), &read); !apierrors.IsNotFound(err) {
		t.Fatalf("want not found, got %v", err)
	}
}

func TestANamespaceHasNothingThatNobodyMade(t *testing.T) {
	ctx := t.Context()
	namespace := newNamespace(t)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "pod"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "image"}}},
	}
	// No controller makes the service account "default" here, and its admission plug-in is off.
	must(t, kube.Create(ctx, pod))
	if len(pod.Spec.Volumes) != 0 {
		t.Fatalf("the pod got volumes: %v", pod.Spec.Volumes)
	}
	// What a controller would make, it would make soon.
	time.Sleep(300 * time.Millisecond)
	for _, list := range []client.ObjectList{&corev1.ConfigMapList{}, &corev1.ServiceAccountList{}} {
		must(t, kube.List(ctx, list, client.InNamespace(namespace)))
		items := fmt.Sprint(list)
		if count := length(t, list); count != 0 {
			t.Fatalf("want nothing, got %s", items)
		}
	}
}

func TestAnAddedUserMayDoWhatItsRoleSays(t *testing.T) {
	ctx := t.Context()
	namespace := newNamespace(t)
	user, err := environment.AddUser(envtest.User{Name: "reader", Groups: []string{"readers"}}, admin)
	must(t, err)
	reader, err := client.New(user.Config(), client.Options{})
	must(t, err)

	var configs corev1.ConfigMapList
	if err := reader.List(ctx, &configs, client.InNamespace(namespace)); !apierrors.IsForbidden(err) {
		t.Fatalf("want forbidden, got %v", err)
	}
	must(t, kube.Create(ctx, &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "read"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list"}}},
	}))
	must(t, kube.Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "read"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "read"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: "readers"}},
	}))
	must(t, eventually(ctx, func(ctx context.Context) (bool, error) {
		err := reader.List(ctx, &configs, client.InNamespace(namespace))
		return err == nil, ignore(err, apierrors.IsForbidden)
	}))
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "mine"}}
	if err := reader.Create(ctx, config); !apierrors.IsForbidden(err) {
		t.Fatalf("want forbidden, got %v", err)
	}
}

func TestStrangersAreAnonymous(t *testing.T) {
	stranger, err := client.New(rest.AnonymousClientConfig(admin), client.Options{})
	if err == nil {
		err = stranger.List(t.Context(), &corev1.PodList{})
	}
	if !apierrors.IsForbidden(err) {
		t.Fatalf("want forbidden, got %v", err)
	}
}

func TestServiceAccountTokensAreSignedAndHold(t *testing.T) {
	ctx := t.Context()
	namespace := newNamespace(t)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "robot"}}
	must(t, kube.Create(ctx, account))
	clients, err := kubernetes.NewForConfig(admin)
	must(t, err)
	token, err := clients.CoreV1().ServiceAccounts(namespace).CreateToken(
		ctx, "robot", tokenRequest(), metav1.CreateOptions{})
	must(t, err)

	config := rest.AnonymousClientConfig(admin)
	config.BearerToken = token.Status.Token
	robot, err := kubernetes.NewForConfig(config)
	must(t, err)
	review, err := robot.AuthenticationV1().SelfSubjectReviews().Create(ctx, selfReview(), metav1.CreateOptions{})
	must(t, err)
	want := "system:serviceaccount:" + namespace + ":robot"
	if got := review.Status.UserInfo.Username; got != want {
		t.Fatalf("want %q, got %q", want, got)
	}
}

func TestAWatchSeesWhatHappens(t *testing.T) {
	ctx := t.Context()
	namespace := newNamespace(t)
	watching, err := client.NewWithWatch(admin, client.Options{})
	must(t, err)
	watch, err := watching.Watch(ctx, &corev1.ConfigMapList{}, client.InNamespace(namespace))
	must(t, err)
	defer watch.Stop()
	must(t, kube.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "seen"}}))
	select {
	case event := <-watch.ResultChan():
		if name := event.Object.(*corev1.ConfigMap).Name; name != "seen" {
			t.Fatalf("saw %q", name)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("saw nothing")
	}
}

func TestTheServerSaysItsVersion(t *testing.T) {
	version, err := discovery.NewDiscoveryClientForConfigOrDie(admin).ServerVersion()
	must(t, err)
	if version.Major != "1" || version.Minor != "34" {
		t.Fatalf("got %v", version)
	}
}

func TestCustomResourcesAreInstalledAndServed(t *testing.T) {
	ctx := t.Context()
	namespace := newNamespace(t)
	options := envtest.CRDInstallOptions{Paths: []string{"testdata/crds"}, ErrorIfPathMissing: true}
	_, err := envtest.InstallCRDs(admin, options)
	must(t, err)

	boat := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "harbour.example.com/v1",
		"kind":       "Boat",
		"metadata":   map[string]any{"namespace": namespace, "name": "ada"},
		"spec":       map[string]any{"length": int64(12), "unknown": true},
	}}
	must(t, kube.Create(ctx, boat))
	spec := boat.Object["spec"].(map[string]any)
	if spec["flag"] != "none" || spec["unknown"] != nil {
		t.Fatalf("want defaults and no unknown fields, got %v", spec)
	}
	short := boat.DeepCopy()
	short.SetName("short")
	short.SetResourceVersion("")
	short.Object["spec"] = map[string]any{"length": int64(0)}
	if err := kube.Create(ctx, short); !apierrors.IsInvalid(err) {
		t.Fatalf("want invalid, got %v", err)
	}

	must(t, envtest.UninstallCRDs(admin, options))
	must(t, eventually(ctx, func(ctx context.Context) (bool, error) {
		err := kube.Get(ctx, client.ObjectKeyFromObject(boat), boat)
		return apierrors.IsNotFound(err), nil
	}))
}
