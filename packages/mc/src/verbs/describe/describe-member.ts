import { PartialAnswer } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import { kubectlError, warningsIn } from '../../kubectl/kubectl-error.ts';
import type { Kubectl } from '../../kubectl/open-kubectl.ts';
import type { Session } from '../../session.ts';
import { printableText } from '../../text/printable.ts';
import { type Found, findObjects } from './find-objects.ts';
import type { DescribePlan } from './make-plan.ts';

/** What kubectl said of the objects of one cluster. */
export interface Description extends Found {
  /** Fit for terminals. */
  readonly text: string;
}

/** What describing needs. */
export interface DescribeDeps {
  readonly plan: DescribePlan;
  readonly kubectl: Kubectl;
  readonly session: Pick<Session, 'note' | 'warn'>;
  /** Whether it is the only cluster: then a type that it does not know ends everything, as in kubectl. */
  readonly isAlone: boolean;
}

/** Nobody reads more of one cluster; it is kept until its turn to be printed comes. */
const MAX_BYTES = 256 << 20;

/**
 * Finds what is meant on a cluster and has kubectl describe it. What the cluster does not have at all, or not all of
 * where all must have it, is thrown in the server's words, with what was found.
 */
export async function describeMember(member: Member, deps: DescribeDeps): Promise<Description> {
  const { plan, isAlone } = deps;
  const found = await findObjects(member, plan);
  const { unknown, missing, answered } = found;
  const [absence] = [...unknown, ...missing];
  const isNothing = answered === 0 || (isAlone && unknown.length > 0);
  const { text, error } = isNothing ? NOTHING : await describeFound(member, found, deps);
  const namespaces = plan.namespaces.length > 0 ? plan.namespaces : [member.namespace];
  const answer = { ...found, text, namespaces: plan.allNamespaces ? [] : namespaces };
  if (error !== undefined) throw new PartialAnswer(answer, error);
  if (absence !== undefined && (isNothing || plan.requireAll)) {
    throw new PartialAnswer(answer, absence.error);
  }
  return answer;
}

/** kubectl describes what it can before it fails. */
interface Said {
  readonly text: string;
  readonly error?: Error;
}

const NOTHING: Said = { text: '' };

async function describeFound(member: Member, found: Found, deps: DescribeDeps): Promise<Said> {
  const { objects, prefixedIn } = found;
  const [target] = deps.plan.targets;
  const said: Said[] = [];
  if (objects.length > 0) {
    // Files name what is in several namespaces, which arguments cannot.
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    said.push(await describe(member, { args: ['-f', '-'], stdin: list }, deps));
  }
  for (const namespace of prefixedIn) {
    const where = namespace === undefined ? [] : ['-n', namespace];
    const args = [...where, '--', target?.type ?? '', target?.name ?? ''];
    said.push(await describe(member, { args }, deps));
  }
  const texts = said.map(({ text }) => text).filter((text) => text !== '');
  const failed = said.find(({ error }) => error !== undefined);
  return { ...failed, text: texts.join('\n\n') };
}

async function describe(
  member: Member,
  { args, stdin }: { readonly args: readonly string[]; readonly stdin?: string },
  { kubectl, plan, session }: DescribeDeps,
): Promise<Said> {
  const chunks: Buffer[] = [];
  let size = 0;
  const { code, stderr } = await kubectl.run(member, {
    args: ['describe', ...plan.flags, ...args],
    stdin: stdin === undefined ? undefined : Buffer.from(stdin),
    onOut: (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) throw new Error(`kubectl printed more than ${MAX_BYTES >> 20} MiB`);
    },
    onErr: (chunk) => session.note(6, `${member.cluster.name}: ${chunk.toString().trimEnd()}`),
  });
  for (const warning of warningsIn(stderr)) session.warn(warning);
  const text = printableText(Buffer.concat(chunks).toString());
  return code === 0 ? { text } : { text, error: kubectlError(stderr, code) };
}
