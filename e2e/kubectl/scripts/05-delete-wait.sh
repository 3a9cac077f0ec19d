# Delete in its modes, wait, events.
kubectl create namespace deletion
kubectl config set-context --current --namespace=deletion > /dev/null
kubectl create configmap a
kubectl create configmap b
kubectl create configmap c
kubectl label cm b c group=x
kubectl delete cm a --dry-run=server
kubectl delete cm a
kubectl delete cm a
kubectl delete cm a --ignore-not-found
kubectl delete cm -l group=x
kubectl delete cm
kubectl delete cm --all
kubectl create deployment web --image=nginx
kubectl delete deployment web --cascade=background
kubectl create deployment web --image=nginx
kubectl delete deployment web --cascade=orphan --wait=false
kubectl patch deployment web --type=merge -p '{"metadata":{"finalizers":null}}'
kubectl create deployment fore --image=nginx
kubectl delete deployment fore --cascade=foreground --wait=false
kubectl get deployment fore -o jsonpath='{.metadata.finalizers}'
kubectl patch deployment fore --type=merge -p '{"metadata":{"finalizers":null}}'
kubectl run pod --image=busybox
kubectl delete pod pod --grace-period=0 --force
kubectl run pod --image=busybox
kubectl delete pod pod --now
kubectl run held --image=busybox --overrides='{"spec":{"nodeName":"n1"}}'
kubectl delete pod held --wait=false
kubectl get pods
kubectl delete pod held --grace-period=0 --force
kubectl delete pod/nope cm/nope
kubectl create configmap keep
kubectl patch cm keep --type=merge -p '{"metadata":{"finalizers":["x.io/keep"]}}'
kubectl delete cm keep --timeout=1s
kubectl patch cm keep --type=merge -p '{"metadata":{"finalizers":null}}'
kubectl wait --for=delete cm/keep --timeout=5s
kubectl wait --for=delete cm/never --timeout=1s
kubectl run ready --image=busybox
kubectl wait --for=condition=Ready pod/ready --timeout=1s
kubectl patch pod ready --subresource=status --type=merge -p '{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}'
kubectl wait --for=condition=Ready pod/ready --timeout=5s
kubectl wait --for=jsonpath='{.status.phase}'=Running pod/ready --timeout=5s
kubectl wait --for=jsonpath='{.status.phase}'=Failed pod/ready --timeout=1s
kubectl wait --for=condition=Ready pod --all --timeout=5s
kubectl wait --for=create cm/kube-root-ca.crt --timeout=5s
kubectl wait --for=condition=Ready pod/nope --timeout=1s
kubectl create -f - <<EOF
apiVersion: v1
kind: Event
metadata: {name: ev1}
involvedObject: {apiVersion: v1, kind: Pod, name: ready, namespace: deletion}
reason: Started
message: Started container
type: Normal
source: {component: kubelet, host: n1}
firstTimestamp: '2026-01-01T00:00:00Z'
lastTimestamp: '2026-01-01T00:00:00Z'
count: 2
EOF
kubectl create -f - <<EOF
apiVersion: events.k8s.io/v1
kind: Event
metadata: {name: ev2}
regarding: {apiVersion: v1, kind: Pod, name: ready, namespace: deletion}
eventTime: '2026-01-01T00:00:01.000000Z'
reportingController: x.io/c
reportingInstance: i
action: Acting
reason: Failing
note: It failed
type: Warning
EOF
kubectl events
kubectl events --for pod/ready
kubectl events --types=Warning
kubectl events -o name
kubectl get events
kubectl get events -o wide
kubectl get events --sort-by=.lastTimestamp -o name
kubectl get events --field-selector type=Warning
kubectl describe pod ready
kubectl delete namespace deletion --wait=false
kubectl wait --for=delete namespace/deletion --timeout=30s > /dev/null
kubectl get namespace deletion
kubectl delete namespace default
kubectl delete namespace kube-system
kubectl config set-context --current --namespace=default > /dev/null
