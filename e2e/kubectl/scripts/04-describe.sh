# kubectl describe of the kinds people meet.
kubectl create namespace describe
kubectl config set-context --current --namespace=describe > /dev/null
kubectl apply -f - <<EOF
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Pod
    metadata: {name: p, labels: {app: a}, annotations: {note: x}}
    spec:
      nodeName: node1
      serviceAccountName: robot
      tolerations: [{key: x, operator: Exists, effect: NoSchedule}]
      volumes: [{name: v, configMap: {name: cm}}, {name: e, emptyDir: {}}]
      initContainers: [{name: i, image: init}]
      containers:
        - name: c
          image: nginx
          command: [sh, -c]
          args: ['sleep 1']
          ports: [{containerPort: 80, name: http}]
          env: [{name: A, value: b}, {name: S, valueFrom: {secretKeyRef: {name: s, key: k}}}, {name: F, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
          resources: {limits: {cpu: 500m, memory: 1Gi}, requests: {cpu: 100m}}
          livenessProbe: {httpGet: {path: /, port: http}}
          volumeMounts: [{name: v, mountPath: /v, readOnly: true}]
  - apiVersion: apps/v1
    kind: Deployment
    metadata: {name: d}
    spec: {selector: {matchLabels: {app: d}}, template: {metadata: {labels: {app: d}}, spec: {containers: [{name: c, image: nginx, ports: [{containerPort: 80}]}]}}}
  - {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: NodePort, selector: {app: a}, ports: [{name: http, port: 80, targetPort: http}]}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: cm}, data: {a: b, lines: "x\ny\n"}, binaryData: {bin: AAEC}}
  - {apiVersion: v1, kind: Secret, metadata: {name: sec}, stringData: {user: admin}}
  - {apiVersion: v1, kind: ServiceAccount, metadata: {name: robot}}
  - {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: st}, spec: {serviceName: s, selector: {matchLabels: {app: st}}, template: {metadata: {labels: {app: st}}, spec: {containers: [{name: c, image: nginx}]}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}}
  - {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: ds}, spec: {selector: {matchLabels: {app: ds}}, template: {metadata: {labels: {app: ds}}, spec: {containers: [{name: c, image: nginx}]}}}}
  - {apiVersion: batch/v1, kind: Job, metadata: {name: job}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}
  - {apiVersion: batch/v1, kind: CronJob, metadata: {name: cj}, spec: {schedule: '@daily', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}}}
  - {apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: ing}, spec: {rules: [{host: a.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: s, port: {number: 80}}}}]}}]}}
  - {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: np}, spec: {podSelector: {matchLabels: {app: a}}, ingress: [{from: [{podSelector: {}}], ports: [{port: 80}]}]}}
  - {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: pdb}, spec: {minAvailable: 1, selector: {matchLabels: {app: a}}}}
  - {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: hpa}, spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: d}}}
  - {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: pvc}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
  - {apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {pods: '5'}}}
  - {apiVersion: v1, kind: LimitRange, metadata: {name: l}, spec: {limits: [{type: Container, default: {cpu: 500m}}]}}
  - {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r}, rules: [{apiGroups: ['', apps], resources: [pods, deployments], verbs: [get, list]}, {apiGroups: [''], resources: [configmaps], resourceNames: [one], verbs: ['*']}]}
  - {apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: rb}, subjects: [{kind: ServiceAccount, name: robot}], roleRef: {kind: Role, name: r, apiGroup: rbac.authorization.k8s.io}}
EOF
kubectl describe pod p
kubectl describe pods
kubectl describe deployment d
kubectl describe service s
kubectl describe configmap cm
kubectl describe secret sec
kubectl describe serviceaccount robot
kubectl describe statefulset st
kubectl describe daemonset ds
kubectl describe job job
kubectl describe cronjob cj
kubectl describe ingress ing
kubectl describe networkpolicy np
kubectl describe pdb pdb
kubectl describe hpa hpa
kubectl describe pvc pvc
kubectl describe quota q
kubectl describe limits l
kubectl describe role r
kubectl describe rolebinding rb
kubectl describe clusterrole view
kubectl describe namespace describe
kubectl describe namespaces default
kubectl describe pod nope
kubectl describe nope
kubectl apply -f - <<EOF
apiVersion: v1
kind: Node
metadata: {name: node1, labels: {kubernetes.io/hostname: node1, node-role.kubernetes.io/worker: ''}}
spec: {podCIDR: 10.244.0.0/24, taints: [{key: k, value: v, effect: NoSchedule}]}
EOF
kubectl patch node node1 --subresource=status --type=merge -p '{"status":{"capacity":{"cpu":"4","memory":"8Gi","pods":"110"},"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"},"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","message":"ok"}],"addresses":[{"type":"InternalIP","address":"192.0.2.7"}],"nodeInfo":{"kubeletVersion":"v1.34.4","osImage":"Linux","kernelVersion":"6.1","containerRuntimeVersion":"containerd://2.0","architecture":"amd64","operatingSystem":"linux"}}}'
kubectl describe node node1
kubectl get nodes -o wide
kubectl cordon node1
kubectl cordon node1
kubectl get nodes
kubectl uncordon node1
kubectl taint nodes node1 dedicated=x:NoSchedule
kubectl taint nodes node1 dedicated:NoSchedule-
kubectl drain node1 --dry-run=server --force --ignore-daemonsets --delete-emptydir-data
kubectl label node node1 zone=a
kubectl get pods -o wide
kubectl logs p
kubectl logs nope
kubectl exec nope -- ls
kubectl top nodes
kubectl delete node node1
