// The controller of ../ours.ts on controller-runtime: one job a run, told by the first argument, answered with one
// line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const namespace = "bench"

type job struct {
	Target struct {
		Host  string `json:"host"`
		Port  int    `json:"port"`
		Token string `json:"token"`
		CA    string `json:"ca"`
	} `json:"target"`
	Round       int64 `json:"round"`
	Count       int64 `json:"count"`
	Concurrency int   `json:"concurrency"`
}

type report struct {
	PerSecond float64 `json:"perSecond"`
	CPUMs     float64 `json:"cpuMs"`
	PeakMb    float64 `json:"peakMb"`
	Writes    int64   `json:"writes"`
}

func main() {
	ctrl.SetLogger(logr.Discard())
	found, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(found)
}

func run() (*report, error) {
	var asked job
	if err := json.Unmarshal([]byte(os.Args[1]), &asked); err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, addTasks} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	mgr, err := ctrl.NewManager(&rest.Config{
		Host:            fmt.Sprintf("https://%s:%d", asked.Target.Host, asked.Target.Port),
		BearerToken:     asked.Target.Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: []byte(asked.Target.CA)},
		// No limit: its default would be what is measured.
		QPS: -1,
	}, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
	})
	if err != nil {
		return nil, err
	}
	ctx, done := context.WithCancel(context.Background())
	defer done()
	t := &tasks{job: asked, done: done}
	if err := t.setup(mgr); err != nil {
		return nil, err
	}
	if err := mgr.Start(ctx); err != nil {
		return nil, err
	}
	if failure, ok := t.failed.Load().(error); ok {
		return nil, failure
	}
	return &report{
		PerSecond: float64(asked.Count) / t.ended.Sub(t.began).Seconds(),
		CPUMs:     cpuMs() / float64(asked.Count),
		PeakMb:    peakMb(),
		Writes:    t.writes.Load(),
	}, nil
}

func cpuMs() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

// peakMb is VmHWM: the most that was resident.
func peakMb() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	match := regexp.MustCompile(`VmHWM:\s+(\d+)`).FindSubmatch(status)
	if match == nil {
		return 0
	}
	kb, _ := strconv.ParseFloat(string(match[1]), 64)
	return kb / 1024
}
