import { goQuote, ParseError, parseFieldSelector, parseLabelSelector } from '@flotilla/machinery';
import type { FlagSpec, Flags } from '../../flags/flag.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { unsuitableFormat } from '../kubectl-errors.ts';
import { type Measured, measuredResources } from './amounts.ts';

/** What is asked for, and how it is shown. */
export interface TopPlan {
  readonly name?: string | undefined;
  /** The cluster that the argument names (`c1:pod/x`), for choosing it. */
  readonly clusters?: readonly string[] | undefined;
  readonly labelSelector?: string | undefined;
  readonly measured: readonly Measured[];
  readonly sortBy?: 'cpu' | 'memory' | undefined;
  readonly hasHeaders: boolean;
  readonly hasSum: boolean;
  /** Undefined for a table. */
  readonly format?: 'json' | 'yaml' | undefined;
}

/** The flags that pods and nodes share. */
export const topFlags: readonly FlagSpec[] = [
  {
    name: 'selector',
    short: 'l',
    kind: 'text',
    value: 'SELECTOR',
    help: "Labels of objects, such as 'app=web,tier in (a,b)'",
  },
  {
    name: 'sort-by',
    kind: 'text',
    value: 'FIELD',
    help: 'cpu or memory: the most first, over all clusters',
  },
  { name: 'sum', kind: 'bool', help: 'Add up what each cluster uses, and what all of them use' },
  { name: 'show-swap', kind: 'bool', help: 'Show swap memory, too' },
  { name: 'no-headers', kind: 'bool', help: 'No headers in tables' },
  { name: 'output', short: 'o', kind: 'text', value: 'FORMAT', help: 'json or yaml' },
  {
    name: 'use-protocol-buffers',
    kind: 'bool',
    help: 'Taken for the sake of scripts; metrics are asked for in JSON',
  },
];

/** What differs between pods and nodes when a call is read. */
export interface TopSubject {
  /** `pod`, as arguments of the form `c1:pod/x` have it. */
  readonly type: 'pod' | 'node';
  /** kubectl's words for a name beside a selector. */
  readonly nameAndSelector: string;
}

/** Reads a call; throws kubectl's words for what cannot be meant. */
export function makeTopPlan(
  { args, flags, verb }: Call,
  { type, nameAndSelector }: TopSubject,
): TopPlan {
  const [argument, ...more] = args;
  if (more.length > 0) {
    throw new UsageError(
      `${type} [NAME | -l label]\nSee 'kubectl mc ${verb} -h' for help and examples`,
    );
  }
  const labelSelector = given(flags, 'selector');
  const sortBy = given(flags, 'sort-by');
  if (sortBy !== undefined && sortBy !== 'cpu' && sortBy !== 'memory') {
    throw new UsageError('--sort-by accepts only cpu or memory');
  }
  const output = given(flags, 'output')?.toLowerCase();
  if (output !== undefined && output !== 'json' && output !== 'yaml') {
    throw unsuitableFormat(output, ['json', 'yaml']);
  }
  if (output !== undefined && flags.bool('sum')) {
    throw new UsageError(`--sum cannot be used with ${output} printer`);
  }
  const named = argument === undefined ? {} : readArgument(argument, type);
  if (named.name !== undefined && labelSelector !== undefined) {
    throw new UsageError(nameAndSelector);
  }
  checkSelector(labelSelector, parseLabelSelector);
  return {
    ...named,
    labelSelector,
    measured: measuredResources(flags.bool('show-swap')),
    sortBy,
    hasHeaders: !flags.bool('no-headers'),
    hasSum: flags.bool('sum'),
    format: output,
  };
}

/** A field selector that no server would take is not sent to fifty of them. */
export function readFieldSelector(flags: Flags): string | undefined {
  const selector = given(flags, 'field-selector');
  checkSelector(selector, parseFieldSelector);
  return selector;
}

/** `x`, or `c1:pod/x` as `-o name` prints it. */
function readArgument(text: string, type: string): Pick<TopPlan, 'name' | 'clusters'> {
  const [, cluster = '', typed, name = ''] = /^([^:]+):([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (typed === undefined) return { name: text };
  if (typed !== type) {
    throw new UsageError(`Cannot show the usage of ${goQuote(text)}: it is no ${type}`);
  }
  return { name, clusters: [cluster] };
}

function given(flags: Flags, name: string): string | undefined {
  const text = flags.text(name)?.trim() ?? '';
  return text === '' ? undefined : text;
}

function checkSelector(selector: string | undefined, parse: (text: string) => unknown): void {
  if (selector === undefined) return;
  try {
    parse(selector);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(error.message);
  }
}
