# What pods said, through the API server, from kwok's Logs kind. kwok plays the kubelet, on its usual port.
kubectl create namespace logs
kubectl config set-context --current --namespace=logs > /dev/null
kubectl create -f - <<'YAML'
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Node, metadata: {name: node}}
  - {apiVersion: v1, kind: Node, metadata: {name: bare}}
  - {apiVersion: v1, kind: Node, metadata: {name: dead}}
YAML
kubectl wait --for=create serviceaccount/default --timeout=60s
kubectl patch node node --subresource=status --type=merge -p '{"status":{"addresses":[{"type":"ExternalIP","address":"192.0.2.7"},{"type":"InternalIP","address":"127.0.0.1"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":10250}}}}' -o name
kubectl patch node dead --subresource=status --type=merge -p '{"status":{"addresses":[{"type":"InternalIP","address":"127.0.0.1"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":1}}}}' -o name
kubectl create -f - <<'YAML'
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Pod, metadata: {name: one, labels: {app: a}}, spec: {nodeName: node, tolerations: [{operator: Exists}], containers: [{name: main, image: i}]}}
  - {apiVersion: v1, kind: Pod, metadata: {name: two, labels: {app: a}}, spec: {nodeName: node, tolerations: [{operator: Exists}], initContainers: [{name: first, image: i}], containers: [{name: left, image: i}, {name: right, image: i}]}}
  - {apiVersion: v1, kind: Pod, metadata: {name: silent}, spec: {nodeName: node, tolerations: [{operator: Exists}], containers: [{name: main, image: i}]}}
  - {apiVersion: v1, kind: Pod, metadata: {name: waiting}, spec: {containers: [{name: main, image: i}]}}
  - {apiVersion: v1, kind: Pod, metadata: {name: lost}, spec: {nodeName: gone, tolerations: [{operator: Exists}], containers: [{name: main, image: i}]}}
  - {apiVersion: v1, kind: Pod, metadata: {name: bare}, spec: {nodeName: bare, tolerations: [{operator: Exists}], containers: [{name: main, image: i}]}}
  - {apiVersion: v1, kind: Pod, metadata: {name: dead}, spec: {nodeName: dead, tolerations: [{operator: Exists}], containers: [{name: main, image: i}]}}
YAML
kubectl logs one
kubectl logs pod/one -c main
kubectl logs one --tail=2
kubectl logs one --tail=0
kubectl logs one --tail=-1
kubectl logs one --timestamps
kubectl logs one --timestamps --tail=1
kubectl logs one --since=1h
kubectl logs one --since-time=2024-05-01T10:00:02Z
kubectl logs one --since=1h --since-time=2024-05-01T10:00:02Z
kubectl logs one --limit-bytes=7
kubectl logs one --previous
kubectl logs one -c nope
kubectl logs two
kubectl logs two -c right
kubectl logs two -c first
#! unordered
kubectl logs two --all-containers
#! unordered
kubectl logs two --all-containers --prefix
#! unordered
kubectl logs -l app=a --all-containers --prefix
#! unordered
kubectl logs -l app=a -c left
kubectl logs silent
kubectl logs waiting
kubectl logs lost
kubectl logs bare
kubectl logs dead
kubectl logs missing
kubectl logs one --insecure-skip-tls-verify-backend --tail=1
timeout 3 "$KUBECTL" logs -f one --tail=1
timeout 3 "$KUBECTL" logs -f two -c left
kubectl logs one --as=eve
kubectl get --raw '/api/v1/namespaces/logs/pods/one/log?tailLines=1'
kubectl get --raw '/api/v1/namespaces/logs/pods/one/log?tailLines=-1'
kubectl get --raw '/api/v1/namespaces/logs/pods/one/log?tailLines=x'
kubectl get --raw '/api/v1/namespaces/logs/pods/one/log?sinceTime=x'
kubectl get --raw '/api/v1/namespaces/logs/pods/one/log?stream=Stdout'
