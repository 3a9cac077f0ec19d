import type { Flags } from '../../flags/flag.ts';
import { UsageError } from '../../usage-error.ts';

/** What is asked of every cluster. */
export interface AccessQuestion {
  readonly verb: string;
  /** A path that is no resource's, such as `/healthz`. */
  readonly url?: string | undefined;
  /** As it was typed. */
  readonly type: string;
  readonly name: string;
  readonly subresource: string;
  readonly allNamespaces: boolean;
  /** The only cluster that is asked, from `c1:pods/x`. */
  readonly cluster?: string | undefined;
}

/** `c1:pods/x`, as `get -o name` prints it. */
const WITH_CLUSTER = /^([^:]+):([^/]+\/[^/]+)$/;

/** Reads `VERB TYPE[/NAME]` or `VERB URL`; throws kubectl's words for anything else. */
export function readQuestion(args: readonly string[], flags: Flags): AccessQuestion {
  const [verb = '', what = ''] = args;
  if (args.length !== 2) {
    throw new UsageError(
      "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl mc auth can-i -h' for help and examples.",
    );
  }
  const subresource = flags.text('subresource') ?? '';
  const common = { verb, subresource, allNamespaces: flags.bool('all-namespaces') };
  if (what.startsWith('/')) {
    if (subresource !== '') {
      throw new UsageError('--subresource can not be used with NonResourceURL');
    }
    return { ...common, url: what, type: '', name: '' };
  }
  const [, cluster, object] = WITH_CLUSTER.exec(what) ?? [];
  const text = object ?? what;
  const slash = text.indexOf('/');
  const [type, name] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
  return { ...common, type, name, cluster };
}
