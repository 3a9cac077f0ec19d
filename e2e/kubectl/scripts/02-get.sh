# Reading, in every form kubectl prints.
kubectl create namespace get
kubectl config set-context --current --namespace=get > /dev/null
kubectl apply -f - <<EOF
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: c1, labels: {app: a, tier: front}}, data: {k: one}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: c2, labels: {app: b}}, data: {k: two, l: x}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: c3, labels: {app: a}}, data: {k: three, l: x, m: z}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: c4}}
  - {apiVersion: v1, kind: Pod, metadata: {name: p1, labels: {app: a}}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}
  - {apiVersion: v1, kind: Pod, metadata: {name: p2, labels: {app: b}}, spec: {containers: [{name: c, image: i}, {name: d, image: j}]}}
  - {apiVersion: v1, kind: Service, metadata: {name: s1}, spec: {selector: {app: a}, ports: [{port: 80}]}}
EOF
kubectl get configmaps
kubectl get cm c1
kubectl get cm/c1 pod/p1
kubectl get cm c1 nope
kubectl get nope
kubectl get pods nope
kubectl get cm -o wide
kubectl get pods -o wide
kubectl get svc -o wide
kubectl get cm c1 -o yaml
kubectl get cm c1 -o json
kubectl get pod p1 -o yaml
kubectl get svc s1 -o yaml
kubectl get cm -o yaml -l app=a
kubectl get cm -o name
kubectl get cm c1 -o jsonpath='{.data.k}{"\n"}'
kubectl get cm -o jsonpath='{range .items[*]}{.metadata.name}={.data.k}{"\n"}{end}'
kubectl get pods -o jsonpath='{.items[?(@.spec.nodeName=="n1")].metadata.name}'
kubectl get cm -o custom-columns=NAME:.metadata.name,K:.data.k,APP:.metadata.labels.app
kubectl get cm -o custom-columns=NAME:.metadata.name --no-headers
kubectl get cm c1 -o go-template='{{.data.k}}{{"\n"}}'
kubectl get cm --sort-by=.data.k
kubectl get cm --sort-by=.metadata.name -o name
kubectl get cm --no-headers
kubectl get cm --show-labels
kubectl get cm -L app,tier
kubectl get cm -l app=a
kubectl get cm -l 'app in (a,b),tier!=front'
kubectl get cm -l '!app'
kubectl get cm -l 'bad selector'
kubectl get cm --field-selector metadata.name=c2
kubectl get pods --field-selector spec.nodeName=n1
kubectl get pods --field-selector status.phase!=Pending
kubectl get pods --field-selector nope=x
kubectl get cm --chunk-size=2
kubectl get cm --chunk-size=1 -o name
kubectl get cm -A -l app
kubectl get cm -n other
kubectl get cm --show-kind
kubectl get pods,cm
kubectl get pods,cm -o name
kubectl get all
kubectl get pods --show-managed-fields=false -o yaml -l app=b
kubectl get ns default kube-system -o name
kubectl get ns
kubectl get svc -n default kubernetes -o yaml | grep -v targetPort
kubectl get svc -A
kubectl get clusterroles cluster-admin view -o name
kubectl get cm --ignore-not-found nope
kubectl get cm --output-watch-events --watch-only --request-timeout=1s
kubectl get cm --raw
kubectl get --raw /api/v1/namespaces/get/configmaps/c1
kubectl get --raw /apis/nope
kubectl get --raw /healthz
kubectl get --raw '/readyz/ping'
timeout -s INT 3 kubectl get cm -w & sleep 1; kubectl label cm c1 watched=yes > /dev/null; kubectl delete cm c4 > /dev/null; wait
timeout -s INT 3 kubectl get cm c1 -w -o name & sleep 1; kubectl label cm c1 watched=no --overwrite > /dev/null; wait
timeout -s INT 3 kubectl get cm --watch-only --output-watch-events -o custom-columns=N:.metadata.name & sleep 1; kubectl create cm c5 > /dev/null; kubectl delete cm c5 > /dev/null; wait
kubectl get events
kubectl get --subresource=status pod p1 -o jsonpath='{.status.phase}'
kubectl get deployments.apps
kubectl get deployments.v1.apps
kubectl get hpa,pdb,netpol,ing,sts,ds,rs,rc,pvc,ep,limits,quota,cj
kubectl get nodes,pv,sc,pc,csr,crd
kubectl get roles,rolebindings -A -o wide
kubectl get clusterrolebindings -o wide
kubectl get ep,endpointslices -A -o name
kubectl get lease -n kube-node-lease
kubectl get pod p1 -o jsonpath-as-json='{.spec.containers}'
kubectl get --template='{{len .items}}' cm
