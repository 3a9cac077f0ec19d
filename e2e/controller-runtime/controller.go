package main

import (
	"context"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	fieldManager = "widget-controller"
	finalizer    = "judge.example/ledger"
	secretLabel  = "judge.example/widget"
)

// widgets keeps a child ConfigMap per Widget by server-side apply, and a ledger entry outside of
// garbage collection, which its finalizer removes.
type widgets struct {
	client client.Client
	// Reconciles that failed for another reason than losing a race.
	failures atomic.Int64
	passes   atomic.Int64
	lastErr  atomic.Value
}

func (w *widgets) setup(mgr ctrl.Manager) error {
	w.client = mgr.GetClient()
	skip := true
	return ctrl.NewControllerManagedBy(mgr).
		Named("widget").
		For(&Widget{}).
		// Only names, labels and owners of the children are kept in memory.
		Owns(&corev1.ConfigMap{}, builder.OnlyMetadata).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(widgetOfSecret)).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4, SkipNameValidation: &skip}).
		Complete(w)
}

func widgetOfSecret(_ context.Context, secret client.Object) []reconcile.Request {
	name := secret.GetLabels()[secretLabel]
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: secret.GetNamespace(), Name: name}}}
}

// Reconcile brings one Widget's child and status up to date.
func (w *widgets) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	w.passes.Add(1)
	err := client.IgnoreNotFound(w.reconcile(ctx, request))
	if err != nil && !apierrors.IsConflict(err) && ctx.Err() == nil {
		w.failures.Add(1)
		w.lastErr.Store(err.Error())
	}
	return ctrl.Result{}, err
}

func (w *widgets) reconcile(ctx context.Context, request ctrl.Request) error {
	widget := &Widget{}
	if err := w.client.Get(ctx, request.NamespacedName, widget); err != nil {
		return err
	}
	ledger := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: request.Namespace, Name: "ledger-" + request.Name}}
	if !widget.DeletionTimestamp.IsZero() {
		if err := client.IgnoreNotFound(w.client.Delete(ctx, ledger)); err != nil {
			return err
		}
		if controllerutil.RemoveFinalizer(widget, finalizer) {
			return w.client.Update(ctx, widget)
		}
		return nil
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		if err := w.client.Update(ctx, widget); err != nil {
			return err
		}
	}
	if err := w.client.Create(ctx, ledger); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	if err := w.applyChild(ctx, widget); err != nil {
		return err
	}
	return w.patchStatus(ctx, widget)
}

func (w *widgets) applyChild(ctx context.Context, widget *Widget) error {
	child := &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Namespace: widget.Namespace, Name: "child-" + widget.Name},
		Data:       map[string]string{"message": widget.Spec.Message},
	}
	for _, part := range widget.Spec.Parts {
		child.Data["part."+part.Name] = part.Value
	}
	if err := controllerutil.SetControllerReference(widget, child, w.client.Scheme()); err != nil {
		return err
	}
	return w.client.Patch(ctx, child, client.Apply, client.FieldOwner(fieldManager), client.ForceOwnership)
}

func (w *widgets) patchStatus(ctx context.Context, widget *Widget) error {
	before := widget.copy()
	secret := &corev1.Secret{}
	err := w.client.Get(ctx, types.NamespacedName{Namespace: widget.Namespace, Name: "secret-" + widget.Name}, secret)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	widget.Status.SecretVersion = string(secret.Data["version"])
	widget.Status.ObservedGeneration = widget.Generation
	meta.SetStatusCondition(&widget.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Applied", ObservedGeneration: widget.Generation,
	})
	return w.client.Status().Patch(ctx, widget, client.MergeFrom(before))
}
