# Everything kubectl sends as protobuf is understood.
kubectl create ns cp-49
kubectl config set-context --current --namespace=cp-49 > /dev/null
kubectl create cm settings --from-literal=a=b
kubectl create secret generic creds --from-literal=user=admin
kubectl create sa robot
kubectl create role reader --verb=get,list --resource=pods,configmaps
kubectl create rolebinding readers --role=reader --serviceaccount=cp-49:robot
kubectl create token robot
kubectl create token robot --duration=1h --bound-object-kind=Secret --bound-object-name=creds
kubectl create job once --image=busybox -- echo hello
kubectl auth can-i create pods
kubectl auth can-i list configmaps --as=system:serviceaccount:cp-49:robot
kubectl auth can-i delete configmaps --as=system:serviceaccount:cp-49:robot
kubectl auth can-i --list --as=system:serviceaccount:cp-49:robot
kubectl auth whoami
kubectl auth whoami --as=jane --as-group=devs
kubectl get cm,secret,sa,role,rolebinding,job -o name
