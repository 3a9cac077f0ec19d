# Explain, diff, dry runs and strict validation use upstream's words.
kubectl create ns cp-53
kubectl config set-context --current --namespace=cp-53 > /dev/null
kubectl explain crd.spec
kubectl explain crd.spec.versions.schema
cat > cm.yaml <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {a: b}
EOF
kubectl diff -f cm.yaml
kubectl apply -f cm.yaml --dry-run=server
kubectl get cm cm
kubectl apply -f cm.yaml
sed -i 's/a: b/a: c/' cm.yaml
kubectl diff -f cm.yaml
kubectl apply -f cm.yaml --dry-run=server -o yaml
kubectl get cm cm -o jsonpath='{.data.a}{"\n"}'
kubectl apply --validate=strict -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: strict}
dta: {a: b}
EOF
kubectl create --validate=strict -f - <<EOF
apiVersion: apps/v1
kind: Deployment
metadata: {name: strict}
spec: {replcas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i, imag: j}]}}}
EOF
kubectl apply --validate=warn -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: warned}
dta: {a: b}
EOF
