import type { FlagSpec } from '../../flags/flag.ts';
import type { Session } from '../../session.ts';
import {
  type Candidate,
  type Completion,
  DIRECTIVES,
  FILES,
  NOTHING,
  words,
} from './completion.ts';
import { inList } from './in-list.ts';
import {
  clusterCandidates,
  labelCandidates,
  propertyCandidates,
  wordsOfClusters,
} from './sources/clusters.ts';
import { contextCandidates } from './sources/contexts.ts';
import { nameCandidates } from './sources/names.ts';
import type { TypedWords } from './typed-words.ts';

/** What a flag's value may become. */
export async function completeValue(
  typed: TypedWords,
  flag: FlagSpec,
  session: Session,
): Promise<Completion> {
  const { name, choices, kind, value = '' } = flag;
  if (choices !== undefined) return words(choices.map((each) => ({ value: each })));
  if (kind === 'bool') return words([{ value: 'true' }, { value: 'false' }]);
  switch (name) {
    case 'clusters':
    case 'exclude':
    case 'cluster':
      return await listed(typed, () => clusterCandidates(session));
    case 'cluster-selector':
      return await labelCandidates(typed.typed, session);
    case 'property':
      return await propertyCandidates(typed.typed, session);
    case 'clusterset':
    case 'manager':
      return words(await wordsOfClusters(name, session));
    case 'group':
      return await listed(typed, () => groupNames(session));
    case 'context':
    case 'hub-context':
      return await listed(typed, () => contextCandidates(session));
    case 'namespace':
      return await listed(typed, () => nameCandidates('namespaces', session));
    case 'inventory':
      return words(
        ['clusterprofile', 'inventory', 'about', 'kubeconfig', 'file:'].map((each) => ({
          value: each,
        })),
      );
    case 'output':
      if (value === 'FILE') return FILES;
      return words(await formats());
    default:
      if (/^(?:PATH|FILE)/.test(value)) return FILES;
      return value === 'FOLDER' ? { candidates: [], directive: DIRECTIVES.folders } : NOTHING;
  }
}

/** Of a list with commas between, the last one is being typed. */
async function listed(
  { typed }: TypedWords,
  candidates: () => Promise<readonly Candidate[]>,
): Promise<Completion> {
  return words(inList(typed, await candidates()));
}

async function formats(): Promise<Candidate[]> {
  const { formatNames } = await import('../../output/formats/choose-format.ts');
  return formatNames.map((value) => ({ value }));
}

async function groupNames({ paths }: Session): Promise<Candidate[]> {
  const { configOf } = await import('../../settings/read-settings.ts');
  const { groups } = await configOf(paths.config);
  return [...groups].map(([value, { clusters }]) => ({ value, description: clusters.join(', ') }));
}
