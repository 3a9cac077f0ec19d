package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// tasks is the controller of ../ours.ts: it reads the task and its settings from the cache, and writes what
// differs with one patch onto the version that it saw.
type tasks struct {
	client client.Client
	job    job
	begin  sync.Once
	began  time.Time
	ended  time.Time
	passed atomic.Int64
	writes atomic.Int64
	failed atomic.Value
	done   context.CancelFunc
}

func (t *tasks) setup(mgr ctrl.Manager) error {
	t.client = mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).
		Named("tasks").
		// What it writes itself calls for no pass.
		For(&Task{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		WithOptions(controller.Options{MaxConcurrentReconciles: t.job.Concurrency}).
		Complete(t)
}

// Reconcile brings one task's status up to date.
func (t *tasks) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	t.begin.Do(func() { t.began = time.Now() })
	if err := t.reconcile(ctx, request); err != nil {
		t.failed.Store(err)
		t.done()
		return ctrl.Result{}, err
	}
	if t.passed.Add(1) == t.job.Count {
		t.ended = time.Now()
		t.done()
	}
	return ctrl.Result{}, nil
}

func (t *tasks) reconcile(ctx context.Context, request ctrl.Request) error {
	task := &Task{}
	if err := t.client.Get(ctx, request.NamespacedName, task); err != nil {
		return err
	}
	settings := &corev1.ConfigMap{}
	if err := t.client.Get(ctx, types.NamespacedName{Namespace: task.Namespace, Name: task.Spec.Settings}, settings); err != nil {
		return err
	}
	before := task.copy()
	task.Status.Round = t.job.Round
	task.Status.Setting = settings.Data["level"]
	task.Status.ObservedGeneration = task.Generation
	for _, condition := range []metav1.Condition{
		{Type: "SettingRead", Reason: "Read", Message: "The setting is known"},
		{Type: "Ready", Reason: "Succeeded", Message: "Reconciled"},
	} {
		condition.Status, condition.ObservedGeneration = metav1.ConditionTrue, task.Generation
		meta.SetStatusCondition(&task.Status.Conditions, condition)
	}
	if equality.Semantic.DeepEqual(before.Status, task.Status) {
		return nil
	}
	t.writes.Add(1)
	return t.client.Status().Patch(ctx, task, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
}
