# Dependents go with their owner, before it, or not at all.
kubectl create ns cp-55
kubectl config set-context --current --namespace=cp-55 > /dev/null
kubectl create configmap background
kubectl create configmap foreground
kubectl create configmap orphan
kubectl create configmap keeper
kubectl create -f - <<END
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Secret, metadata: {name: of-background, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: background, uid: $(kubectl get cm background -o jsonpath={.metadata.uid})}]}}
- {apiVersion: v1, kind: Secret, metadata: {name: of-foreground, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: foreground, uid: $(kubectl get cm foreground -o jsonpath={.metadata.uid}), blockOwnerDeletion: true}]}}
- {apiVersion: v1, kind: Secret, metadata: {name: held, finalizers: [example.com/hold], ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: foreground, uid: $(kubectl get cm foreground -o jsonpath={.metadata.uid}), blockOwnerDeletion: true}]}}
- {apiVersion: v1, kind: Secret, metadata: {name: of-orphan, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: orphan, uid: $(kubectl get cm orphan -o jsonpath={.metadata.uid})}]}}
- {apiVersion: v1, kind: Secret, metadata: {name: of-two, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: background, uid: $(kubectl get cm background -o jsonpath={.metadata.uid})}, {apiVersion: v1, kind: ConfigMap, name: keeper, uid: $(kubectl get cm keeper -o jsonpath={.metadata.uid})}]}}
END
kubectl delete configmap background --cascade=background
kubectl wait secret/of-background --for=delete --timeout=20s > /dev/null
kubectl wait secret/of-two --for=jsonpath='{.metadata.ownerReferences[0].name}'=keeper --timeout=20s
kubectl get secret of-two -o jsonpath='{.metadata.ownerReferences[*].name}'
kubectl delete configmap foreground --cascade=foreground --wait=false
kubectl wait secret/of-foreground --for=delete --timeout=20s > /dev/null
kubectl wait secret/held --for=jsonpath='{.metadata.deletionTimestamp}' --timeout=20s
kubectl get configmap foreground -o jsonpath='{.metadata.finalizers}'
kubectl delete configmap foreground --cascade=foreground --timeout=1s
kubectl patch secret held --type=merge -p '{"metadata":{"finalizers":null}}'
kubectl wait secret/held configmap/foreground --for=delete --timeout=20s > /dev/null
kubectl delete configmap orphan --cascade=orphan
kubectl get secret of-orphan -o jsonpath='{.metadata.name}{.metadata.ownerReferences}'
kubectl create -f - <<END
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web}
spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: nginx}]}}}
END
kubectl create -f - <<END
apiVersion: v1
kind: Pod
metadata: {name: web-1, labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, controller: true, blockOwnerDeletion: true, uid: $(kubectl get rs web -o jsonpath={.metadata.uid})}]}
spec: {containers: [{name: c, image: nginx}]}
END
kubectl delete rs web --cascade=foreground --timeout=30s
kubectl get pods
kubectl delete configmap keeper --cascade=true
kubectl wait secret/of-two --for=delete --timeout=20s > /dev/null
kubectl delete secret of-orphan --cascade=sometimes
kubectl get secrets,configmaps
