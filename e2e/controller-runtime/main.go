// A controller as people write them with controller-runtime, and a judge beside it that says what the
// server must have done. The same program runs on a real kube-apiserver and on ours: it prints a
// line per thing that held, and ends with 1 at the first that did not.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr/funcr"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
)

const namespace = "widgets"

func main() {
	// A set of its own: controller-runtime claims --kubeconfig in the common one.
	flags := flag.NewFlagSet("widgets", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "whom to talk to")
	seconds := flags.Int("seconds", 0, "how long to repeat the rounds after the first")
	_ = flags.Parse(os.Args[1:])
	ctrl.SetLogger(funcr.New(func(prefix, args string) {
		fmt.Fprintln(os.Stderr, prefix, args)
	}, funcr.Options{}))
	if err := run(context.Background(), *kubeconfig, time.Duration(*seconds)*time.Second); err != nil {
		fmt.Println("FAILED:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig string, soak time.Duration) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 200, 400
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, addWidgets} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	j, err := newJudge(config, scheme)
	if err != nil {
		return err
	}
	return j.judge(ctx, soak)
}
