# Every way to look at things, with the columns of the real server.
kubectl create ns cp-52
kubectl config set-context --current --namespace=cp-52 > /dev/null
kubectl run one --image=nginx:1 --labels=app=web
kubectl run two --image=nginx:2 --labels=app=web
kubectl create deployment web --image=nginx:1 --replicas=2
for n in 1 2 3 4 5; do kubectl create cm item-$n --from-literal=n=$n; done
kubectl get pods
kubectl get pods -o wide
kubectl get deployments -o wide
kubectl get pods -o custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[0].image
kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}{"\t"}{.spec.containers[0].image}{"\n"}{end}'
kubectl get pods -A -l app=web
kubectl get cm --chunk-size=2
kubectl get cm --chunk-size=2 -o name
kubectl get cm --sort-by=.data.n --chunk-size=2
timeout 3 kubectl get cm -w --request-timeout=1s
kubectl get pods -w --output-watch-events --request-timeout=1s
kubectl apply -f - <<EOF
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crons.cp52.example.com}
spec:
  group: cp52.example.com
  scope: Namespaced
  names: {plural: crons, singular: cron, kind: Cron, shortNames: [cr52]}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {schedule: {type: string}, replicas: {type: integer}}}}}}
      additionalPrinterColumns:
        - {name: Schedule, type: string, jsonPath: .spec.schedule}
        - {name: Replicas, type: integer, jsonPath: .spec.replicas, priority: 1}
        - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
EOF
kubectl wait --for=condition=Established crd/crons.cp52.example.com --timeout=10s
kubectl apply -f - <<EOF
apiVersion: cp52.example.com/v1
kind: Cron
metadata: {name: nightly}
spec: {schedule: '0 0 * * *', replicas: 3}
EOF
kubectl get crons
kubectl get cr52 -o wide
kubectl get cron nightly -o custom-columns=S:.spec.schedule
kubectl get crd crons.cp52.example.com
kubectl delete crd crons.cp52.example.com
