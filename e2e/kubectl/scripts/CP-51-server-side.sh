# Two managers apply; the second is told who owns what, and takes it over only when it insists.
kubectl create ns cp-51
kubectl config set-context --current --namespace=cp-51 > /dev/null
cat > app.yaml <<EOF
apiVersion: apps/v1
kind: Deployment
metadata: {name: app, labels: {team: one}}
spec:
  replicas: 2
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      containers:
        - {name: web, image: 'web:1', ports: [{containerPort: 80}], env: [{name: A, value: '1'}]}
EOF
kubectl apply --server-side -f app.yaml
kubectl get deployment app -o yaml --show-managed-fields
kubectl get deployment app -o yaml
kubectl apply --server-side -f app.yaml
sed -e 's/replicas: 2/replicas: 5/' -e 's/web:1/web:2/' app.yaml > other.yaml
kubectl apply --server-side --field-manager=other -f other.yaml
kubectl apply --server-side --field-manager=other --force-conflicts -f other.yaml
kubectl get deployment app -o jsonpath='{range .metadata.managedFields[*]}{.manager} {.operation} {.fieldsV1.f:spec}{"\n"}{end}' --show-managed-fields
kubectl apply --server-side -f app.yaml
kubectl diff --server-side -f app.yaml
kubectl diff --server-side --force-conflicts -f app.yaml
# What is no longer applied goes.
sed -e 's/, env: .*\]}/}/' other.yaml > less.yaml
kubectl apply --server-side --field-manager=other -f less.yaml
kubectl apply --server-side --force-conflicts -f app.yaml
kubectl scale deployment app --replicas=7
kubectl label deployment app extra=label
# Entries stand by their times, to the second.
#! unordered
kubectl get deployment app -o yaml --show-managed-fields
kubectl apply --server-side --dry-run=server --force-conflicts -f app.yaml -o jsonpath='{.spec.replicas}{"\n"}'
# From client-side apply to server-side apply and back.
cat > cm.yaml <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {a: '1', b: '2'}
EOF
kubectl apply -f cm.yaml
kubectl get cm cm -o yaml --show-managed-fields
sed -e "s/, b: '2'//" -e "s/a: '1'/a: '3'/" cm.yaml > cm2.yaml
kubectl apply --server-side -f cm2.yaml
kubectl get cm cm -o yaml --show-managed-fields
kubectl apply -f cm.yaml
#! unordered
kubectl get cm cm -o yaml --show-managed-fields
# What is wrong with a configuration is told by the server.
kubectl apply --server-side --validate=false -f - <<EOF
{apiVersion: v1, kind: ConfigMap, metadata: {name: bad}, spec: {nope: true}}
EOF
kubectl apply --server-side -f - <<EOF
{apiVersion: v1, kind: ConfigMap, metadata: {name: bad}, data: {a: 1}}
EOF
kubectl create deployment imperative --image=x
kubectl set image deployment imperative x=y --field-manager=setter
kubectl annotate deployment imperative note=this
#! unordered
kubectl get deployment imperative -o yaml --show-managed-fields
