//go:build tools

// Package tools pins the Helm that installs charts on both servers.
package tools

import _ "helm.sh/helm/v3/cmd/helm"
