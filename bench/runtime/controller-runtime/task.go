package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "bench.flotilla.dev", Version: "v1"}

// Task is what the controller reconciles.
type Task struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TaskSpec   `json:"spec,omitempty"`
	Status TaskStatus `json:"status,omitempty"`
}

// TaskSpec names the settings of a task.
type TaskSpec struct {
	Settings string `json:"settings,omitempty"`
}

// TaskStatus is what the controller found.
type TaskStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Round              int64              `json:"round,omitempty"`
	Setting            string             `json:"setting,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// TaskList is a list of tasks.
type TaskList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Task `json:"items"`
}

// DeepCopyObject copies the task.
func (t *Task) DeepCopyObject() runtime.Object { return t.copy() }

func (t *Task) copy() *Task {
	out := *t
	t.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = append([]metav1.Condition(nil), t.Status.Conditions...)
	return &out
}

// DeepCopyObject copies the list.
func (l *TaskList) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].copy())
	}
	return &out
}

func addTasks(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Task{}, &TaskList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
