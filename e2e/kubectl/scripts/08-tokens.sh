# Tokens that live in Secrets. That they end with them is not compared: a real server believes them for ten more seconds.
kubectl create ns tokens
kubectl config set-context --current --namespace=tokens > /dev/null
kubectl create serviceaccount robot
kubectl create -f - <<END
apiVersion: v1
kind: Secret
metadata: {name: robot-token, annotations: {kubernetes.io/service-account.name: robot}}
type: kubernetes.io/service-account-token
END
kubectl wait secret/robot-token --for=jsonpath='{.data.token}' --timeout=20s
kubectl get secret robot-token -o jsonpath='{.data.namespace} {.type}'
kubectl describe secret robot-token | grep -v '^token:\|^ca.crt:\|uid'
kubectl auth whoami --token=$(kubectl get secret robot-token -o jsonpath='{.data.token}' | base64 -d)
kubectl get pods --token=$(kubectl get secret robot-token -o jsonpath='{.data.token}' | base64 -d)
kubectl create rolebinding robot --clusterrole=view --serviceaccount=tokens:robot
kubectl auth can-i list pods --token=$(kubectl get secret robot-token -o jsonpath='{.data.token}' | base64 -d)
kubectl delete serviceaccount robot
kubectl wait secret/robot-token --for=delete --timeout=20s > /dev/null
kubectl create secret generic bootstrap-token-abcdef -n kube-system --type=bootstrap.kubernetes.io/token --from-literal=token-id=abcdef --from-literal=token-secret=0123456789abcdef --from-literal=usage-bootstrap-authentication=true --from-literal=auth-extra-groups=system:bootstrappers:workers
sleep 1; kubectl auth whoami --token=abcdef.0123456789abcdef
kubectl get nodes --token=abcdef.0123456789abcdef
kubectl auth can-i create csr --token=abcdef.0123456789abcdef
kubectl delete secret bootstrap-token-abcdef -n kube-system
