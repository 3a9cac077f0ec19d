import type { StepResult, Transcript } from './run-case.ts';

/** One place where two servers answered differently. */
export interface Difference {
  readonly caseId: string;
  readonly step: string;
  /** `3.body.metadata.name`: the step's number (`2.1` inside a watch), then where in its answer. */
  readonly path: readonly string[];
  readonly wanted: unknown;
  readonly got: unknown;
}

/** Stands for a value one side does not have. */
export const ABSENT = Symbol('absent');

/** Every difference between what the reference answered and what the other server did. */
export function compareTranscripts(wanted: Transcript, got: Transcript): Difference[] {
  return compareSteps(wanted.steps, got.steps).map((difference) => ({
    caseId: wanted.id,
    ...difference,
  }));
}

type Found = Omit<Difference, 'caseId'>;

function compareSteps(wanted: readonly StepResult[], got: readonly StepResult[]): Found[] {
  return wanted.flatMap((step, index) => {
    const number = String(index + 1);
    const other = got[index];
    if (other === undefined) {
      return [{ step: step.request, path: [number], wanted: step.answer, got: ABSENT }];
    }
    const own = compareAnswers(step.answer, other.answer, [number]).map((found) => ({
      step: step.request,
      ...found,
    }));
    const inner = compareSteps(step.during ?? [], other.during ?? []);
    return [...own, ...inner.map((found) => ({ ...found, path: [number, ...found.path] }))];
  });
}

// With another code the bodies are of another kind: one line says more than all their differences.
function compareAnswers(wanted: unknown, got: unknown, path: readonly string[]): ValueDifference[] {
  if (!isMapping(wanted) || !isMapping(got) || wanted['code'] === got['code']) {
    return compareValues(wanted, got, path);
  }
  return [{ path: [...path, 'code'], wanted: summary(wanted), got: summary(got) }];
}

function summary({ code, body }: Record<string, unknown>): string {
  const message = isMapping(body) ? body['message'] : body;
  return typeof message === 'string' ? `${code} ${message}` : String(code);
}

type ValueDifference = Pick<Difference, 'path' | 'wanted' | 'got'>;

/** Compares JSON values; the order of an object's keys does not count, that of a list's items does. */
export function compareValues(
  wanted: unknown,
  got: unknown,
  path: readonly string[] = [],
): ValueDifference[] {
  if (Array.isArray(wanted) && Array.isArray(got)) return compareLists(wanted, got, path);
  if (isMapping(wanted) && isMapping(got)) {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(got)])].sort();
    return keys.flatMap((key) => compareValues(own(wanted, key), own(got, key), [...path, key]));
  }
  return Object.is(wanted, got) ? [] : [{ path, wanted, got }];
}

// Lists of named things are compared by name, so that one missing item is one difference.
function compareLists(
  wanted: readonly unknown[],
  got: readonly unknown[],
  path: readonly string[],
): ValueDifference[] {
  const wantedNames = uniqueNames(wanted);
  const gotNames = uniqueNames(got);
  if (wantedNames === undefined || gotNames === undefined) {
    const length = Math.max(wanted.length, got.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      compareValues(
        index < wanted.length ? wanted[index] : ABSENT,
        index < got.length ? got[index] : ABSENT,
        [...path, String(index)],
      ),
    );
  }
  const byName = (items: readonly unknown[], names: readonly string[]) =>
    Object.fromEntries(items.map((item, index) => [names[index] ?? '', item]));
  const differences = compareValues(byName(wanted, wantedNames), byName(got, gotNames), path);
  const shared = wantedNames.filter((name) => gotNames.includes(name));
  const order = gotNames.filter((name) => wantedNames.includes(name));
  if (shared.join('\n') !== order.join('\n')) {
    differences.push({ path: [...path, '<order>'], wanted: shared, got: order });
  }
  return differences;
}

function uniqueNames(items: readonly unknown[]): string[] | undefined {
  const names = items.map((item) => {
    if (!isMapping(item)) return undefined;
    const meta = isMapping(item['metadata']) ? item['metadata'] : item;
    const name = meta['name'] ?? item['groupVersion'] ?? item['resource'] ?? item['version'];
    const space = meta['namespace'];
    return typeof name === 'string' ? [space, name].filter(Boolean).join('/') : undefined;
  });
  const known = names.filter((name) => name !== undefined);
  return known.length === items.length && new Set(known).size === known.length ? known : undefined;
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : ABSENT;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
