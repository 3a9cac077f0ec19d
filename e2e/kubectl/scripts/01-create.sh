# Every generator of kubectl create, and what it says.
kubectl create namespace create
kubectl config set-context --current --namespace=create > /dev/null
kubectl create namespace create
kubectl create namespace Bad_Name
kubectl create configmap cm --from-literal=a=b --from-literal=c=d
kubectl create configmap cm --from-literal=a=b
kubectl create secret generic sec --from-literal=user=admin --from-literal=pass=s3cret
openssl req -x509 -newkey rsa:2048 -nodes -keyout tls.key -out tls.crt -days 1 -subj /CN=example 2> /dev/null
kubectl create secret tls tls --cert=tls.crt --key=tls.key
kubectl create secret docker-registry reg --docker-server=registry.example --docker-username=u --docker-password=p --docker-email=e@example.com
kubectl create serviceaccount robot
kubectl create token robot
kubectl create token robot --duration=20m --audience=one --audience=two
kubectl create token nobody
kubectl create role reader --verb=get,list,watch --resource=pods,deployments.apps
kubectl create rolebinding readers --role=reader --user=jane --group=devs --serviceaccount=create:robot
kubectl create clusterrole e2e-metrics --verb=get --non-resource-url=/metrics
kubectl create clusterrole e2e-agg --aggregation-rule=e2e=yes
kubectl create clusterrolebinding e2e-metrics --clusterrole=e2e-metrics --user=jane
kubectl create role bad --verb=get --resource=nonsense
kubectl create deployment web --image=nginx:1.27 --replicas=3 --port=80
kubectl create deployment web --image=nginx:1.27
kubectl create service clusterip svc --tcp=80:8080
kubectl create service nodeport np --tcp=80:8080
kubectl create service loadbalancer lb --tcp=80:8080
kubectl create service externalname ext --external-name=example.com
kubectl create service clusterip headless --clusterip=None
kubectl create job once --image=busybox -- echo hello
kubectl create cronjob tick --image=busybox --schedule='*/5 * * * *' -- date
kubectl create job from-cron --from=cronjob/tick
kubectl create cronjob bad --image=busybox --schedule='nonsense' -- date
kubectl create ingress ing --rule='a.example/path*=svc:80,tls=tls' --class=nginx
kubectl create poddisruptionbudget pdb --selector=app=web --min-available=1
kubectl create quota quota --hard=cpu=1,pods=5
kubectl create priorityclass e2e-high --value=1000 --description=high
kubectl create -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {generateName: gen-}
EOF
kubectl create -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: unknown-fields}
nope: 1
EOF
kubectl create --validate=strict -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: strict, lables: {}}
nope: 1
EOF
kubectl create --validate=warn -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: warn}
nope: 1
EOF
kubectl create --validate=ignore -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: ignore}
nope: 1
EOF
kubectl create -f - <<EOF
apiVersion: nope.example/v1
kind: Thing
metadata: {name: x}
EOF
kubectl create -n missing configmap x
kubectl create configmap dry --from-literal=a=b --dry-run=server -o yaml
kubectl create configmap dry --from-literal=a=b --dry-run=client -o yaml
kubectl create deployment dry --image=nginx --dry-run=server
kubectl get all,configmaps,secrets,serviceaccounts,ingresses,roles,rolebindings,pdb,quota
kubectl get job once cronjob/tick -o yaml
kubectl get jobs,cronjobs -o yaml
kubectl get ingress ing -o yaml
kubectl get deployment web -o yaml
kubectl get priorityclass
kubectl get clusterrole e2e-agg e2e-metrics -o yaml
