# A namespace with a thousand objects goes, but for what holds on to one of them.
kubectl create -f - <<END
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.cp56.example.com}
spec:
  group: cp56.example.com
  scope: Namespaced
  names: {plural: boats, kind: Boat}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
END
kubectl wait crd/boats.cp56.example.com --for=condition=Established --timeout=20s
kubectl create ns cp-56
(echo 'apiVersion: v1'; echo 'kind: List'; echo 'items:'; for i in $(seq 1 999); do echo "- {apiVersion: v1, kind: ConfigMap, metadata: {name: m-$i}}"; done; echo '- {apiVersion: cp56.example.com/v1, kind: Boat, metadata: {name: held, finalizers: [example.com/hold]}}') > cp-56.yaml
kubectl create -n cp-56 -f cp-56.yaml | wc -l
kubectl delete ns cp-56 --wait=false
kubectl wait ns/cp-56 --for=condition=NamespaceFinalizersRemaining --timeout=50s
kubectl get ns cp-56 -o jsonpath='{.status.phase}{"\n"}{range .status.conditions[*]}{.type} {.status} {.reason} {.message}{"\n"}{end}'
kubectl get configmaps,boats -n cp-56
kubectl create configmap late -n cp-56
kubectl patch boat held -n cp-56 --type=merge -p '{"metadata":{"finalizers":null}}'
kubectl wait ns/cp-56 --for=delete --timeout=50s > /dev/null
kubectl get ns cp-56
kubectl delete crd boats.cp56.example.com
