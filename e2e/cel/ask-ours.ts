import type { CelSchema, CelValue } from '../../packages/machinery/src/cel/index.ts';
import * as cel from '../../packages/machinery/src/cel/index.ts';
import type { Answer, Question } from './judge.ts';

/** What our own evaluator says, in the judge's form. */
export function askOurs({ expr, self, schema, stored = false }: Question): Answer {
  const declared = schema === undefined ? undefined : cel.celTypeOfSchema(schema as CelSchema);
  const type = declared ? cel.nameType(declared, 'selfType') : cel.dynDecl;
  const names = declared ? ['self', 'oldSelf'] : ['self'];
  const program = cel.compileCel(expr, {
    variables: names.map((name) => ({ name, type })),
    expressions: stored ? 'stored' : 'new',
  });
  const nothing = { cost: 0, min: '', max: '' };
  if (!program.ok) {
    const { message } = program;
    return program.stage === 'compile'
      ? { ...nothing, issues: message }
      : { ...nothing, program: message };
  }
  const { min, max } = program.estimateCost();
  const result = program.evaluate(self === undefined ? {} : { self });
  const costs = { cost: result.cost, min: String(min), max: String(max) };
  return result.ok ? { ...costs, value: show(result.value) } : { ...costs, error: result.message };
}

/** A value as one text that tells its type, as the judge writes it. */
function show(value: CelValue): string {
  if (typeof value === 'bigint') return `int:${value}`;
  if (typeof value === 'number') return `double:"${goFloat(value)}"`;
  if (typeof value === 'boolean') return `bool:${value}`;
  if (typeof value === 'string') return `string:${goJson(value)}`;
  if (value === null) return 'null';
  if (value instanceof cel.CelUint) return `uint:${value.value}`;
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString('hex')}`;
  if (value instanceof cel.CelTimestamp) return `timestamp:${goTime(value)}`;
  if (value instanceof cel.CelDuration) return `duration:${value.nanos}`;
  if (value instanceof cel.CelTypeValue) return `type:${value.name}`;
  if (value instanceof cel.CelOptional) {
    return value.value === undefined ? 'optional.none' : `optional(${show(value.value)})`;
  }
  if (value instanceof cel.CelList) return `[${[...value].map(show).join(',')}]`;
  if (value instanceof cel.CelMap) {
    const entries = [...value.keys()].map((key) => `${show(key)}=${show(value.get(key) ?? null)}`);
    return `map${goJson(entries.sort())}`;
  }
  return value instanceof cel.CelOpaque ? `opaque:${value.typeName}` : value.message;
}

/** Go escapes what HTML could take for its own, and has no short forms for two characters. */
function goJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[<>&\u2028\u2029]/g, unicode)
    .replace(/(?<!\\)((?:\\\\)*)\\b/g, '$1\\u0008')
    .replace(/(?<!\\)((?:\\\\)*)\\f/g, '$1\\u000c');
}

const unicode = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21) return Object.is(value, -0) ? '-0' : String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function goTime({ seconds, nanos }: cel.CelTimestamp): string {
  const whole = new Date(seconds * 1000).toISOString().replace('.000Z', '');
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${whole}${fraction}Z`;
}
