# Custom resources: define, explain, create, list, select, scale, patch, delete.
kubectl create namespace custom
kubectl config set-context --current --namespace=custom > /dev/null
cat > crd.yaml <<EOF
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct], categories: [all, sheds]}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          description: A CronTab runs things at times.
          properties:
            spec:
              type: object
              required: [image]
              properties:
                cronSpec: {type: string, pattern: '^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$'}
                image: {type: string, description: What to run.}
                replicas: {type: integer, minimum: 1, maximum: 10, default: 1}
                tags: {type: array, items: {type: string}}
            status:
              type: object
              properties:
                replicas: {type: integer}
                labelSelector: {type: string}
      subresources:
        status: {}
        scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.labelSelector}
      selectableFields: [{jsonPath: .spec.image}]
      additionalPrinterColumns:
        - {name: Spec, type: string, jsonPath: .spec.cronSpec}
        - {name: Replicas, type: integer, jsonPath: .spec.replicas}
        - {name: Image, type: string, jsonPath: .spec.image, priority: 1}
        - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    - name: v1beta1
      served: true
      storage: false
      deprecated: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
EOF
kubectl create -f crd.yaml
kubectl wait --for=condition=established --timeout=30s crd/crontabs.stable.example.com
kubectl get crd crontabs.stable.example.com
kubectl get crd crontabs.stable.example.com -o jsonpath='{range .status.conditions[*]}{.type}={.status} {.reason} {.message}{"\n"}{end}{.status.storedVersions}{"\n"}'
for i in 1 2 3 4 5 6 7 8 9 10; do kubectl api-resources --api-group=stable.example.com 2>/dev/null | grep -q crontabs && kubectl explain crontabs > /dev/null 2>&1 && break; sleep 1; done
kubectl api-resources --api-group=stable.example.com
kubectl api-resources --api-group=stable.example.com -o wide
kubectl api-versions | grep stable
kubectl explain crontab
kubectl explain ct.spec
kubectl explain crontabs.spec.replicas
kubectl explain crontabs --recursive
kubectl explain crontabs.spec.nothing
kubectl explain crontabs --api-version=stable.example.com/v1beta1
kubectl get apiservice v1.stable.example.com
cat > ct.yaml <<EOF
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: first, labels: {app: x}}
spec: {cronSpec: '* * * * */5', image: my-image}
EOF
kubectl create -f ct.yaml
kubectl get crontabs
kubectl get ct -o wide
kubectl get sheds
kubectl get all
kubectl get ct first -o yaml
kubectl get ct first -o name
kubectl describe ct first
kubectl apply -f - <<EOF
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: second}
spec: {image: other, unknown: field}
EOF
kubectl apply -f - --validate=warn <<EOF
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: second}
spec: {image: other, unknown: field}
EOF
kubectl apply -f - --validate=false <<EOF
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: third}
spec: {cronSpec: nonsense, image: other}
EOF
kubectl apply -f - --validate=false <<EOF
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: third}
spec: {replicas: 11}
EOF
kubectl apply -f - <<EOF
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: third}
spec: {replicas: many, image: x}
EOF
kubectl get ct --field-selector spec.image=other
kubectl get ct --field-selector spec.cronSpec=x
kubectl get ct -l app=x
kubectl get ct --sort-by=.metadata.name -o custom-columns=NAME:.metadata.name,IMAGE:.spec.image
kubectl scale --replicas=3 crontabs/first
kubectl scale --replicas=4 --current-replicas=2 crontabs/first
kubectl scale --replicas=30 crontabs/first
kubectl get ct first -o jsonpath='{.spec.replicas} {.metadata.generation}{"\n"}'
kubectl patch ct first --type=merge -p '{"spec":{"image":"patched"}}'
kubectl patch ct first --type=json -p '[{"op":"replace","path":"/spec/image","value":"again"}]'
kubectl patch ct first -p '{"spec":{"image":"strategic"}}'
kubectl patch ct first --subresource=status --type=merge -p '{"status":{"replicas":3,"labelSelector":"a=b"}}'
kubectl get ct first --subresource=status
kubectl get ct first --subresource=scale
kubectl label ct first color=red
kubectl annotate ct first note=this
kubectl apply -f ct.yaml --dry-run=server
kubectl diff -f ct.yaml
kubectl apply -f ct.yaml
kubectl apply -f ct.yaml
kubectl replace -f ct.yaml
kubectl get crontabs.v1beta1.stable.example.com
kubectl get ct -A
kubectl auth can-i create crontabs.stable.example.com
kubectl create clusterrole crons --verb=get,list --resource=crontabs.stable.example.com --dry-run=client -o yaml
kubectl delete ct second
kubectl delete ct --all
kubectl get ct
kubectl create -f ct.yaml
kubectl delete crd crontabs.stable.example.com
kubectl get crd crontabs.stable.example.com
for i in 1 2 3 4 5 6 7 8 9 10; do kubectl get ct 2>&1 | grep -q "doesn't have" && break; sleep 1; done
kubectl get ct
