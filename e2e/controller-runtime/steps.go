package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func (j *judge) create(ctx context.Context, names []string) error {
	for _, name := range names {
		widget := &Widget{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"round": name[:strings.Index(name, "-")]}},
			Spec:       WidgetSpec{Message: "hello " + name, Parts: []WidgetPart{{Name: "a", Value: "1"}, {Name: "b", Value: "2"}}},
		}
		if err := j.api.Create(ctx, widget); err != nil {
			return err
		}
		if err := expect(widget.Spec.Size != nil && *widget.Spec.Size == 3 && widget.Generation == 1, "not defaulted: %+v", widget); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := j.ready(ctx, name); err != nil {
			return err
		}
		widget, err := j.widget(ctx, name)
		if err != nil {
			return err
		}
		if err := expect(controllerutil.ContainsFinalizer(widget, finalizer), "%s has no finalizer", name); err != nil {
			return err
		}
		// The finalizer is metadata, the condition is status: neither is a new generation.
		if err := expect(widget.Generation == 1, "%s is of generation %d", name, widget.Generation); err != nil {
			return err
		}
	}
	j.ok("widgets are created with defaults, get a finalizer and a status")
	return nil
}

func (j *judge) refuse(ctx context.Context, names []string) error {
	bad := &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: names[0] + "-bad"}, Spec: WidgetSpec{Message: "x", Parts: []WidgetPart{{Name: "x"}}}}
	err := j.api.Create(ctx, bad)
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "no part is named like the message") {
		return fmt.Errorf("a widget against its rule got %v", err)
	}
	j.ok("%v", strings.ReplaceAll(err.Error(), bad.Name, "NAME"))
	err = j.change(ctx, names[0], func(widget *Widget) { widget.Spec.Size = ptr(int64(2)) })
	if !apierrors.IsInvalid(err) {
		return fmt.Errorf("a shrunk widget got %v", err)
	}
	j.ok("%v", strings.ReplaceAll(err.Error(), names[0], "NAME"))
	err = j.api.Create(ctx, &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: names[0]}})
	if !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("a second widget of the name got %v", err)
	}
	return nil
}

func (j *judge) children(ctx context.Context, names []string) error {
	for _, name := range names {
		widget, err := j.widget(ctx, name)
		if err != nil {
			return err
		}
		child, err := j.child(ctx, name)
		if err != nil {
			return err
		}
		owner := metav1.GetControllerOf(child)
		if err := expect(owner != nil && owner.UID == widget.UID && *owner.BlockOwnerDeletion, "owners of %s: %v", name, child.OwnerReferences); err != nil {
			return err
		}
		if err := expect(len(child.Data) == 3 && child.Data["part.a"] == "1", "data of %s: %v", name, child.Data); err != nil {
			return err
		}
		managers := []string{}
		for _, entry := range child.ManagedFields {
			managers = append(managers, entry.Manager+" "+string(entry.Operation))
		}
		if err := expect(strings.Join(managers, ",") == fieldManager+" Apply", "managers of %s: %v", name, managers); err != nil {
			return err
		}
	}
	j.ok("children are applied with their owner and one manager")
	for _, name := range names[:2] {
		child, err := j.child(ctx, name)
		if err != nil {
			return err
		}
		if err := j.api.Delete(ctx, child); err != nil {
			return err
		}
		err = j.until(ctx, "new child of "+name, func() (bool, error) {
			again, err := j.child(ctx, name)
			return err == nil && again.UID != child.UID, client.IgnoreNotFound(err)
		})
		if err != nil {
			return err
		}
	}
	j.ok("a deleted child comes back: the metadata-only cache saw it go")
	return nil
}

