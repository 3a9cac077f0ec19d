import type { Checked } from '../check/checker.ts';
import { estimate } from '../cost/estimate.ts';
import type { CostRange, SizeEstimator } from '../cost/estimate-types.ts';
import type {
  CelBindings,
  CelEnvironment,
  CelError,
  CelProgram,
  CelResult,
  CelVariable,
  EvaluateOptions,
} from '../program.ts';
import { type CelType, dynType } from '../types.ts';
import { valueOfJson } from '../values/json.ts';
import { CelFault, CelOptional, type CelValue } from '../values/value.ts';
import { WorkExceeded, withWorkLimit } from '../values/work.ts';
import { CostExceeded, Frame, type Step } from './frame.ts';
import type { LoadVariable } from './plan.ts';

/** The limit of one expression in Kubernetes. */
const PER_CALL_LIMIT = 1_000_000;

/** A frame that knows the bindings its variables are loaded from. */
class BoundFrame extends Frame {
  readonly bindings: CelBindings;

  constructor(limit: number, bindings: CelBindings) {
    super(limit);
    this.bindings = bindings;
  }
}

/** Loads variables from bindings when they are first read. */
export function variableLoader(env: CelEnvironment): LoadVariable {
  const variables = new Map(env.variables.map((variable) => [variable.name, variable]));
  return (name, slot) => {
    const variable = variables.get(name) as CelVariable;
    return (frame) => {
      const known = frame.slots[slot];
      if (known !== undefined) return known;
      const loaded = bind(variable, (frame as BoundFrame).bindings);
      frame.slots[slot] = loaded;
      return loaded;
    };
  };
}

function bind({ name, type, optional }: CelVariable, bindings: CelBindings): CelValue {
  const data = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
  if (data === undefined) {
    return optional ? CelOptional.none : new CelFault(`no such attribute(s): ${name}`);
  }
  if (optional && data instanceof CelOptional) return data;
  const value = type.adapt ? type.adapt(data) : valueOfJson(data);
  return optional && !(value instanceof CelFault) ? new CelOptional(value) : value;
}

/** What a program is made of. */
export interface ProgramParts {
  readonly source: string;
  readonly env: CelEnvironment;
  readonly checked: Checked;
  readonly step: Step;
}

/** A compiled expression. */
export class Program implements CelProgram {
  readonly ok = true;
  readonly source: string;
  readonly outputType: CelType;
  readonly #parts: ProgramParts;

  constructor(parts: ProgramParts) {
    this.source = parts.source;
    this.outputType = parts.checked.types[parts.checked.root.id] ?? dynType;
    this.#parts = parts;
  }

  uses(variable: string): boolean {
    return this.#parts.checked.references.some(
      (reference) => reference?.kind === 'variable' && reference.name === variable,
    );
  }

  evaluate(bindings: CelBindings, options: EvaluateOptions = {}): CelResult {
    const frame = new BoundFrame(options.costLimit ?? PER_CALL_LIMIT, bindings);
    try {
      const value = withWorkLimit(() => this.#parts.step(frame));
      if (value instanceof CelFault) return failure('evaluation', value.message, frame.cost);
      return { ok: true, value, cost: frame.cost };
    } catch (err) {
      if (err instanceof CostExceeded || err instanceof WorkExceeded) {
        return failure('cost-exceeded', err.message, frame.cost);
      }
      throw err;
    }
  }

  estimateCost(sizes?: SizeEstimator): CostRange {
    return estimate(this.#parts, sizes);
  }
}

const failure = (kind: CelError['kind'], message: string, cost: number): CelError => ({
  ok: false,
  kind,
  message,
  cost,
});
