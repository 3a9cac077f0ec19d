/** Templates and what kubectl prints for the sample object. */
export const PRINTED: readonly (readonly [string, string])[] = [
  ['hello', 'hello'],
  ['{{.kind}}', 'ConfigMap'],
  ['{{ .kind }}', 'ConfigMap'],
  ['{{.metadata.name}}', 'sample'],
  [
    '{{.metadata}}',
    'map[annotations:map[k:v lines:one\ntwo note:a "quoted" <text> & more] labels:map[app:web example.com/tier:front] name:sample namespace:shop]',
  ],
  ['{{.extra.list}}', '[a b c d]'],
  ['{{.extra.mixed}}', '[x 1 2.5 true <nil> map[k:v]]'],
  [
    '{{.}}',
    'map[apiVersion:v1 data:map[10:ten 2:two a:x] extra:map[bare:map[] big:9007199254740993 containers:[map[image:nginx:1.25 name:web ports:[map[containerPort:80 name:http] map[containerPort:443]] resources:map[limits:map[cpu:500m]]] map[image:fluent/fluent-bit:2.0 name:log ports:[map[containerPort:2020]]]] empty: encoded:aGVsbG8= float:1.5 large:1.23456725e+06 list:[a b c d] matrix:[[1 2] [3 4] [5 6]] mixed:[x 1 2.5 true <nil> map[k:v]] negative:-7 no:false none:[] nothing:<nil> numbers:[3 1 2] points:[map[id:p1 tags:[t1 t2] x:4 y:-5] map[id:p2 tags:[] x:-2 z:1.25] map[id:p3 name:it\'s tags:[t3] y:3] map[id:p4 on:true x:<nil>]] small:1e-05 unicode:Größe ⛵ whole:5 yes:true] kind:ConfigMap metadata:map[annotations:map[k:v lines:one\ntwo note:a "quoted" <text> & more] labels:map[app:web example.com/tier:front] name:sample namespace:shop]]',
  ],
  [
    '{{$}}',
    'map[apiVersion:v1 data:map[10:ten 2:two a:x] extra:map[bare:map[] big:9007199254740993 containers:[map[image:nginx:1.25 name:web ports:[map[containerPort:80 name:http] map[containerPort:443]] resources:map[limits:map[cpu:500m]]] map[image:fluent/fluent-bit:2.0 name:log ports:[map[containerPort:2020]]]] empty: encoded:aGVsbG8= float:1.5 large:1.23456725e+06 list:[a b c d] matrix:[[1 2] [3 4] [5 6]] mixed:[x 1 2.5 true <nil> map[k:v]] negative:-7 no:false none:[] nothing:<nil> numbers:[3 1 2] points:[map[id:p1 tags:[t1 t2] x:4 y:-5] map[id:p2 tags:[] x:-2 z:1.25] map[id:p3 name:it\'s tags:[t3] y:3] map[id:p4 on:true x:<nil>]] small:1e-05 unicode:Größe ⛵ whole:5 yes:true] kind:ConfigMap metadata:map[annotations:map[k:v lines:one\ntwo note:a "quoted" <text> & more] labels:map[app:web example.com/tier:front] name:sample namespace:shop]]',
  ],
  ['{{$.kind}}', 'ConfigMap'],
  ['{{.missing}}', '<no value>'],
  ['{{.missing.deeper}}', '<no value>'],
  ['{{.extra.nothing}}', '<no value>'],
  [
    '{{.extra.whole}} {{.extra.negative}} {{.extra.float}} {{.extra.large}} {{.extra.small}} {{.extra.big}}',
    '5 -7 1.5 1.23456725e+06 1e-05 9007199254740993',
  ],
  ['{{.extra.yes}} {{.extra.no}} [{{.extra.empty}}]', 'true false []'],
  ['{{range .extra.list}}{{.}},{{end}}', 'a,b,c,d,'],
  ['{{range $i, $e := .extra.list}}{{$i}}={{$e}} {{end}}', '0=a 1=b 2=c 3=d '],
  ['{{range $e := .extra.list}}{{$e}} {{end}}', 'a b c d '],
  ['{{range $k, $v := .metadata.labels}}{{$k}}:{{$v}};{{end}}', 'app:web;example.com/tier:front;'],
  ['{{range .metadata.labels}}{{.}};{{end}}', 'web;front;'],
  ['{{range .extra.none}}x{{else}}empty{{end}}', 'empty'],
  ['{{range .missing}}x{{else}}empty{{end}}', 'empty'],
  ['{{range .extra.nothing}}x{{else}}empty{{end}}', 'empty'],
  ['{{range .extra.mixed}}[{{.}}]{{end}}', '[x][1][2.5][true][<no value>][map[k:v]]'],
  ['{{range 3}}{{.}}{{end}}', '012'],
  ['{{range $i := 3}}{{$i}}{{end}}', '012'],
  ['{{range .extra.whole}}{{.}}{{end}}', '01234'],
  [
    '{{range .extra.points}}{{.id}} {{with .x}}{{.}}{{else}}-{{end}};{{end}}',
    'p1 4;p2 -2;p3 -;p4 -;',
  ],
  ['{{range .extra.points}}{{if eq .id "p2"}}{{break}}{{end}}{{.id}}{{end}}', 'p1'],
  ['{{range .extra.points}}{{if eq .id "p2"}}{{continue}}{{end}}{{.id}}{{end}}', 'p1p3p4'],
  ['{{range .extra.points}}{{range .tags}}{{.}}{{end}}|{{end}}', 't1t2||t3||'],
  [
    '{{range .extra.containers}}{{.name}}{{"\\n"}}{{range .ports}}{{.containerPort}} {{end}}{{end}}',
    'web\n80 443 log\n2020 ',
  ],
  ['{{if .extra.yes}}yes{{end}}', 'yes'],
  ['{{if .extra.no}}yes{{else}}no{{end}}', 'no'],
  ['{{if .extra.no}}a{{else if .extra.yes}}b{{else}}c{{end}}', 'b'],
  ['{{if not .extra.no}}x{{end}}', 'x'],
  ['{{if .missing}}a{{else}}b{{end}}', 'b'],
  ['{{if .extra.nothing}}a{{else}}b{{end}}', 'b'],
  ['{{if .extra.empty}}a{{else}}b{{end}}', 'b'],
  ['{{if .extra.none}}a{{else}}b{{end}}', 'b'],
  ['{{if .extra.bare}}a{{else}}b{{end}}', 'b'],
  [
    '{{if 0}}a{{else}}b{{end}}{{if 1}}a{{else}}b{{end}}{{if 0.0}}a{{else}}b{{end}}{{if ""}}a{{else}}b{{end}}',
    'babb',
  ],
  ['{{if and .extra.yes .extra.whole}}{{and .extra.yes .extra.whole}}{{end}}', '5'],
  ['{{or .missing .extra.empty "default"}}', 'default'],
  ['{{or .missing}}', '<no value>'],
  ['{{and .missing .kind}}', '<no value>'],
  ['{{with .metadata}}{{.name}} {{$.kind}}{{end}}', 'sample ConfigMap'],
  ['{{with .missing}}x{{else}}none{{end}}', 'none'],
  ['{{with $x := .kind}}{{$x}}{{end}}', 'ConfigMap'],
  ['{{with .missing}}x{{else with .kind}}{{.}}{{else}}y{{end}}', 'ConfigMap'],
  ['{{$x := .kind}}{{$x}}', 'ConfigMap'],
  ['{{$x := 1}}{{$x = 2}}{{$x}}', '2'],
  ['{{$x := 1}}{{if true}}{{$x = 2}}{{$x := 3}}{{$x}}{{end}}{{$x}}', '32'],
  ['{{$x := .missing}}[{{$x}}]', '[<no value>]'],
  ['{{eq .kind "ConfigMap"}} {{eq .kind "x" "ConfigMap"}} {{ne .kind "x"}}', 'true true true'],
  ['{{eq .extra.whole 5}} {{eq 5 .extra.whole}} {{eq .extra.float 1.5}}', 'true true true'],
  ['{{eq .missing "x"}}', 'false'],
  ['{{eq .missing .missing}}', 'true'],
  ['{{eq .extra.nothing nil}}', 'true'],
  ['{{eq .extra.nothing .missing}}', 'true'],
  ['{{eq .extra.yes true}}', 'true'],
  [
    '{{lt .extra.whole 6}} {{le .extra.whole 5}} {{gt .extra.whole 5}} {{ge .extra.whole 5}} {{lt "a" "b"}}',
    'true true false true true',
  ],
  ['{{len .extra.list}} {{len .kind}} {{len .metadata.labels}} {{len .extra.unicode}}', '4 9 2 11'],
  [
    '{{index .extra.list 1}} {{index .metadata.labels "example.com/tier"}} {{index .extra.points 0 "id"}} {{index .extra.matrix 1 0}}',
    'b front p1 3',
  ],
  ['{{index .metadata.labels "none"}}', '<no value>'],
  ['{{index .kind 0}}', '67'],
  [
    '{{slice .extra.list 1 3}} {{slice .kind 0 6}} {{slice .kind 6}} {{slice .extra.list}}',
    '[b c] Config Map [a b c d]',
  ],
  [
    '{{print .kind 1 2 "x" 3}} {{print 1 2}} {{print}} {{print .missing}} {{print nil}}',
    'ConfigMap1 2x3 1 2  <nil> <nil>',
  ],
  ['{{println .kind 1 "x"}}', 'ConfigMap 1 x\n'],
  ['{{printf "%s is %d and %v" .kind .extra.whole .extra.list}}', 'ConfigMap is 5 and [a b c d]'],
  [
    '{{printf "%5d|%-5d|%05d|%+d|%x|%X|%o|%b|%#x|%c|%U|%q" 42 42 42 42 255 255 8 5 255 65 65 65}}',
    "   42|42   |00042|+42|ff|FF|10|101|0xff|A|U+0041|'A'",
  ],
  [
    '{{printf "%8.2f|%-8.2f|%08.2f|%e|%g|%G|%.3g|%v" .extra.float .extra.float .extra.float .extra.float .extra.float .extra.small .extra.large .extra.large}}',
    '    1.50|1.50    |00001.50|1.500000e+00|1.5|1E-05|1.23e+06|1.23456725e+06',
  ],
  [
    '{{printf "%s|%10s|%-10s|%.3s|%q|%x|%X|% x|%#q" .kind .kind .kind .kind .metadata.annotations.note .kind .kind .kind .kind}}',
    'ConfigMap| ConfigMap|ConfigMap |Con|"a \\"quoted\\" <text> & more"|436f6e6669674d6170|436F6E6669674D6170|43 6f 6e 66 69 67 4d 61 70|`ConfigMap`',
  ],
  [
    '{{printf "%t %v %T %T %T %T %T %T" true false .kind .extra.whole 5 .extra.float .extra.list .metadata}}',
    'true false string int64 int float64 []interface {} map[string]interface {}',
  ],
  ['{{printf "%d" .kind}}', '%!d(string=ConfigMap)'],
  ['{{printf "%s" .extra.whole}}', '%!s(int64=5)'],
  ['{{printf "%s" 5}}', '%!s(int=5)'],
  ['{{printf "%d" .extra.float}}', '%!d(float64=1.5)'],
  ['{{printf "%s %s" .kind}}', 'ConfigMap %!s(MISSING)'],
  ['{{printf "%s" .kind .kind 5}}', 'ConfigMap%!(EXTRA string=ConfigMap, int=5)'],
  [
    '{{printf "%"}} {{printf "%!"}} {{printf "%z" 1}} {{printf "100%%"}}',
    '%!(NOVERB) %!!(MISSING) %!z(int=1) 100%',
  ],
  ['{{printf "%v %s %d" .missing .missing .extra.nothing}}', '<nil> %!s(<nil>) %!d(<nil>)'],
  ['{{printf "%*d|%-*d|%.*f" 5 42 5 42 2 .extra.float}}', '   42|42   |1.50'],
  [
    '{{printf "%v %+v %#v" .metadata.labels .metadata.labels .metadata.labels}}',
    'map[app:web example.com/tier:front] map[app:web example.com/tier:front] map[string]interface {}{"app":"web", "example.com/tier":"front"}',
  ],
  [
    '{{printf "%#v %#v %#v %#v" .extra.list .extra.whole .kind .extra.nothing}}',
    '[]interface {}{"a", "b", "c", "d"} 5 "ConfigMap" <nil>',
  ],
  [
    '{{printf "%s" .extra.list}} {{printf "%q" .extra.list}} {{printf "%d" .extra.numbers}} {{printf "%s" .extra.mixed}}',
    '[a b c d] ["a" "b" "c" "d"] [3 1 2] [x %!s(int64=1) %!s(float64=2.5) %!s(bool=true) <nil> map[k:v]]',
  ],
  ['{{.kind | printf "%s!"}}', 'ConfigMap!'],
  ['{{.kind | printf "%s-%s" "a" | len}}', '11'],
  ['{{"quoted" | printf "%q"}}', '"quoted"'],
  ['{{.extra.encoded | base64decode}} {{base64decode "aGk="}}', 'hello hi'],
  [
    '{{exists .metadata "name"}} {{exists .metadata "nope"}} {{exists .extra.list 1}} {{exists .extra.list 9}} {{exists . "extra" "nothing"}} {{exists .missing "x"}} {{exists .kind}}',
    'true false true false false false true',
  ],
  [
    '{{html .metadata.annotations.note}} {{js .metadata.annotations.note}} {{urlquery .metadata.annotations.note}}',
    'a &#34;quoted&#34; &lt;text&gt; &amp; more a \\"quoted\\" \\u003Ctext\\u003E \\u0026 more a+%22quoted%22+%3Ctext%3E+%26+more',
  ],
  ['{{js .extra.unicode}} {{urlquery .extra.unicode}}', 'Größe ⛵ Gr%C3%B6%C3%9Fe+%E2%9B%B5'],
  ['{{not .missing}} {{not .kind}}', 'true false'],
  ['{{- .kind -}}   x', 'ConfigMapx'],
  ['  {{- "trim" -}}  ', 'trim'],
  ['a  {{- /* comment */ -}}  b', 'ab'],
  ['{{/* comment */}}x', 'x'],
  ['{{(index .extra.points 0).id}}', 'p1'],
  ['{{(.metadata).name}}', 'sample'],
  ['{{(len .extra.list)}}', '4'],
  ['{{len (index .extra.points 0).tags}}', '2'],
  ['{{with (index .extra.points 0)}}{{.id}}{{end}}', 'p1'],
  [
    '{{"string"}} {{`raw\\n`}} {{\'a\'}} {{true}} {{5}} {{5.0}} {{1e3}} {{0x10}} {{010}} {{1_000}} {{-3}} {{.5}}',
    'string raw\\n 97 true 5 5 1000 16 8 1000 -3 0.5',
  ],
  ['{{.kind | }}', 'ConfigMap'],
  ['{{.kind | printf "%s" | printf "%s"}}', 'ConfigMap'],
  ['{{define "t"}}<{{.}}>{{end}}{{template "t" .kind}}{{template "t"}}', '<ConfigMap><<no value>>'],
  ['{{block "b" .metadata}}[{{.name}}]{{end}}', '[sample]'],
  ['{{template "t" .kind}}{{define "t"}}later {{.}}{{end}}', 'later ConfigMap'],
  ['{{.kind}}{{"}}"}}', 'ConfigMap}}'],
  ['{{"{{"}}', '{{'],
  ['{{.metadata.labels.app | eq "web"}}', 'true'],
  ['{{if eq .metadata.labels.app "web" | not}}a{{else}}b{{end}}', 'b'],
  ['{{range $i, $p := .extra.points}}{{if $i}}, {{end}}{{$p.id}}{{end}}', 'p1, p2, p3, p4'],
  [
    '{{range .extra.points}}{{$.kind}}/{{.id}} {{end}}',
    'ConfigMap/p1 ConfigMap/p2 ConfigMap/p3 ConfigMap/p4 ',
  ],
  ['{{and 1 0 2}} {{or 0 1 2}} {{and 1 2}} {{1 | and 2}} {{0 | or 0}}', '0 1 2 1 0'],
  ['{{index .extra.matrix 1}} {{index (index .extra.matrix 1) 1}}', '[3 4] 4'],
  [
    '{{.kind}} {{.metadata.namespace}}/{{.metadata.name}}{{"\\t"}}{{.extra.whole}}{{"\\n"}}',
    'ConfigMap shop/sample\t5\n',
  ],
  ['{{range .extra.containers}}{{.resources.limits.cpu}} {{end}}', '500m <no value> '],
  ['{{range $k, $v := .data}}{{$k}}={{$v}} {{end}}', '10=ten 2=two a=x '],
  ['{{.extra.unicode | printf "%10s|"}}', '   Größe ⛵|'],
];

