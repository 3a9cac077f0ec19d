package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

//go:embed crd.yaml
var crdYAML []byte

const (
	perRound = 5
	patience = 60 * time.Second
)

type judge struct {
	config *rest.Config
	scheme *runtime.Scheme
	// Asks the server itself, past every cache.
	api     client.WithWatch
	members []*member
	leader  *member
	quiet   bool
}

func newJudge(config *rest.Config, scheme *runtime.Scheme) (*judge, error) {
	api, err := client.NewWithWatch(config, client.Options{Scheme: scheme})
	return &judge{config: config, scheme: scheme, api: api}, err
}

func (j *judge) judge(ctx context.Context, soak time.Duration) error {
	if err := j.install(ctx); err != nil {
		return fmt.Errorf("install: %w", err)
	}
	for _, name := range []string{"first", "second"} {
		if err := j.join(ctx, name); err != nil {
			return err
		}
	}
	if err := j.findLeader(ctx); err != nil {
		return fmt.Errorf("leader election: %w", err)
	}
	j.ok("one of two managers leads")
	begun := time.Now()
	rounds := 0
	for ; rounds == 0 || time.Since(begun) < soak; rounds++ {
		if err := j.round(ctx, fmt.Sprintf("r%d", rounds)); err != nil {
			return fmt.Errorf("round %d: %w", rounds, err)
		}
		j.quiet = true
	}
	j.quiet = false
	if err := j.failOver(ctx); err != nil {
		return fmt.Errorf("failover: %w", err)
	}
	j.quiet = true
	if err := j.round(ctx, "after"); err != nil {
		return fmt.Errorf("round after failover: %w", err)
	}
	j.quiet = false
	j.ok("the new leader does all that the old one did")
	if err := j.uninstall(ctx); err != nil {
		return fmt.Errorf("uninstall: %w", err)
	}
	passes := int64(0)
	for _, m := range j.members {
		passes += m.widgets.passes.Load()
		if count := m.widgets.failures.Load(); count > 0 {
			return fmt.Errorf("%d reconciles failed, the last with: %v", count, m.widgets.lastErr.Load())
		}
	}
	j.ok("no reconcile failed")
	fmt.Fprintf(os.Stderr, "figure: %d rounds, %d reconciles, 0 failed, %d s\n", rounds+1, passes, int(time.Since(begun).Seconds()))
	return nil
}

func (j *judge) ok(format string, args ...any) {
	if !j.quiet {
		fmt.Printf("ok: "+format+"\n", args...)
	}
}

