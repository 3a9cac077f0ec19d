# Applying an edited file merges containers by name and keeps what others added.
kubectl create ns cp-50
kubectl config set-context --current --namespace=cp-50 > /dev/null
cat > app.yaml <<EOF
apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      containers:
        - {name: web, image: 'web:1', env: [{name: A, value: '1'}]}
        - {name: log, image: 'log:1'}
EOF
kubectl apply -f app.yaml
kubectl patch deployment app -p '{"spec":{"template":{"spec":{"containers":[{"name":"injected","image":"mesh:1"}]}}}}'
kubectl scale deployment app --replicas=4
sed -e 's/web:1/web:2/' -e '/log:1/d' app.yaml > app2.yaml
kubectl diff -f app2.yaml
kubectl apply -f app2.yaml
kubectl get deployment app -o jsonpath='{range .spec.template.spec.containers[*]}{.name}={.image} {end}{.spec.replicas}{"\n"}'
kubectl get deployment app -o jsonpath='{.metadata.annotations.kubectl\.kubernetes\.io/last-applied-configuration}'
kubectl apply view-last-applied deployment/app
kubectl apply -f app2.yaml