/** Templates that cannot be read, and why. */
export const UNREADABLE: readonly (readonly [string, string])[] = [
  ['{{$undefined}}', 'template: output:1: undefined variable "$undefined"'],
  ['{{/* unclosed', 'template: output:1: unclosed comment'],
  ['{{/* a */ b}}', 'template: output:1: comment ends before closing delimiter'],
  ['{{5 | .}}', 'template: output:1: non executable command in pipeline stage 2'],
  ['{{. | 5}}', 'template: output:1: non executable command in pipeline stage 2'],
  ['{{| .kind}}', 'template: output:1: unexpected "|" in command'],
  ['{{}}', 'template: output:1: missing value for command'],
  ['{{ }}', 'template: output:1: missing value for command'],
  ['{{unknown .kind}}', 'template: output:1: function "unknown" not defined'],
  ['{{.kind', 'template: output:1: unclosed action'],
  ['{{"unclosed}}', 'template: output:1: unterminated quoted string'],
  ['{{`unclosed}}', 'template: output:1: unterminated raw quoted string'],
  ["{{'a}}", 'template: output:1: unterminated character constant'],
  ['{{if .kind}}', 'template: output:1: unexpected EOF'],
  ['{{end}}', 'template: output:1: unexpected {{end}}'],
  ['{{else}}', 'template: output:1: unexpected {{else}}'],
  ['{{if}}x{{end}}', 'template: output:1: missing value for if'],
  ['{{range}}x{{end}}', 'template: output:1: missing value for range'],
  ['{{if .kind}}a{{else}}b{{else}}c{{end}}', 'template: output:1: expected end; found {{else}}'],
  ['{{break}}', 'template: output:1: {{break}} outside {{range}}'],
  ['{{.kind)}}', 'template: output:1: unexpected right paren'],
  ['{{(.kind}}', 'template: output:1: unclosed left paren'],
  ['{{.a-b}}', "template: output:1: bad character U+002D '-'"],
  ['{{$x, $y := .kind}}', 'template: output:1: too many declarations in command'],
  [
    '{{range $a, $b, $c := .extra.list}}{{end}}',
    'template: output:1: too many declarations in range',
  ],
  ['{{1.2.3}}', 'template: output:1: unexpected ".3" in operand'],
  ['{{0b102}}', 'template: output:1: bad number syntax: "0b102"'],
  ['{{99999999999999999999}}', 'template: output:1: integer overflow: "99999999999999999999"'],
  ['{{"\\q"}}', 'template: output:1: invalid syntax'],
  ['{{@}}', 'template: output:1: unexpected "@" in command'],
  ['{{true.x}}', 'template: output:1: unexpected . after term "true"'],
  ['{{nil.x}}', 'template: output:1: unexpected . after term "nil"'],
];

