// A kubelet as far as exec needs one: upstream's own streaming handlers, and commands that run on this machine.
// Unlike kwok it tells exit codes and hands on that the input has ended.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/remotecommand"
	streaming "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

type local struct{}

// ExecInContainer runs the command here. A terminal is not to be had.
func (local) ExecInContainer(ctx context.Context, _ string, _ types.UID, _ string, cmd []string, in io.Reader, out, errOut io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize, _ time.Duration) error {
	process := exec.CommandContext(ctx, cmd[0], cmd[1:]...)
	process.Stdin, process.Stdout, process.Stderr = in, out, errOut
	err := process.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return utilexec.CodeExitError{Err: err, Code: exit.ExitCode()}
	}
	return err
}

// Usage: kubelet CERTIFICATE KEY PORT
func main() {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// /exec/NAMESPACE/POD/CONTAINER
		parts := strings.Split(r.URL.Path, "/")
		options, err := streaming.NewOptions(r)
		if err != nil || len(parts) != 5 || parts[1] != "exec" {
			http.Error(w, "not here", http.StatusNotFound)
			return
		}
		streaming.ServeExec(w, r, local{}, parts[3], "", parts[4], r.URL.Query()["command"], options,
			time.Hour, 30*time.Second, []string{"v4.channel.k8s.io"})
	})
	// HTTP/2 cannot switch protocols.
	server := &http.Server{Addr: "127.0.0.1:" + os.Args[3], Handler: handler, Protocols: new(http.Protocols)}
	server.Protocols.SetHTTP1(true)
	log.Fatal(server.ListenAndServeTLS(os.Args[1], os.Args[2]))
}
