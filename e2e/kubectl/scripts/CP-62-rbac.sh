# Nobody gives others what they do not have; roles that gather others take up new ones at once.
kubectl create ns cp-62
kubectl config set-context --current --namespace=cp-62 > /dev/null
kubectl create role binder --verb=create --resource=rolebindings.rbac.authorization.k8s.io
kubectl create rolebinding binder --role=binder --user=cp-62-jane
kubectl create role reader --verb=get --resource=configmaps
kubectl create rolebinding reader --role=reader --user=cp-62-jane
kubectl create role writer --verb=delete --resource=configmaps
sleep 1; kubectl create rolebinding mine --role=reader --user=joe --as=cp-62-jane
kubectl create rolebinding theirs --role=writer --user=joe --as=cp-62-jane
kubectl create rolebinding all --clusterrole=cluster-admin --user=joe --as=cp-62-jane
kubectl create clusterrole cp-62-gathers --aggregation-rule=cp-62=yes
kubectl create clusterrolebinding cp-62-gathers --clusterrole=cp-62-gathers --user=cp-62-joe
kubectl create -f - <<END
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: cp-62-part, labels: {cp-62: 'yes'}}
rules: [{apiGroups: [''], resources: [secrets], verbs: [list]}]
END
sleep 1; kubectl get clusterrole cp-62-gathers -o jsonpath='{.rules}'
kubectl auth can-i list secrets --as=cp-62-joe
kubectl label clusterrole cp-62-part cp-62-
sleep 1; kubectl auth can-i list secrets --as=cp-62-joe
kubectl get clusterrole cp-62-gathers -o jsonpath='{.rules}'
kubectl patch clusterrole cp-62-gathers --type=merge -p '{"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]}'
sleep 1; kubectl get clusterrole cp-62-gathers -o jsonpath='{.rules}'
kubectl delete clusterrole cp-62-gathers cp-62-part
kubectl delete clusterrolebinding cp-62-gathers