func (j *judge) install(ctx context.Context) error {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(crdYAML, crd); err != nil {
		return err
	}
	if err := j.api.Create(ctx, crd); err != nil {
		return err
	}
	err := j.until(ctx, "established", func() (bool, error) {
		if err := j.api.Get(ctx, client.ObjectKeyFromObject(crd), crd); err != nil {
			return false, err
		}
		for _, condition := range crd.Status.Conditions {
			if condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	j.ok("the CRD is established")
	return j.api.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})
}

func (j *judge) join(ctx context.Context, name string) error {
	m, err := startMember(ctx, name, j.config, j.scheme)
	if err == nil {
		j.members = append(j.members, m)
	}
	return err
}

func (j *judge) lease(ctx context.Context) (*coordinationv1.Lease, error) {
	lease := &coordinationv1.Lease{}
	err := j.api.Get(ctx, types.NamespacedName{Namespace: namespace, Name: leaseName}, lease)
	return lease, err
}

func (j *judge) findLeader(ctx context.Context) error {
	return j.until(ctx, "a leader", func() (bool, error) {
		lease, err := j.lease(ctx)
		if err != nil || lease.Spec.HolderIdentity == nil {
			return false, client.IgnoreNotFound(err)
		}
		for _, m := range j.members {
			if m.name == *lease.Spec.HolderIdentity {
				j.leader = m
				return true, nil
			}
		}
		return false, nil
	})
}

// failOver takes the lease away from its holder, who must end, and waits for the other to get it.
func (j *judge) failOver(ctx context.Context) error {
	loser := j.leader
	err := j.until(ctx, "the lease to be taken", func() (bool, error) {
		lease, err := j.lease(ctx)
		if err != nil {
			return false, err
		}
		now := metav1.NowMicro()
		lease.Spec.HolderIdentity, lease.Spec.RenewTime, lease.Spec.AcquireTime = ptr("thief"), &now, &now
		err = j.api.Update(ctx, lease)
		return err == nil, ignoreConflict(err)
	})
	if err != nil {
		return err
	}
	select {
	case err := <-loser.ended:
		if err == nil || !strings.Contains(err.Error(), "leader election lost") {
			return fmt.Errorf("the old leader ended with %v", err)
		}
	case <-time.After(patience):
		return errors.New("the old leader goes on without the lease")
	}
	j.ok("a leader that lost its lease ends")
	if err := j.findLeader(ctx); err != nil {
		return err
	}
	if j.leader == loser {
		return errors.New("the old leader leads again")
	}
	j.ok("the other manager leads")
	return nil
}

// round takes a few widgets through everything that may happen to them.
func (j *judge) round(ctx context.Context, prefix string) error {
	names := []string{}
	for i := range perRound {
		names = append(names, fmt.Sprintf("%s-w%d", prefix, i))
	}
	steps := []struct {
		name string
		do   func(context.Context, []string) error
	}{
		{"create", j.create}, {"refuse", j.refuse}, {"children", j.children}, {"apply", j.apply},
		{"update", j.update}, {"status", j.status}, {"watch", j.watch}, {"lists", j.lists}, {"delete", j.delete},
	}
	for _, step := range steps {
		if err := step.do(ctx, names); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

func (j *judge) uninstall(ctx context.Context) error {
	last := &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "last"}}
	if err := j.api.Create(ctx, last); err != nil {
		return err
	}
	if err := j.ready(ctx, "last"); err != nil {
		return err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "widgets.judge.example"}}
	if err := j.api.Delete(ctx, crd); err != nil {
		return err
	}
	err := j.until(ctx, "the CRD to go", func() (bool, error) {
		err := j.api.Get(ctx, client.ObjectKeyFromObject(crd), crd)
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	})
	if err != nil {
		return err
	}
	j.ok("the CRD goes after its last widget, whose finalizer ran")
	err = j.gone(ctx, &corev1.ConfigMap{}, "ledger-last")
	if err == nil {
		err = j.gone(ctx, &corev1.ConfigMap{}, "child-last")
	}
	if err != nil {
		return err
	}
	j.ok("its child is collected although its kind is gone")
	j.leader.stop()
	return <-j.leader.ended
}

// until asks until it holds; an error ends it at once.
func (j *judge) until(ctx context.Context, what string, holds func() (bool, error)) error {
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		if done, err := holds(); err != nil || done {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return fmt.Errorf("no %s after %s", what, patience)
}

func (j *judge) gone(ctx context.Context, object client.Object, name string) error {
	return j.until(ctx, "end of "+name, func() (bool, error) {
		err := j.api.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, object)
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	})
}

func (j *judge) ready(ctx context.Context, name string) error {
	return j.until(ctx, "readiness of "+name, func() (bool, error) {
		widget, err := j.widget(ctx, name)
		if err != nil {
			return false, err
		}
		isReady := meta.IsStatusConditionTrue(widget.Status.Conditions, "Ready")
		return isReady && widget.Status.ObservedGeneration == widget.Generation, nil
	})
}

func (j *judge) widget(ctx context.Context, name string) (*Widget, error) {
	widget := &Widget{}
	err := j.api.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, widget)
	return widget, err
}

func (j *judge) child(ctx context.Context, name string) (*corev1.ConfigMap, error) {
	child := &corev1.ConfigMap{}
	err := j.api.Get(ctx, types.NamespacedName{Namespace: namespace, Name: "child-" + name}, child)
	return child, err
}

// change updates a widget, again where it loses a race.
func (j *judge) change(ctx context.Context, name string, edit func(*Widget)) error {
	return j.until(ctx, "change of "+name, func() (bool, error) {
		widget, err := j.widget(ctx, name)
		if err != nil {
			return false, err
		}
		edit(widget)
		err = j.api.Update(ctx, widget)
		return err == nil, ignoreConflict(err)
	})
}

func ignoreConflict(err error) error {
	if apierrors.IsConflict(err) {
		return nil
	}
	return err
}

func expect(holds bool, format string, args ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf(format, args...)
}
