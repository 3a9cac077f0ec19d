import { formatJson, type Json, type Kind } from '@flotilla/machinery';
import { annotateCluster, dropManagedFields } from './fleet-item.ts';
import { kindPrefix, nameLine } from './name.ts';
import type { PlainFormat } from './plain-format.ts';

/** Where an object is from. */
export interface ObjectPlace {
  readonly cluster: string;
  readonly kind: Pick<Kind, 'kind' | 'group'>;
}

/** The text of an object; `event` says what happened to it, where that is shown. */
export type ShowObject = (event: string) => string;

/** Makes of an object what will be shown of it, and lets go of the rest. */
export type ObjectText = (object: Json, place: ObjectPlace) => ShowObject;

/** How objects are shown. */
export interface ObjectTextOptions {
  readonly showManagedFields: boolean;
  /** Whether objects say which cluster they are of. */
  readonly showsCluster: boolean;
  /** Shows events that have the object in them. @default false */
  readonly asEvents?: boolean;
  /** What prints an object by a template; needed where the format has one. */
  readonly template?: ((object: unknown) => string) | undefined;
}

/** What makes texts of objects that are shown one after the other, as kubectl does with those of a watch. */
export async function objectText(
  format: PlainFormat['kind'],
  { showManagedFields, showsCluster, asEvents = false, template }: ObjectTextOptions,
): Promise<ObjectText> {
  const prepare = (object: Json, { cluster }: ObjectPlace) => {
    // kubectl leaves them in what it shows of events, whatever flags say.
    const shown = showManagedFields || asEvents ? object : dropManagedFields(object);
    return showsCluster ? annotateCluster(shown, cluster) : shown;
  };
  if (format === 'name') {
    return (object, { cluster, kind }) => {
      const name = `${kindPrefix(kind)}${nameOf(object)}`;
      const line = nameLine(name, showsCluster ? cluster : undefined);
      return () => line;
    };
  }
  if (format === 'json' || format === 'ndjson') {
    return (object, place) => {
      const step = format === 'json' && !asEvents ? 4 : 0;
      const text = formatJson(prepare(object, place), step);
      return (event) => (asEvents ? `{"type":"${event}","object":${text}}\n` : `${text}\n`);
    };
  }
  if (format === 'yaml') {
    const { toYaml } = await import('../../text/yaml.ts');
    let count = 0;
    return (object, place) => {
      const shown = prepare(object, place);
      const text = asEvents ? undefined : toYaml(shown);
      return (event) => {
        count += 1;
        const own = text ?? toYaml({ object: shown, type: event });
        return count === 1 ? own : `---\n${own}`;
      };
    };
  }
  if (template === undefined) throw new TypeError(`Cannot print "${format}" without a template`);
  return (object, place) => {
    const shown = prepare(object, place);
    return (event) => template(asEvents ? { type: event, object: shown } : shown);
  };
}

function nameOf({ metadata }: Json): string {
  const { name } = (metadata ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' && name !== '' ? name : '<unknown>';
}