/** Templates that cannot be run, and why. */
export const FAILING: readonly (readonly [string, string])[] = [
  [
    '{{.extra.nothing.deeper}}',
    'template: output:1:8: executing "output" at <.extra.nothing.deeper>: nil pointer evaluating interface {}.deeper',
  ],
  [
    '{{.kind.deeper}}',
    'template: output:1:7: executing "output" at <.kind.deeper>: can\'t evaluate field deeper in type interface {}',
  ],
  [
    '{{.extra.whole.deeper}}',
    'template: output:1:8: executing "output" at <.extra.whole.deeper>: can\'t evaluate field deeper in type interface {}',
  ],
  [
    '{{.extra.list.deeper}}',
    'template: output:1:8: executing "output" at <.extra.list.deeper>: can\'t evaluate field deeper in type interface {}',
  ],
  [
    '{{range .kind}}x{{end}}',
    'template: output:1:8: executing "output" at <.kind>: range can\'t iterate over ConfigMap',
  ],
  [
    '{{range .extra.float}}x{{end}}',
    'template: output:1:14: executing "output" at <.extra.float>: range can\'t iterate over 1.5',
  ],
  [
    '{{and}}',
    'template: output:1:2: executing "output" at <and>: wrong number of args for and: want at least 1 got 0',
  ],
  [
    '{{or}}',
    'template: output:1:2: executing "output" at <or>: wrong number of args for or: want at least 1 got 0',
  ],
  [
    '{{eq .extra.whole 5.0}}',
    'template: output:1:2: executing "output" at <eq .extra.whole 5.0>: error calling eq: incompatible types for comparison: int64 and float64',
  ],
  [
    '{{eq .extra.whole "5"}}',
    'template: output:1:2: executing "output" at <eq .extra.whole "5">: error calling eq: incompatible types for comparison: int64 and string',
  ],
  [
    '{{eq .extra.list .extra.list}}',
    'template: output:1:2: executing "output" at <eq .extra.list .extra.list>: error calling eq: non-comparable type [a b c d]: []interface {}',
  ],
  [
    '{{eq .extra.list .extra.bare}}',
    'template: output:1:2: executing "output" at <eq .extra.list .extra.bare>: error calling eq: non-comparable types [a b c d]: []interface {}, map[string]interface {}: map[]',
  ],
  [
    '{{eq .kind}}',
    'template: output:1:2: executing "output" at <eq .kind>: error calling eq: missing argument for comparison',
  ],
  [
    '{{lt .extra.yes true}}',
    'template: output:1:2: executing "output" at <lt .extra.yes true>: error calling lt: invalid type for comparison',
  ],
  [
    '{{lt .missing 1}}',
    'template: output:1:2: executing "output" at <lt .missing 1>: error calling lt: invalid type for comparison',
  ],
  [
    '{{lt .extra.whole "a"}}',
    'template: output:1:2: executing "output" at <lt .extra.whole "a">: error calling lt: incompatible types for comparison: int64 and string',
  ],
  [
    '{{lt .extra.list 1}}',
    'template: output:1:2: executing "output" at <lt .extra.list 1>: error calling lt: invalid type for comparison',
  ],
  [
    '{{len .missing}}',
    'template: output:1:2: executing "output" at <len .missing>: error calling len: reflect: call of reflect.Value.Type on zero Value',
  ],
  [
    '{{len .extra.nothing}}',
    'template: output:1:2: executing "output" at <len .extra.nothing>: error calling len: len of nil pointer',
  ],
  [
    '{{len .extra.whole}}',
    'template: output:1:2: executing "output" at <len .extra.whole>: error calling len: len of type int64',
  ],
  [
    '{{len 3}}',
    'template: output:1:2: executing "output" at <len 3>: error calling len: len of type int',
  ],
  [
    '{{index .extra.list 4}}',
    'template: output:1:2: executing "output" at <index .extra.list 4>: error calling index: reflect: slice index out of range',
  ],
  [
    '{{index .extra.list 9}}',
    'template: output:1:2: executing "output" at <index .extra.list 9>: error calling index: index out of range: 9',
  ],
  [
    '{{index .extra.list -1}}',
    'template: output:1:2: executing "output" at <index .extra.list -1>: error calling index: index out of range: -1',
  ],
  [
    '{{index .extra.list "a"}}',
    'template: output:1:2: executing "output" at <index .extra.list "a">: error calling index: cannot index slice/array with type string',
  ],
  [
    '{{index .extra.list 1.5}}',
    'template: output:1:2: executing "output" at <index .extra.list 1.5>: error calling index: cannot index slice/array with type float64',
  ],
  [
    '{{index .metadata.labels 1}}',
    'template: output:1:2: executing "output" at <index .metadata.labels 1>: error calling index: value has type int; should be string',
  ],
  [
    '{{index .missing 1}}',
    'template: output:1:2: executing "output" at <index .missing 1>: error calling index: index of untyped nil',
  ],
  [
    '{{index .extra.nothing 1}}',
    'template: output:1:2: executing "output" at <index .extra.nothing 1>: error calling index: index of untyped nil',
  ],
  [
    '{{index .extra.whole 1}}',
    'template: output:1:2: executing "output" at <index .extra.whole 1>: error calling index: can\'t index item of type int64',
  ],
  [
    '{{index .kind 99}}',
    'template: output:1:2: executing "output" at <index .kind 99>: error calling index: index out of range: 99',
  ],
  [
    '{{index .metadata.labels nil}}',
    'template: output:1:2: executing "output" at <index .metadata.labels nil>: error calling index: value is nil; should be of type string',
  ],
  [
    '{{index .extra.list nil}}',
    'template: output:1:2: executing "output" at <index .extra.list nil>: error calling index: cannot index slice/array with nil',
  ],
  [
    '{{slice .kind 3 1}}',
    'template: output:1:2: executing "output" at <slice .kind 3 1>: error calling slice: invalid slice index: 3 > 1',
  ],
  [
    '{{slice .kind 0 99}}',
    'template: output:1:2: executing "output" at <slice .kind 0 99>: error calling slice: index out of range: 99',
  ],
  [
    '{{slice .kind 0 1 2}}',
    'template: output:1:2: executing "output" at <slice .kind 0 1 2>: error calling slice: cannot 3-index slice a string',
  ],
  [
    '{{slice .extra.whole 1}}',
    'template: output:1:2: executing "output" at <slice .extra.whole 1>: error calling slice: can\'t slice item of type int64',
  ],
  [
    '{{slice .missing 1}}',
    'template: output:1:2: executing "output" at <slice .missing 1>: error calling slice: slice of untyped nil',
  ],
  ['{{printf 5}}', 'template: output:1:9: executing "output" at <5>: expected string; found 5'],
  [
    '{{printf .extra.whole}}',
    'template: output:1:15: executing "output" at <.extra.whole>: wrong type for value; expected string; got int64',
  ],
  [
    '{{printf .missing}}',
    'template: output:1:9: executing "output" at <.missing>: invalid value; expected string',
  ],
  [
    '{{printf nil}}',
    'template: output:1:9: executing "output" at <nil>: cannot assign nil to string',
  ],
  [
    '{{printf}}',
    'template: output:1:2: executing "output" at <printf>: wrong number of args for printf: want at least 1 got 0',
  ],
  [
    '{{base64decode "###"}}',
    'template: output:1:2: executing "output" at <base64decode "###">: error calling base64decode: base64 decode failed: illegal base64 data at input byte 0',
  ],
  [
    '{{base64decode "aGk"}}',
    'template: output:1:2: executing "output" at <base64decode "aGk">: error calling base64decode: base64 decode failed: illegal base64 data at input byte 0',
  ],
  [
    '{{base64decode "aGk=x"}}',
    'template: output:1:2: executing "output" at <base64decode "aGk=x">: error calling base64decode: base64 decode failed: illegal base64 data at input byte 4',
  ],
  [
    '{{base64decode .missing}}',
    'template: output:1:15: executing "output" at <.missing>: invalid value; expected string',
  ],
  [
    '{{base64decode .extra.whole}}',
    'template: output:1:21: executing "output" at <.extra.whole>: wrong type for value; expected string; got int64',
  ],
  [
    '{{base64decode 5}}',
    'template: output:1:15: executing "output" at <5>: expected string; found 5',
  ],
  [
    '{{base64decode nil}}',
    'template: output:1:15: executing "output" at <nil>: cannot assign nil to string',
  ],
  [
    '{{not}}',
    'template: output:1:2: executing "output" at <not>: wrong number of args for not: want 1 got 0',
  ],
  [
    '{{not 1 2}}',
    'template: output:1:2: executing "output" at <not>: wrong number of args for not: want 1 got 2',
  ],
  ['{{nil}}', 'template: output:1:2: executing "output" at <nil>: nil is not a command'],
  [
    '{{.kind nil}}',
    'template: output:1:2: executing "output" at <.kind>: kind is not a method but has arguments',
  ],
  [
    '{{.kind "arg"}}',
    'template: output:1:2: executing "output" at <.kind>: kind is not a method but has arguments',
  ],
  [
    '{{.metadata.name "arg"}}',
    'template: output:1:11: executing "output" at <.metadata.name>: name is not a method but has arguments',
  ],
  [
    '{{"x" | .kind}}',
    'template: output:1:8: executing "output" at <.kind>: kind is not a method but has arguments',
  ],
  [
    '{{template "none"}}',
    'template: output:1:11: executing "output" at <{{template "none"}}>: template "none" not defined',
  ],
];

