# A release from its installation to its end, with CRDs and a hook at every point.
kubectl create namespace shop
helm version --template '{{.Version}}'
helm lint chart
helm install app chart -n shop --dry-run=server | grep -c '^kind:'
helm install app chart -n shop --wait --wait-for-jobs --timeout 60s
helm install app chart -n shop
helm list -A
helm status app -n shop
kubectl get secrets -n shop -o custom-columns=NAME:.metadata.name,TYPE:.type
kubectl get all,configmaps,serviceaccounts,roles,rolebindings,poddisruptionbudgets,catalogs -n shop -l release=app -o name | sed 's/-[bcdfghjklmnpqrstvwxz2456789]*$//' | sed 's/-[bcdfghjklmnpqrstvwxz2456789]*$//' | sort
kubectl get catalog app -n shop
kubectl get catalog app -n shop -o 'jsonpath={.spec}'
kubectl get deployment app -n shop -o 'jsonpath={.status.availableReplicas} {.metadata.annotations} {.metadata.labels}'
helm test app -n shop --timeout 60s
helm upgrade app chart -n shop --set greeting=bye,extraItem=true,replicas=3,image=registry.invalid/shop:2 --wait --timeout 60s
kubectl get catalog app -n shop
kubectl get deployment app -n shop -o 'jsonpath={.status.availableReplicas} {.spec.template.spec.containers[0].image}'
kubectl get secret app -n shop -o 'jsonpath={.data.seen}'
helm get values app -n shop
helm get manifest app -n shop
helm get hooks app -n shop | grep -c '^kind:'
helm get notes app -n shop
helm upgrade app chart -n shop --set broken=true
helm history app -n shop
helm upgrade app chart -n shop --set broken=true --atomic --timeout 60s
helm history app -n shop
helm rollback app 1 -n shop --wait --timeout 60s
kubectl get catalog app -n shop -o 'jsonpath={.spec}'
kubectl get deployment app -n shop -o 'jsonpath={.status.availableReplicas} {.spec.template.spec.containers[0].image}'
helm history app -n shop
kubectl scale deployment app -n shop --replicas=5
kubectl label configmap app -n shop mine=yes
helm upgrade app chart -n shop --no-hooks --reuse-values --set greeting=again
kubectl get deployment app -n shop -o 'jsonpath={.spec.replicas}'
kubectl get configmap app -n shop -o 'jsonpath={.data.greeting} {.metadata.labels.mine}'
helm upgrade other chart -n shop --install --no-hooks --skip-crds --set replicas=1
helm list -n shop
helm uninstall other -n shop --keep-history --no-hooks
helm list -n shop --all
helm uninstall other -n shop
helm uninstall app -n shop --wait --timeout 60s
helm uninstall app -n shop
helm list -A --all
# What Helm never deletes is a CRD of the folder crds/.
kubectl delete crd catalogs.shop.example
kubectl wait --for=delete pods --all -n shop --timeout=60s
# Nothing is left over.
kubectl get all,configmaps,secrets,serviceaccounts,roles,rolebindings,poddisruptionbudgets,endpointslices -n shop -o name
kubectl get clusterroles,clusterrolebindings -l release -o name
kubectl get crds -o name
kubectl delete namespace shop --timeout=60s
