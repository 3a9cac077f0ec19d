// Command cel evaluates expressions as kube-apiserver does, one JSON document per line.
//
// Each line names an expression and, if it has any, the schema and data of `self`. The answer has
// the value or the message, the runtime cost and the estimated cost.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// in is one question.
type in struct {
	Expr   string          `json:"expr"`
	Schema json.RawMessage `json:"schema"`
	Root   bool            `json:"root"`
	Self   json.RawMessage `json:"self"`
	Stored bool            `json:"stored"`
}

// out is the answer; at most one of the texts is set.
type out struct {
	Issues  string `json:"issues,omitempty"`
	Program string `json:"program,omitempty"`
	Type    string `json:"type,omitempty"`
	Value   string `json:"value,omitempty"`
	Error   string `json:"error,omitempty"`
	Cost    uint64 `json:"cost"`
	Min     string `json:"min"`
	Max     string `json:"max"`
}

// sizeEstimator finds bounds in the schema, as rules of custom resources do.
type sizeEstimator struct{ root *apiservercel.DeclType }

func (c *sizeEstimator) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 || c.root == nil {
		return nil
	}
	currentNode := c.root
	for _, name := range element.Path()[1:] {
		switch name {
		case "@items", "@values":
			if currentNode.ElemType == nil {
				return nil
			}
			currentNode = currentNode.ElemType
		case "@keys":
			if currentNode.KeyType == nil {
				return nil
			}
			currentNode = currentNode.KeyType
		default:
			field, ok := currentNode.Fields[name]
			if !ok || field.Type == nil {
				return nil
			}
			currentNode = field.Type
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(currentNode.MaxElements)}
}
func (c *sizeEstimator) EstimateCallCost(function, overloadID string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	return nil
}

// show writes a value as one text that tells its type.
func show(v ref.Val) string {
	switch t := v.(type) {
	case types.Int:
		return fmt.Sprintf("int:%d", int64(t))
	case types.Uint:
		return fmt.Sprintf("uint:%d", uint64(t))
	case types.Double:
		b, _ := json.Marshal(fmt.Sprint(float64(t)))
		return "double:" + string(b)
	case types.Bool:
		return fmt.Sprintf("bool:%v", bool(t))
	case types.String:
		b, _ := json.Marshal(string(t))
		return "string:" + string(b)
	case types.Bytes:
		return fmt.Sprintf("bytes:%x", []byte(t))
	case types.Null:
		return "null"
	case types.Timestamp:
		return "timestamp:" + t.Time.UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
	case types.Duration:
		return fmt.Sprintf("duration:%d", int64(t.Duration))
	case *types.Type:
		return "type:" + t.TypeName()
	case *types.Optional:
		if !t.HasValue() {
			return "optional.none"
		}
		return "optional(" + show(t.GetValue()) + ")"
	case traits.Lister:
		s := "["
		for it := t.Iterator(); it.HasNext() == types.True; {
			if s != "[" {
				s += ","
			}
			s += show(it.Next())
		}
		return s + "]"
	case traits.Mapper:
		ks := []string{}
		for it := t.Iterator(); it.HasNext() == types.True; {
			k := it.Next()
			if k == nil {
				continue
			}
			ks = append(ks, show(k)+"="+show(t.Get(k)))
		}
		for i := range ks {
			for j := i + 1; j < len(ks); j++ {
				if ks[j] < ks[i] {
					ks[i], ks[j] = ks[j], ks[i]
				}
			}
		}
		b, _ := json.Marshal(ks)
		return "map" + string(b)
	}
	if v == nil {
		return "nil"
	}
	return "opaque:" + v.Type().TypeName()
}

func run(i in) (o out) {
	defer func() {
		if r := recover(); r != nil {
			o.Error = fmt.Sprintf("PANIC %v", r)
		}
	}()
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 33), true)
	var opts environment.VersionedOptions
	opts.IntroducedVersion = version.MajorMinor(1, 0)
	var root *apiservercel.DeclType
	vars := map[string]any{}
	if len(i.Schema) > 0 {
		var v1 apiextv1.JSONSchemaProps
		if err := json.Unmarshal(i.Schema, &v1); err != nil {
			return out{Issues: "SCHEMA " + err.Error()}
		}
		var internal apiextensions.JSONSchemaProps
		if err := apiextv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil); err != nil {
			return out{Issues: "SCHEMA " + err.Error()}
		}
		s, err := structuralschema.NewStructural(&internal)
		if err != nil {
			return out{Issues: "SCHEMA " + err.Error()}
		}
		root = model.SchemaDeclType(s, i.Root)
		if root == nil {
			return out{Issues: "SCHEMA no decl type"}
		}
		scoped := root.MaybeAssignTypeName("selfType")
		opts.EnvOptions = append(opts.EnvOptions, cel.Variable("self", scoped.CelType()), cel.Variable("oldSelf", scoped.CelType()))
		opts.DeclTypes = append(opts.DeclTypes, scoped)
		if len(i.Self) > 0 {
			var data any
			if err := utiljson.Unmarshal(i.Self, &data); err != nil {
				return out{Issues: "DATA " + err.Error()}
			}
			if i.Root {
				s2 := s
				if s2.Properties != nil {
					vars["self"] = common.UnstructuredToVal(data, (&model.Structural{Structural: s2}).WithTypeAndObjectMeta())
				}
			} else {
				vars["self"] = common.UnstructuredToVal(data, &model.Structural{Structural: s})
			}
		}
	} else {
		opts.EnvOptions = append(opts.EnvOptions, cel.Variable("self", cel.DynType))
		if len(i.Self) > 0 {
			var data any
			if err := utiljson.Unmarshal(i.Self, &data); err != nil {
				return out{Issues: "DATA " + err.Error()}
			}
			vars["self"] = data
		}
	}
	envSet, err := base.Extend(opts)
	if err != nil {
		return out{Issues: "ENV " + err.Error()}
	}
	env := envSet.NewExpressionsEnv()
	if i.Stored {
		env = envSet.StoredExpressionsEnv()
	}
	ast, issues := env.Compile(i.Expr)
	if issues != nil {
		return out{Issues: issues.String()}
	}
	o.Type = ast.OutputType().String()
	est := &library.CostEstimator{SizeEstimator: &sizeEstimator{root: root}}
	prog, err := env.Program(ast, cel.CostLimit(1000000), cel.CostTracking(est), cel.InterruptCheckFrequency(100))
	if err != nil {
		o.Program = err.Error()
		return o
	}
	ce, err := env.EstimateCost(ast, est)
	if err == nil {
		o.Min, o.Max = fmt.Sprint(ce.Min), fmt.Sprint(ce.Max)
	}
	v, det, err := prog.Eval(vars)
	if det != nil && det.ActualCost() != nil {
		o.Cost = *det.ActualCost()
	}
	if err != nil {
		o.Error = err.Error()
		return o
	}
	o.Value = show(v)
	return o
}

func main() {
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(make([]byte, 1<<20), 1<<26)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for sc.Scan() {
		var i in
		if err := json.Unmarshal(sc.Bytes(), &i); err != nil {
			fmt.Fprintf(w, "{\"issues\":%q}\n", err.Error())
			continue
		}
		b, _ := json.Marshal(run(i))
		w.Write(b)
		w.WriteByte('\n')
		w.Flush()
	}
}