/** Templates that fail only where missing keys are not allowed. */
export const FAILING_STRICTLY: readonly (readonly [string, string])[] = [
  [
    '{{.missing}}',
    'template: output:1:2: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{.missing.deeper}}',
    'template: output:1:10: executing "output" at <.missing.deeper>: map has no entry for key "missing"',
  ],
  [
    '{{range .missing}}x{{else}}empty{{end}}',
    'template: output:1:8: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{range .extra.points}}{{.id}} {{with .x}}{{.}}{{else}}-{{end}};{{end}}',
    'template: output:1:38: executing "output" at <.x>: map has no entry for key "x"',
  ],
  [
    '{{range .extra.points}}{{range .tags}}{{.}}{{end}}|{{end}}',
    'template: output:1:31: executing "output" at <.tags>: map has no entry for key "tags"',
  ],
  [
    '{{if .missing}}a{{else}}b{{end}}',
    'template: output:1:5: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{or .missing .extra.empty "default"}}',
    'template: output:1:5: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{or .missing}}',
    'template: output:1:5: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{and .missing .kind}}',
    'template: output:1:6: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{with .missing}}x{{else}}none{{end}}',
    'template: output:1:7: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{with .missing}}x{{else with .kind}}{{.}}{{else}}y{{end}}',
    'template: output:1:7: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{$x := .missing}}[{{$x}}]',
    'template: output:1:8: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{eq .missing "x"}}',
    'template: output:1:5: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{eq .missing .missing}}',
    'template: output:1:5: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{eq .extra.nothing .missing}}',
    'template: output:1:20: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{lt .missing 1}}',
    'template: output:1:5: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{len .missing}}',
    'template: output:1:6: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{index .missing 1}}',
    'template: output:1:8: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{slice .missing 1}}',
    'template: output:1:8: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{print .kind 1 2 "x" 3}} {{print 1 2}} {{print}} {{print .missing}} {{print nil}}',
    'template: output:1:58: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{printf "%v %s %d" .missing .missing .extra.nothing}}',
    'template: output:1:20: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{printf .missing}}',
    'template: output:1:9: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{base64decode .missing}}',
    'template: output:1:15: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{exists .metadata "name"}} {{exists .metadata "nope"}} {{exists .extra.list 1}} {{exists .extra.list 9}} {{exists . "extra" "nothing"}} {{exists .missing "x"}} {{exists .kind}}',
    'template: output:1:146: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{not .missing}} {{not .kind}}',
    'template: output:1:6: executing "output" at <.missing>: map has no entry for key "missing"',
  ],
  [
    '{{range .extra.containers}}{{.resources.limits.cpu}} {{end}}',
    'template: output:1:39: executing "output" at <.resources.limits.cpu>: map has no entry for key "resources"',
  ],
];
