import type { ApiResource } from '@flotilla/client';
import type { Json } from '@flotilla/machinery';
import type { Flags } from '../../flags/flag.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call, Verb } from '../../verb.ts';
import { unexpectedArguments, unsuitableFormat } from '../kubectl-errors.ts';
import { compareTypes, type FleetType, fleetTypes, type TypeOrder } from './fleet-types.ts';
import { askTypes, type TypeFilter } from './served-types.ts';
import { differenceTable, type TypeTableChoices, typeTable } from './type-table.ts';

const FORMATS = ['json', 'name', 'wide', 'yaml'];

/** `kubectl mc api-resources`: the types of all clusters, each once. */
export const apiResourcesVerb: Verb = {
  name: 'api-resources',
  usage: 'api-resources [--diff]',
  summary: 'Show the types that clusters serve, and how many serve them',
  examples: [
    'kubectl mc api-resources',
    'kubectl mc api-resources --diff',
    'kubectl mc api-resources --namespaced=false --verbs=list -o wide',
    "kubectl mc api-resources --api-group=apps -o name --clusters 'prod-*'",
  ],
  flags: [
    {
      name: 'api-group',
      kind: 'text',
      value: 'GROUP',
      help: "Only this group; '' is the core one",
    },
    {
      name: 'namespaced',
      kind: 'bool',
      help: 'Only types with namespaces; =false, only the others',
    },
    { name: 'verbs', kind: 'texts', value: 'VERB,...', help: 'Only types with all of these verbs' },
    {
      name: 'categories',
      kind: 'texts',
      value: 'CATEGORY,...',
      help: 'Only types of all of these categories',
    },
    { name: 'sort-by', kind: 'text', value: 'FIELD', help: 'name or kind (group, then name)' },
    { name: 'cached', kind: 'bool', help: 'Use what is remembered of the last ten minutes' },
    { name: 'no-headers', kind: 'bool', help: 'No headers in tables' },
    { name: 'output', short: 'o', kind: 'text', value: 'FORMAT', help: 'json, name, wide or yaml' },
    {
      name: 'diff',
      kind: 'bool',
      help: 'Only types that not all clusters serve, and where they are missing',
    },
  ],
  run: async ({ args, flags }: Call, session: Session): Promise<number> => {
    if (args.length > 0) throw unexpectedArguments('api-resources', args);
    const output = flags.text('output') ?? '';
    if (output !== '' && !FORMATS.includes(output)) throw unsuitableFormat(output, FORMATS);
    const isDifference = flags.bool('diff');
    if (isDifference && (output === 'json' || output === 'yaml')) {
      throw new UsageError(`--diff cannot be used with ${output} printer`);
    }
    const order = orderOf(flags);
    const filter = filterOf(flags);
    const isCached = flags.bool('cached');
    const outcomes = await session.fanOut(await session.fleet(), (member) =>
      askTypes(member, filter, isCached),
    );
    const answered = outcomes.filter(({ value }) => value !== undefined).length;
    if (output === 'json' || output === 'yaml') {
      const { printEnvelope } = await import('../print-envelope.ts');
      const items = ({ preferred }: { readonly preferred: readonly ApiResource[] }) =>
        preferred.toSorted((a, b) => compareTypes(a, b, order)).map(itemOf);
      await printEnvelope(outcomes, { format: output, items }, session);
    } else if (answered > 0) {
      const all = fleetTypes(outcomes, order);
      const types = isDifference ? all.filter(({ missing }) => missing.length > 0) : all;
      if (isDifference && types.length === 0) {
        // What a server could not describe may be all the difference.
        const isKnown = outcomes.every(({ value }) => (value?.failed ?? []).length === 0);
        if (isKnown) session.io.err(`${sameText(answered)}\n`);
      } else
        await session.io.out(
          output === 'name'
            ? types.map(nameLine).join('')
            : (isDifference ? differenceTable : typeTable)(
                types,
                choicesOf(flags, session, answered),
              ),
        );
    }
    return session.conclude(outcomes);
  },
};

/** What is said when there is no difference to show. */
export function sameText(answered: number, what = 'types'): string {
  return answered === 1
    ? 'Only one cluster answered, there is nothing to compare.'
    : `All ${answered} clusters serve the same ${what}.`;
}

function orderOf(flags: Flags): TypeOrder {
  const order = flags.text('sort-by') ?? '';
  if (order === '' || order === 'name' || order === 'kind') return order;
  throw new UsageError('--sort-by accepts only name or kind');
}

function filterOf(flags: Flags): TypeFilter {
  return {
    group: flags.isSet('api-group') ? (flags.text('api-group') ?? '') : undefined,
    namespaced: flags.isSet('namespaced') ? flags.bool('namespaced') : undefined,
    verbs: flags.texts('verbs'),
    categories: flags.texts('categories'),
  };
}

function choicesOf(
  flags: Flags,
  { settings }: Pick<Session, 'settings'>,
  answered: number,
): TypeTableChoices {
  return {
    isWide: flags.text('output') === 'wide',
    hasHeaders: !flags.bool('no-headers'),
    clusterColumn: settings.output.clusterColumn,
    answered,
  };
}

function nameLine({ resource: { plural, group } }: FleetType): string {
  return `${printableLine(group === '' ? plural : `${plural}.${group}`)}\n`;
}

/** A type as servers describe it in discovery. */
function itemOf(resource: ApiResource): Json {
  const { plural, singular, namespaced, group, version, kind, verbs, shortNames, categories } =
    resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    ...(group === '' ? {} : { group }),
    version,
    kind,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
  };
}
