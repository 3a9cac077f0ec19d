//go:build tools

// Package tools pins the etcd that the real kube-apiserver stores in.
package tools

import _ "go.etcd.io/etcd/server/v3"
