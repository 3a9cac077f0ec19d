import type { KubeObject } from '@flotilla/machinery';
import type { ListOptions, ObjectList, WatchEvent, WatchOptions } from '../../client.ts';
import type { ReflectedClient } from '../reflector.ts';

/** What a watch tells before it ends, throws or, told to stay, waits for the signal. */
export type WatchScript = readonly (WatchEvent | Error | 'stay')[];

/** What a list answers. */
export type ListScript = Error | { readonly version: string; readonly pages: KubeObject[][] };

/** Answers that are written down beforehand, one for each request. */
export interface ScriptedClient extends ReflectedClient {
  readonly asked: ({ readonly list: ListOptions } | { readonly watch: WatchOptions })[];
}

/** Plays back; a request that was not foreseen waits for ever. */
export function scriptedClient(
  script: readonly ({ readonly watch: WatchScript } | { readonly list: ListScript })[],
): ScriptedClient {
  const asked: ScriptedClient['asked'] = [];
  const left = [...script];
  async function* watch(options: WatchOptions): AsyncGenerator<WatchEvent> {
    asked.push({ watch: options });
    const step = left.shift() ?? { watch: ['stay'] };
    if (!('watch' in step)) throw new Error('a watch where a list was foreseen');
    for (const event of step.watch) {
      if (event === 'stay') await aborted(options.signal);
      else if (event instanceof Error) throw event;
      else yield event;
    }
  }
  async function* pages(options: ListOptions): AsyncGenerator<ObjectList> {
    asked.push({ list: options });
    const step = left.shift();
    if (step === undefined || !('list' in step)) throw new Error('a list that was not foreseen');
    if (step.list instanceof Error) throw step.list;
    const { version, pages: all } = step.list;
    for (const items of all) yield { metadata: { resourceVersion: version }, items };
  }
  return {
    asked,
    watch: ((_kind: unknown, options: WatchOptions = {}) =>
      watch(options)) as unknown as ReflectedClient['watch'],
    pages: ((_kind: unknown, options: ListOptions = {}) =>
      pages(options)) as unknown as ReflectedClient['pages'],
  };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
