# A rolling update from its first revision to its undoing, on played nodes.
kubectl create namespace rollout
kubectl config set-context --current --namespace=rollout >/dev/null
kubectl wait --for=create serviceaccount/default --timeout=60s
kubectl get nodes -o 'custom-columns=NAME:.metadata.name,READY:.status.conditions[?(@.type=="Ready")].status'
cat <<EOF | kubectl apply -f -
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {kubernetes.io/change-cause: first}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
      - {name: web, image: registry.invalid/web:1}
EOF
kubectl wait --for=condition=Available deployment/web --timeout=60s
kubectl rollout status deployment/web --timeout=60s
kubectl get pods -l app=web -o 'custom-columns=PHASE:.status.phase,BOUND:.status.conditions[?(@.type=="PodScheduled")].status'
kubectl rollout history deployment/web
kubectl set image deployment/web web=registry.invalid/web:2
kubectl annotate deployment/web kubernetes.io/change-cause=second --overwrite
kubectl rollout status deployment/web --timeout=60s | tail -n 1
kubectl wait --for=jsonpath='{.status.observedGeneration}'=2 deployment/web --timeout=60s
#! unordered
kubectl get replicasets -o 'custom-columns=NAME:.metadata.name,WANTED:.spec.replicas,READY:.status.readyReplicas,IMAGE:.spec.template.spec.containers[0].image,REVISION:.metadata.annotations.deployment\.kubernetes\.io/revision'
kubectl rollout history deployment/web
kubectl rollout history deployment/web --revision=2
kubectl rollout history deployment/web --revision=9
kubectl rollout undo deployment/web
kubectl rollout status deployment/web --timeout=60s | tail -n 1
kubectl get deployment web -o 'jsonpath={.spec.template.spec.containers[0].image}'
kubectl rollout history deployment/web
kubectl rollout undo deployment/web --to-revision=2 --dry-run=server
kubectl rollout undo deployment/web --to-revision=7
kubectl rollout pause deployment/web
kubectl rollout undo deployment/web
kubectl rollout resume deployment/web
kubectl rollout restart deployment/web
kubectl rollout status deployment/web --timeout=60s | tail -n 1
kubectl scale deployment/web --replicas=1
kubectl rollout status deployment/web --timeout=60s | tail -n 1
kubectl wait --for=jsonpath='{.status.replicas}'=1 deployment/web --timeout=60s
kubectl autoscale deployment/web --min=1 --max=3 --cpu=80
cat <<EOF | kubectl apply -f -
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store}
spec:
  replicas: 2
  serviceName: store
  selector: {matchLabels: {app: store}}
  template:
    metadata: {labels: {app: store}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
      - {name: store, image: registry.invalid/store:1}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
      - {name: agent, image: registry.invalid/agent:1}
EOF
kubectl wait --for=jsonpath='{.status.readyReplicas}'=2 statefulset/store --timeout=60s
kubectl rollout status statefulset/store --timeout=60s | tail -n 1
kubectl wait --for=jsonpath='{.status.numberAvailable}'=2 daemonset/agent --timeout=60s
kubectl rollout status daemonset/agent --timeout=60s | tail -n 1
kubectl set image statefulset/store store=registry.invalid/store:2
kubectl rollout status statefulset/store --timeout=60s | tail -n 1
kubectl rollout history statefulset/store
kubectl rollout undo statefulset/store
kubectl rollout status statefulset/store --timeout=60s | tail -n 1
kubectl set image daemonset/agent agent=registry.invalid/agent:2
kubectl rollout status daemonset/agent --timeout=60s | tail -n 1
kubectl rollout history daemonset/agent
kubectl rollout undo daemonset/agent --to-revision=1
kubectl rollout status daemonset/agent --timeout=60s | tail -n 1
kubectl get pod store-0 -o 'jsonpath={.spec.containers[0].image} {.status.phase}'
kubectl create job once --image=registry.invalid/once
kubectl wait --for=condition=Complete job/once --timeout=60s
kubectl get jobs
kubectl create cronjob hourly --image=registry.invalid/once --schedule='0 * * * *'
kubectl create job now --from=cronjob/hourly
kubectl wait --for=condition=Complete job/now --timeout=60s
kubectl delete cronjob hourly
kubectl wait --for=delete job/now --timeout=60s
kubectl delete deployment web --cascade=orphan
kubectl get deployments,horizontalpodautoscalers -o name
kubectl get replicasets -o 'jsonpath={range .items[*]}{.metadata.ownerReferences}{end}'
kubectl delete replicasets --all --cascade=foreground -o name | wc -l
kubectl get pods -l app=web
kubectl delete statefulset,daemonset,job --all
kubectl wait --for=delete pods --all --timeout=60s
kubectl get pods
kubectl config set-context --current --namespace=default >/dev/null
kubectl delete namespace rollout --timeout=60s