func (j *judge) apply(ctx context.Context, names []string) error {
	name := names[1]
	other := func() *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"namespace": namespace, "name": "child-" + name},
			"data":     map[string]any{"message": "taken", "own": "kept"},
		}}
	}
	err := j.api.Patch(ctx, other(), client.Apply, client.FieldOwner("other"))
	status, ok := err.(apierrors.APIStatus)
	if !ok || !apierrors.IsConflict(err) {
		return fmt.Errorf("applying another manager's field got %v", err)
	}
	causes := status.Status().Details.Causes
	if err := expect(len(causes) == 1 && causes[0].Type == metav1.CauseTypeFieldManagerConflict && causes[0].Field == ".data.message", "causes: %v", causes); err != nil {
		return err
	}
	j.ok("%v", strings.ReplaceAll(err.Error(), name, "NAME"))
	if err := j.api.Patch(ctx, other(), client.Apply, client.FieldOwner("other"), client.ForceOwnership); err != nil {
		return err
	}
	// The controller sees the change, and takes its field back; the other's own one stays.
	err = j.until(ctx, "own message", func() (bool, error) {
		child, err := j.child(ctx, name)
		return err == nil && child.Data["message"] == "hello "+name && child.Data["own"] == "kept", err
	})
	if err != nil {
		return err
	}
	j.ok("a forced apply takes a field, and the controller takes it back")
	widget := &Widget{}
	widget.SetGroupVersionKind(groupVersion.WithKind("Widget"))
	widget.Name, widget.Namespace = names[2], namespace
	widget.Spec.Parts = []WidgetPart{{Name: "c", Value: "3"}}
	if err := j.api.Patch(ctx, widget, client.Apply, client.FieldOwner("parts")); err != nil {
		return err
	}
	if err := expect(len(widget.Spec.Parts) == 3 && widget.Spec.Message != "", "an applied part replaced others: %v", widget.Spec); err != nil {
		return err
	}
	widget.ManagedFields, widget.ResourceVersion, widget.Status = nil, "", WidgetStatus{}
	widget.Spec = WidgetSpec{Parts: []WidgetPart{}}
	applied := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "judge.example/v1", "kind": "Widget",
		"metadata": map[string]any{"namespace": namespace, "name": names[2]},
	}}
	if err := j.api.Patch(ctx, applied, client.Apply, client.FieldOwner("parts")); err != nil {
		return err
	}
	after, err := j.widget(ctx, names[2])
	if err != nil {
		return err
	}
	if err := expect(len(after.Spec.Parts) == 2, "the part no longer applied stays: %v", after.Spec.Parts); err != nil {
		return err
	}
	j.ok("parts are merged by name, and go when they are applied no longer")
	return nil
}

func (j *judge) update(ctx context.Context, names []string) error {
	name := names[3]
	stale, err := j.widget(ctx, name)
	if err != nil {
		return err
	}
	if err := j.change(ctx, name, func(widget *Widget) { widget.Spec.Parts = widget.Spec.Parts[:1] }); err != nil {
		return err
	}
	stale.Spec.Message = "late"
	if err := j.api.Update(ctx, stale); !apierrors.IsConflict(err) {
		return fmt.Errorf("an update of an old version got %v", err)
	}
	if err := j.ready(ctx, name); err != nil {
		return err
	}
	err = j.until(ctx, "smaller child", func() (bool, error) {
		child, err := j.child(ctx, name)
		return err == nil && len(child.Data) == 2, err
	})
	if err != nil {
		return err
	}
	now, err := j.widget(ctx, name)
	if err != nil {
		return err
	}
	if err := expect(now.Generation == stale.Generation+1, "generation %d after %d", now.Generation, stale.Generation); err != nil {
		return err
	}
	j.ok("a change of the spec is a new generation and takes an applied field away")
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "secret-" + name, Labels: map[string]string{secretLabel: name}},
		StringData: map[string]string{"version": "one"},
	}
	if _, err := controllerutil.CreateOrUpdate(ctx, j.api, secret, func() error { return nil }); err != nil {
		return err
	}
	err = j.until(ctx, "version of the secret", func() (bool, error) {
		widget, err := j.widget(ctx, name)
		return err == nil && widget.Status.SecretVersion == "one", err
	})
	j.ok("a watched Secret leads to its widget")
	return err
}

