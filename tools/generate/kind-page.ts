import { crdOf, type Example, type KindSource } from '../../packages/api/src/index.ts';
import type { JsonSchemaProps, ValidationRule } from '../../packages/machinery/src/schema/index.ts';

/** The reference page of a kind, from nothing but its source. */
export function kindPage(source: KindSource): string {
  const { group, version, kind, plural, shortNames, namespaced } = source;
  const names = [plural, ...shortNames].map((name) => `\`${name}\``).join(', ');
  return [
    `# ${kind}`,
    '<!-- Generated from packages/api by "npm run generate -- kinds"; do not edit. -->',
    `${source.description} API version \`${group}/${version}\`, ${namespaced ? 'namespaced' : 'cluster-scoped'}; kubectl knows it as ${names}${categoryText(source)}. The CRD is [${crdFile(source)}](../../packages/api/crds/${crdFile(source)})${originText(source)}.`,
    '## Examples',
    ...source.examples.map(example),
    '## Spec',
    fieldTable('spec', source.spec.props),
    '## Rules',
    'The API server refuses what breaks one of these, with the text below.',
    ruleTable(source),
    '## Status',
    fieldTable('status', source.status.props),
    '## Conditions',
    source.upstream !== undefined
      ? 'What our inventory writes; other writers have their own.'
      : 'In the order in which a pass establishes them. `Ready` sums up those that gate it: the first that does not hold gives Ready its reason. A reason in italics says that the spec asked for it: it does not keep the object from being Ready.',
    conditionTable(source),
    ...(source.columns.length === 0 ? [] : ['## Columns', columnTable(source)]),
    '',
  ].join('\n\n');
}

function categoryText({ categories }: KindSource): string {
  return categories.length === 0
    ? ''
    : ` and lists it with \`kubectl get ${categories.join(',')}\``;
}

function originText({ upstream }: KindSource): string {
  return upstream === undefined
    ? ''
    : `, for hubs without ${upstream}'s own, which has the same fields and rules and counts where it is installed`;
}

/** The file name of a kind's CRD. */
export function crdFile(source: KindSource): string {
  return `${crdOf(source).metadata.name}.yaml`;
}

function example({ title, yaml }: Example): string {
  return `${title}:\n\n\`\`\`yaml\n${yaml}\`\`\``;
}

interface Row {
  readonly path: string;
  readonly props: JsonSchemaProps;
  readonly isRequired: boolean;
}

/** Every field below a schema, parents before their fields. */
function rowsOf(path: string, props: JsonSchemaProps): Row[] {
  const required = new Set(props.required ?? []);
  const below = Object.entries(props.properties ?? {}).flatMap(([name, child]) => {
    const row = { path: `${path}.${name}`, props: child, isRequired: required.has(name) };
    return [row, ...rowsOf(row.path, child)];
  });
  const { items } = props;
  return items === undefined || Array.isArray(items)
    ? below
    : [...below, ...rowsOf(`${path}[]`, items as JsonSchemaProps)];
}

function fieldTable(path: string, props: JsonSchemaProps): string {
  const rows = rowsOf(path, props).map((row) => [
    `\`${row.path.slice(path.length + 1)}\``,
    typeOf(row.props),
    row.isRequired ? 'required' : defaultOf(row.props),
    [row.props.description, boundsOf(row.props)].filter(Boolean).join(' '),
  ]);
  return table(['Field', 'Type', 'Default', 'Meaning'], rows);
}

function typeOf({ type = '', format, enum: values, additionalProperties, items }: JsonSchemaProps) {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (typeof additionalProperties === 'object') return `map of ${additionalProperties.type ?? ''}s`;
  if (items !== undefined) return 'list';
  return format === 'date-time' ? 'time' : type;
}

function defaultOf(props: JsonSchemaProps): string {
  return props.default === undefined ? '–' : `\`${JSON.stringify(props.default)}\``;
}

function boundsOf({ maxLength, minimum, maximum, maxProperties }: JsonSchemaProps): string {
  return [
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
    ...(maxProperties === undefined ? [] : [`At most ${maxProperties} entries.`]),
    ...(minimum === undefined ? [] : [`At least ${minimum}.`]),
    ...(maximum === undefined ? [] : [`At most ${maximum}.`]),
  ].join(' ');
}

function ruleTable(source: KindSource): string {
  const whole = source.rules.map((rule) => ruleRow('the whole object', rule));
  const top = { path: 'spec', props: source.spec.props, isRequired: true };
  const fields = [top, ...rowsOf('spec', source.spec.props)].flatMap(({ path, props }) => [
    ...rulesOf(props).map((rule) => ruleRow(`\`${path}\``, rule)),
    ...(typeof props.additionalProperties === 'object'
      ? rulesOf(props.additionalProperties).map((rule) => ruleRow(`\`${path}[…]\``, rule))
      : []),
  ]);
  return table(['Of', 'Text', 'Rule'], [...whole, ...fields]);
}

function rulesOf(props: JsonSchemaProps): readonly ValidationRule[] {
  return props['x-kubernetes-validations'] ?? [];
}

function ruleRow(path: string, { message = '', rule }: ValidationRule): string[] {
  return [path, message, `\`${rule}\``];
}

function conditionTable(source: KindSource): string {
  const rows = Object.entries(source.conditions).map(([type, condition]) => {
    const { meaning, gatesReady, reasons, skips = [] } = condition;
    const list = (some: readonly string[]) =>
      some.map((each) => (skips.includes(each) ? `*\`${each}\`*` : `\`${each}\``)).join(', ') ||
      '–';
    return [
      `\`${type}\``,
      meaning,
      gatesReady ? 'yes' : 'no',
      list(reasons.True),
      list(reasons.False),
      list(reasons.Unknown),
    ];
  });
  return table(['Type', 'Meaning', 'Gates Ready', 'True', 'False', 'Unknown'], rows);
}

function columnTable({ columns }: KindSource): string {
  const rows = columns.map(({ name, jsonPath, wide = false, description }) => [
    `${name.toUpperCase()}${wide ? ' (wide)' : ''}`,
    description,
    `\`${jsonPath}\``,
  ]);
  return table(['Column', 'Meaning', 'From'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
