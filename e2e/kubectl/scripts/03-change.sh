# Apply, edit, patch, label, annotate, replace, scale, set, diff.
kubectl create namespace change
kubectl config set-context --current --namespace=change > /dev/null
cat > web.yaml <<EOF
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: nginx, image: 'nginx:1.26', ports: [{containerPort: 80}], env: [{name: A, value: '1'}, {name: B, value: '2'}]}
        - {name: side, image: 'side:1'}
EOF
kubectl apply -f web.yaml --dry-run=server
kubectl apply -f web.yaml --dry-run=client
kubectl diff -f web.yaml
kubectl apply -f web.yaml
kubectl apply -f web.yaml
kubectl diff -f web.yaml
sed -e 's/1.26/1.27/' -e 's/replicas: 2/replicas: 3/' -e '/side:1/d' -e "s/, {name: B, value: '2'}//" web.yaml > web2.yaml
kubectl diff -f web2.yaml
kubectl apply -f web2.yaml --dry-run=server -o yaml
kubectl apply -f web2.yaml
kubectl get deployment web -o yaml
kubectl apply view-last-applied deployment/web
kubectl apply edit-last-applied deployment/web 2>&1 < /dev/null | head -1
kubectl apply set-last-applied -f web.yaml
kubectl apply -f web2.yaml -o name
kubectl apply -f web.yaml --validate=strict -o jsonpath='{.spec.replicas}{"\n"}'
kubectl apply -f - <<EOF
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {selector: {matchLabels: {app: other}}, template: {metadata: {labels: {app: other}}, spec: {containers: [{name: c, image: i}]}}}
EOF
kubectl apply -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {a: b}
---
apiVersion: v1
kind: Secret
metadata: {name: sec}
stringData: {a: b}
---
apiVersion: v1
kind: Pod
metadata: {name: bad}
spec: {containers: []}
EOF
kubectl apply --validate=strict -f - <<EOF
apiVersion: apps/v1
kind: Deployment
metadata: {name: typo}
spec: {replica: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i, imag: x}]}}}
EOF
KUBE_EDITOR='sed -i s/replicas:.*/replicas:\ 5/' kubectl edit deployment web
KUBE_EDITOR='true' kubectl edit deployment web
KUBE_EDITOR='sed -i s/app:\ web/app:\ other/' kubectl edit deployment web
KUBE_EDITOR='sed -i s/a:\ b/a:\ edited/' kubectl edit cm/cm -o yaml
kubectl edit cm nope
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"nginx:1.28"}]}}}}'
kubectl patch deployment web --type=merge -p '{"spec":{"replicas":4}}'
kubectl patch deployment web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":6}]'
kubectl patch deployment web --type=merge -p '{"spec":{"replicas":6}}'
kubectl patch deployment web --type=json -p '[{"op":"remove","path":"/spec/nope"}]'
kubectl patch deployment web -p 'not json'
kubectl patch deployment web -p '{"spec":{"replicas":"many"}}'
kubectl patch deployment web -p '{"spec":{"replicas":-1}}'
kubectl patch deployment web --subresource=status --type=merge -p '{"status":{"replicas":1}}'
kubectl patch deployment web --subresource=scale --type=merge -p '{"spec":{"replicas":2}}'
kubectl patch cm cm -p '{"data":{"a":null,"n":"m"}}' -o yaml
kubectl patch cm nope -p '{}'
kubectl label cm cm one=1 two=2
kubectl label cm cm one=2
kubectl label cm cm one=2 --overwrite
kubectl label cm cm one-
kubectl label cm cm 'bad key=x'
kubectl label cm cm two- --list
kubectl label cm --all each=yes
kubectl label cm nope a=b
kubectl annotate cm cm note='some text' other=x
kubectl annotate cm cm note=changed
kubectl annotate cm cm note=changed --overwrite
kubectl annotate cm cm note- -o yaml
kubectl scale deployment web --replicas=3
kubectl scale deployment web --replicas=3 --current-replicas=9
kubectl scale deployment web --replicas=1 --current-replicas=3
kubectl scale deployment nope --replicas=1
kubectl scale cm cm --replicas=1
kubectl set image deployment/web nginx=nginx:2
kubectl set image deployment/web nope=x
kubectl set env deployment/web X=y A-
kubectl set env deployment/web --list
kubectl set resources deployment web -c nginx --limits=cpu=200m,memory=512Mi
kubectl set serviceaccount deployment web robot
kubectl set selector svc nope a=b
kubectl autoscale deployment web --min=1 --max=3 --cpu-percent=80
kubectl get hpa web -o yaml
kubectl get hpa
kubectl get deployment web -o yaml
kubectl rollout history deployment/web
kubectl rollout pause deployment/web
kubectl rollout pause deployment/web
kubectl rollout resume deployment/web
kubectl rollout restart deployment/web
kubectl rollout undo deployment/web
kubectl rollout status deployment/web --timeout=1s
kubectl patch deployment web --subresource=status --type=merge -p '{"status":{"observedGeneration":99,"replicas":1,"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1}}'
kubectl rollout status deployment/web --timeout=5s
kubectl replace -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {replaced: 'yes'}
EOF
kubectl replace -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: nope}
EOF
kubectl replace --force -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {forced: 'yes'}
EOF
kubectl replace -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, resourceVersion: '1'}
EOF
kubectl get cm cm -o yaml
kubectl expose deployment web --port=80 --target-port=8080
kubectl expose deployment web --port=80
kubectl get svc web -o yaml
kubectl run one --image=busybox --labels=a=b --env=X=y --port=80 -- sleep 1
kubectl run one --image=busybox
kubectl run two --image=busybox --restart=Never --dry-run=server -o yaml
kubectl get pod one -o yaml
mkdir -p kustom; cp web.yaml kustom/; printf 'resources: [web.yaml]\nnamePrefix: k-\n' > kustom/kustomization.yaml
kubectl apply -k kustom
kubectl delete -k kustom
kubectl apply -f web.yaml --prune -l app=web --prune-allowlist=core/v1/ConfigMap
kubectl apply -f nosuchfile.yaml
kubectl apply --force -f web.yaml
