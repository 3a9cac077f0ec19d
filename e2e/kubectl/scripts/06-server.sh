# What kubectl learns about the server, and about permissions.
kubectl version
kubectl version -o json
kubectl cluster-info
kubectl api-versions
kubectl api-resources
kubectl api-resources -o wide
kubectl api-resources -o name
kubectl api-resources --namespaced=false
kubectl api-resources --api-group=apps
kubectl api-resources --verbs=list,get --namespaced=true -o name
kubectl api-resources --categories=all
kubectl explain pods
kubectl explain pod.spec
kubectl explain pod.spec.containers.livenessProbe
kubectl explain deployments --recursive
kubectl explain deployment.spec.strategy --recursive
kubectl explain service.spec.ports
kubectl explain cronjob.spec --api-version=batch/v1
kubectl explain hpa --api-version=autoscaling/v1
kubectl explain ingress.spec.rules.http.paths.backend
kubectl explain clusterrole --recursive
kubectl explain pod.spec.nope
kubectl explain nope
kubectl explain configmap.data
kubectl auth whoami
kubectl auth whoami -o yaml
kubectl auth whoami --as jane --as-group devs
kubectl auth can-i create pods
kubectl auth can-i '*' '*'
kubectl auth can-i get pods --as jane
kubectl auth can-i get /healthz --as jane
kubectl auth can-i get pods --subresource=log --as jane -n default
kubectl auth can-i create nonsense
kubectl auth can-i list nodes -q --as jane
kubectl create namespace auth
kubectl create rolebinding viewers -n auth --clusterrole=view --user=jane --serviceaccount=auth:robot
kubectl auth can-i get pods --as jane -n auth
kubectl auth can-i delete pods --as jane -n auth
kubectl auth can-i get pods --as system:serviceaccount:auth:robot -n auth
#! unordered
kubectl auth can-i --list --as jane -n auth
#! unordered
kubectl auth can-i --list
kubectl get pods -n auth --as jane
kubectl get pods -n default --as jane
kubectl get pods -A --as jane
kubectl get nodes --as jane
kubectl create configmap x -n auth --as jane
kubectl delete pods --all -n auth --as jane
kubectl create rolebinding up -n auth --clusterrole=cluster-admin --user=jane --as jane
kubectl get secrets -n auth --as jane --as-group system:masters
kubectl create -f - <<EOF
apiVersion: authorization.k8s.io/v1
kind: SubjectAccessReview
spec: {user: jane, resourceAttributes: {namespace: auth, verb: get, resource: pods}}
EOF
kubectl create -o yaml -f - <<EOF
apiVersion: authorization.k8s.io/v1
kind: SubjectAccessReview
spec: {user: jane, resourceAttributes: {namespace: auth, verb: get, resource: pods}}
EOF
kubectl auth reconcile -f - <<EOF
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: made, namespace: auth}
rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]
EOF
kubectl get role made -n auth -o yaml
kubectl --token=nonsense get pods
kubectl get --raw /version | grep -v -e gitVersion -e gitCommit -e goVersion -e compiler
kubectl get --raw '/api/v1/namespaces?limit=1'
kubectl proxy --help > /dev/null
kubectl get --raw /livez/ping
kubectl certificate approve nope
kubectl delete --raw /api/v1/namespaces/auth/configmaps/nope
kubectl create --raw /api/v1/namespaces/auth/configmaps -f - <<EOF
{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"raw"}}
EOF
kubectl delete --raw /api/v1/namespaces/auth/configmaps/raw
kubectl plugin list
kubectl wait --for=condition=Available apiservice/v1.apps --timeout=2s
kubectl get apiservices
kubectl get --raw /openapi/v3 | head -c 20
