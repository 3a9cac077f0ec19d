package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "judge.example", Version: "v1"}

// Widget is the kind that the controller keeps.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec,omitempty"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec says what the child ConfigMap holds.
type WidgetSpec struct {
	Message string       `json:"message,omitempty"`
	Size    *int64       `json:"size,omitempty"`
	Parts   []WidgetPart `json:"parts,omitempty"`
}

// WidgetPart is an entry of the child, by its name.
type WidgetPart struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// WidgetStatus is what the controller last did.
type WidgetStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	SecretVersion      string             `json:"secretVersion,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// WidgetList is a list of widgets.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

// DeepCopyObject copies the widget.
func (w *Widget) DeepCopyObject() runtime.Object { return w.copy() }

func (w *Widget) copy() *Widget {
	out := *w
	w.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if w.Spec.Size != nil {
		size := *w.Spec.Size
		out.Spec.Size = &size
	}
	out.Spec.Parts = append([]WidgetPart(nil), w.Spec.Parts...)
	out.Status.Conditions = append([]metav1.Condition(nil), w.Status.Conditions...)
	return &out
}

// DeepCopyObject copies the list.
func (l *WidgetList) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].copy())
	}
	return &out
}

func addWidgets(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
