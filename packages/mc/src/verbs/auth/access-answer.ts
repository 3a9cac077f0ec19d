import { isJsonObject, type Json } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import { notAbsent } from '../not-absent.ts';
import type { AccessQuestion } from './access-question.ts';

/** What a cluster says. */
export interface AccessAnswer {
  readonly verdicts: readonly Verdict[];
  /** What kubectl would warn of there. */
  readonly warnings: readonly string[];
}

/** Yes or no, in one namespace. */
export interface Verdict {
  /** Empty for all of them. */
  readonly namespace: string;
  readonly isAllowed: boolean;
  readonly reason: string;
}

const RESOURCE_VERBS = new Set(
  'get list watch create update patch delete deletecollection use bind impersonate * approve sign escalate attest'.split(
    ' ',
  ),
);
const URL_VERBS = new Set('get put post head options delete patch *'.split(' '));
/** Authorizers know them, and no server serves them. */
const NOT_SERVED = new Set(['users', 'groups']);

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Asks a cluster whether it would let the user do it, in each of the namespaces. */
export async function askAccess(
  member: Member,
  question: AccessQuestion,
  namespaces: readonly string[],
): Promise<AccessAnswer> {
  const { verb, url, name, subresource, allNamespaces } = question;
  if (url !== undefined) {
    const warnings = URL_VERBS.has(verb) ? [] : [unknownVerb(verb)];
    const verdict = await review(member, { nonResourceAttributes: { verb, path: url } });
    return { verdicts: [{ namespace: '', ...verdict }], warnings };
  }
  const { resource, group, warnings } = await resolveType(member, question);
  const asked = allNamespaces ? [''] : namespaces.length > 0 ? namespaces : [member.namespace];
  const verdicts = await Promise.all(
    asked.map(async (namespace): Promise<Verdict> => {
      const resourceAttributes = { namespace, verb, group, resource, subresource, name };
      return { namespace, ...(await review(member, { resourceAttributes })) };
    }),
  );
  return { verdicts, warnings };
}

async function resolveType(
  { discovery, signal }: Member,
  { type, verb, allNamespaces }: AccessQuestion,
): Promise<{ resource: string; group: string; warnings: string[] }> {
  const warnings: string[] = [];
  const found = type === '*' ? undefined : await discovery.find(type.toLowerCase(), signal);
  if (found === undefined && type !== '*' && !NOT_SERVED.has(type.toLowerCase())) {
    const [resource = '', ...rest] = type.toLowerCase().split('.');
    const group = rest.join('.');
    const where = group === '' ? '' : ` in group '${group}'`;
    warnings.push(`the server doesn't have a resource type '${resource}'${where}`);
  }
  if (!allNamespaces) {
    if (found?.namespaced === false) {
      const { plural, group } = found;
      const where = group === '' ? '' : ` in group '${group}'`;
      warnings.push(`resource '${plural}' is not namespace scoped${where}`);
    }
    if (!RESOURCE_VERBS.has(verb)) warnings.push(unknownVerb(verb));
  }
  return { resource: found?.plural ?? type, group: found?.group ?? '', warnings };
}

function unknownVerb(verb: string): string {
  return `verb '${verb}' is not a known verb`;
}

async function review({ client, signal }: Member, spec: Json): Promise<Omit<Verdict, 'namespace'>> {
  const answer = await client
    .raw({
      method: 'POST',
      path: REVIEWS,
      body: { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', spec },
      signal,
    })
    .catch((error: unknown) => {
      throw notAbsent(error);
    });
  const status = isJsonObject(answer) ? answer['status'] : undefined;
  if (!isJsonObject(status)) throw new TypeError('the review has no status');
  const { allowed, reason, evaluationError } = status;
  const causes = [reason, evaluationError].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  return { isAllowed: allowed === true, reason: causes.join(' - ') };
}
