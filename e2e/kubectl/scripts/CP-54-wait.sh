# Waiting ends when what is waited for is there.
kubectl create ns cp-54
kubectl config set-context --current --namespace=cp-54 > /dev/null
kubectl create deployment web --image=nginx:1 --replicas=2
kubectl wait deployment/web --for=condition=Available --timeout=1s
(sleep 1; kubectl patch deployment web --subresource=status --type=merge -p '{"status":{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"readyReplicas":2,"availableReplicas":2,"conditions":[{"type":"Available","status":"True"}]}}' > /dev/null) & kubectl wait deployment/web --for=condition=Available --timeout=20s; wait
kubectl wait deployment/web --for=jsonpath='{.status.readyReplicas}'=2 --timeout=10s
kubectl wait deployment/web --for=jsonpath='{.status.readyReplicas}'=3 --timeout=1s
kubectl rollout status deployment/web --timeout=10s
kubectl create cm gone
(sleep 1; kubectl delete cm gone > /dev/null) & kubectl wait cm/gone --for=delete --timeout=20s; wait
kubectl wait cm/never --for=delete --timeout=1s
kubectl wait cm/never --for=condition=Ready --timeout=1s
kubectl wait pod --for=create --all --timeout=1s