func (j *judge) status(ctx context.Context, names []string) error {
	widget, err := j.widget(ctx, names[4])
	if err != nil {
		return err
	}
	// Through the main resource a status is not written, through the subresource nothing else is.
	before := widget.copy()
	widget.Status.SecretVersion = "forged"
	if err := j.api.Patch(ctx, widget, client.MergeFrom(before)); err != nil {
		return err
	}
	if err := expect(widget.Status.SecretVersion == "", "status written beside its subresource"); err != nil {
		return err
	}
	before = widget.copy()
	widget.Spec.Message = "forged"
	widget.Status.SecretVersion = "patched"
	if err := j.api.Status().Patch(ctx, widget, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return err
	}
	if err := expect(widget.Spec.Message != "forged" && widget.Status.SecretVersion == "patched", "status patch: %+v", widget); err != nil {
		return err
	}
	err = j.api.Status().Patch(ctx, widget, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	if !apierrors.IsConflict(err) {
		return fmt.Errorf("a status patch of an old version got %v", err)
	}
	j.ok("status is written through its subresource only")
	return nil
}

func (j *judge) watch(ctx context.Context, names []string) error {
	list := &WidgetList{}
	if err := j.api.List(ctx, list, client.InNamespace(namespace)); err != nil {
		return err
	}
	events, err := j.api.Watch(ctx, &WidgetList{}, client.InNamespace(namespace), client.MatchingLabels{"seen": "yes"},
		&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: list.ResourceVersion}})
	if err != nil {
		return err
	}
	defer events.Stop()
	if err := j.change(ctx, names[0], func(widget *Widget) { widget.Labels["seen"] = "yes" }); err != nil {
		return err
	}
	if err := j.change(ctx, names[0], func(widget *Widget) { widget.Annotations = map[string]string{"a": "b"} }); err != nil {
		return err
	}
	if err := j.change(ctx, names[0], func(widget *Widget) { delete(widget.Labels, "seen") }); err != nil {
		return err
	}
	for _, wanted := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		select {
		case event := <-events.ResultChan():
			if err := expect(event.Type == wanted, "%s came for %s: %+v", event.Type, wanted, event.Object); err != nil {
				return err
			}
		case <-time.After(patience):
			return fmt.Errorf("no event %s", wanted)
		}
	}
	j.ok("a watch with a selector sees a widget come, change and go")
	return nil
}

func (j *judge) lists(ctx context.Context, names []string) error {
	round := client.MatchingLabels{"round": names[0][:strings.Index(names[0], "-")]}
	paged := []string{}
	options := &client.ListOptions{Namespace: namespace, Limit: 2}
	round.ApplyToList(options)
	for {
		list := &WidgetList{}
		if err := j.api.List(ctx, list, options); err != nil {
			return err
		}
		for _, widget := range list.Items {
			paged = append(paged, widget.Name)
		}
		if options.Continue = list.Continue; options.Continue == "" {
			break
		}
	}
	if err := expect(strings.Join(paged, ",") == strings.Join(names, ","), "pages: %v", paged); err != nil {
		return err
	}
	selected := &WidgetList{}
	if err := j.api.List(ctx, selected, client.InNamespace(namespace), client.MatchingFields{"spec.message": "hello " + names[3]}); err != nil {
		return err
	}
	if err := expect(len(selected.Items) == 1 && selected.Items[0].Name == names[3], "by field: %v", selected.Items); err != nil {
		return err
	}
	j.ok("lists come in pages, by label and by a selectable field")
	children := &metav1.PartialObjectMetadataList{}
	children.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
	err := j.until(ctx, "children in the cache", func() (bool, error) {
		if err := j.leader.client.List(ctx, children, client.InNamespace(namespace)); err != nil {
			return false, err
		}
		owned := 0
		for _, child := range children.Items {
			if owner := metav1.GetControllerOf(&child); owner != nil && strings.HasPrefix(owner.Name, names[0][:strings.Index(names[0], "-")+1]) {
				owned++
			}
		}
		return owned == len(names), nil
	})
	if err != nil {
		return err
	}
	j.ok("the metadata-only cache has every child")
	return nil
}

func (j *judge) delete(ctx context.Context, names []string) error {
	foreground, err := j.widget(ctx, names[0])
	if err != nil {
		return err
	}
	if err := j.api.Delete(ctx, foreground, client.PropagationPolicy(metav1.DeletePropagationForeground)); err != nil {
		return err
	}
	widget := &Widget{}
	if err := j.api.DeleteAllOf(ctx, widget, client.InNamespace(namespace), client.MatchingLabels{"round": names[0][:strings.Index(names[0], "-")]}); err != nil {
		return err
	}
	for _, name := range names {
		if err := j.gone(ctx, &Widget{}, name); err != nil {
			return err
		}
		for _, left := range []string{"ledger-", "child-"} {
			if err := j.gone(ctx, &corev1.ConfigMap{}, left+name); err != nil {
				return err
			}
		}
	}
	j.ok("deleted widgets run their finalizer and take their children along")
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "secret-" + names[3]}}
	return j.api.Delete(ctx, secret)
}
