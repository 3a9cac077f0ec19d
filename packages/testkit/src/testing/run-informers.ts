import {
  type Client,
  type ConfigMap,
  ConfigMaps,
  createInformer,
  type Informer,
  type InformerOptions,
} from '@flotilla/client';
import { hastyClock } from './hasty-clock.ts';

/** Informers of a test, which end with it. */
export interface RunningInformers extends AsyncDisposable {
  /** What went wrong and was tried again. */
  readonly reported: readonly unknown[];
  readonly start: (
    options: Partial<InformerOptions<ConfigMap>> & { client: Client },
  ) => Informer<ConfigMap>;
}

/** Starts informers, of ConfigMaps unless told otherwise, that are in a hurry to try again. */
export function runInformers(): RunningInformers {
  const ending = new AbortController();
  const reported: unknown[] = [];
  const all: Promise<void>[] = [];
  return {
    reported,
    start: (options) => {
      const informer = createInformer<ConfigMap>({
        kind: ConfigMaps,
        clock: hastyClock(20),
        random: () => 0.5,
        report: (error) => reported.push(error),
        ...options,
      });
      all.push(informer.start(ending.signal));
      return informer;
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await Promise.all(all);
    },
  };
}
