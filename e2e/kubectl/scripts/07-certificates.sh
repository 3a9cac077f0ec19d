# Asking for a certificate, getting it, and being someone with it. jane.csr and jane.key lie in the folder.
kubectl create -f - <<END
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: jane}
spec: {signerName: kubernetes.io/kube-apiserver-client, usages: [client auth], expirationSeconds: 3600, request: $(base64 < jane.csr | tr -d '\n')}
END
kubectl create -f - <<END
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: denied}
spec: {signerName: kubernetes.io/kube-apiserver-client, usages: [client auth], request: $(base64 < jane.csr | tr -d '\n')}
END
kubectl get csr
kubectl certificate approve jane
kubectl certificate deny denied
kubectl wait csr/jane --for=jsonpath='{.status.certificate}' --timeout=20s
kubectl get csr
kubectl get csr jane -o jsonpath='{.status.certificate}' | base64 -d > jane.crt
kubectl auth whoami -o jsonpath='{.status.userInfo.username} {.status.userInfo.groups}' --client-certificate=jane.crt --client-key=jane.key
kubectl get pods --client-certificate=jane.crt --client-key=jane.key
kubectl create clusterrolebinding jane --clusterrole=view --user=jane
kubectl auth can-i list pods --client-certificate=jane.crt --client-key=jane.key
kubectl certificate approve denied
kubectl delete csr jane denied
