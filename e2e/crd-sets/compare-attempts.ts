import { compareValues, createNormaliser, withoutCauseOrder } from '../../conformance/index.ts';
import type { Answer, Api, Json } from '../api.ts';
import type { ServedKind } from './read-crds.ts';

/** An object that is offered to both servers. */
export interface Attempt {
  readonly kind: ServedKind;
  /** Where it comes from, for the report. */
  readonly how: string;
  readonly validation: 'Strict' | 'Warn' | 'Ignore';
  readonly object: Json;
}

/** What came of the attempts. */
export interface Outcome {
  readonly accepted: number;
  readonly refused: number;
  /** How many objects were answered differently. */
  readonly different: number;
  /** One example for each place where answers differ, with how many have it. */
  readonly examples: readonly string[];
}

const AT_ONCE = 4;

/** Offers every object to both servers, the reference first, and compares their answers. */
export async function compareAttempts(
  attempts: readonly Attempt[],
  apis: readonly Api[],
): Promise<Outcome> {
  let [accepted, refused] = [0, 0];
  const differences = new Map<string, string[]>();
  const waiting = [...attempts];
  const work = async () => {
    for (let attempt = waiting.shift(); attempt !== undefined; attempt = waiting.shift()) {
      const [wanted, got] = await Promise.all(apis.map((api) => offer(api, attempt)));
      if (wanted === undefined || got === undefined) throw new Error('Cannot compare: two sides');
      if (wanted.code < 300) accepted += 1;
      else refused += 1;
      const found = compareValues(comparable(wanted), comparable(got));
      const [first] = found;
      if (first === undefined) continue;
      const place = first.path.join('.');
      differences.set(place, [...(differences.get(place) ?? []), report(attempt, found)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const reports = [...differences.values()];
  return {
    accepted,
    refused,
    different: reports.flat().length,
    examples: reports.map((alike) => `${alike.length} like ${alike[0]}`),
  };
}

// Dry runs: everything but the storage takes part, and no object is in the way of the next one.
function offer(api: Api, { kind, validation, object }: Attempt): Promise<Answer> {
  return api.post(`${kind.path}?dryRun=All&fieldValidation=${validation}`, object);
}

function comparable({ code, body, warning }: Answer): Json {
  const value = createNormaliser({ now: Date.now() }).value(body);
  return { code, warning, body: withoutCauseOrder(value) };
}

const LONGEST = 400;

function report({ kind, how, validation, object }: Attempt, found: readonly Json[]): string {
  const text = (value: unknown) => (JSON.stringify(value) ?? 'absent').slice(0, LONGEST);
  return [
    `${kind.project}: ${kind.apiVersion} ${kind.kind} (${how}, ${validation})`,
    ...found
      .slice(0, 4)
      .flatMap(({ path, wanted, got }) => [
        `  ${path.join('.')}`,
        `    real ${text(wanted)}`,
        `    ours ${text(got)}`,
      ]),
    `  object ${text(object)}`,
  ].join('\n');
}
