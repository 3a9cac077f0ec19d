package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	leaseName     = "widget-controller"
	leaseDuration = 4 * time.Second
)

// member is one of the managers that compete for the lease.
type member struct {
	name    string
	widgets *widgets
	client  client.Client
	cache   cache.Cache
	ended   chan error
	stop    context.CancelFunc
}

func startMember(ctx context.Context, name string, config *rest.Config, scheme *runtime.Scheme) (*member, error) {
	renew, retry := 3*time.Second, time.Second
	// A lock of its own, so that the holder is named after the member and not after a process.
	lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, namespace, leaseName,
		resourcelock.ResourceLockConfig{Identity: name}, config, renew)
	if err != nil {
		return nil, err
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                              scheme,
		Metrics:                             server.Options{BindAddress: "0"},
		LeaderElection:                      true,
		LeaderElectionID:                    leaseName,
		LeaderElectionNamespace:             namespace,
		LeaderElectionResourceLockInterface: lock,
		LeaseDuration:                       ptr(leaseDuration),
		RenewDeadline:                       &renew,
		RetryPeriod:                         &retry,
		Cache:                               cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
	})
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(ctx)
	m := &member{name: name, widgets: &widgets{}, client: mgr.GetClient(), cache: mgr.GetCache(), ended: make(chan error, 1), stop: stop}
	if err := m.widgets.setup(mgr); err != nil {
		return nil, fmt.Errorf("set up %s: %w", name, err)
	}
	go func() { m.ended <- mgr.Start(running) }()
	return m, nil
}

func ptr[T any](value T) *T { return &value }
