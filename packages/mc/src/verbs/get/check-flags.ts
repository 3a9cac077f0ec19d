import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';

/** Refuses flags that do not go together, in kubectl's words where it has some. */
export function checkFlags({ args, flags }: Call, { io }: Pick<Session, 'io'>): void {
  const output = flags.text('output') ?? '';
  const isWatch = flags.bool('watch') || flags.bool('watch-only');
  if (flags.isSet('raw')) {
    checkRaw({ args, flags });
    return;
  }
  if (flags.bool('show-labels') && output !== '' && output !== 'wide' && output !== 'csv') {
    throw new UsageError(`--show-labels option cannot be used with ${output} printer`);
  }
  if (flags.bool('output-watch-events') && !isWatch) {
    throw new UsageError(
      '--output-watch-events option can only be used with --watch or --watch-only',
    );
  }
  if (flags.bool('flat') && output.toLowerCase() !== 'json' && output.toLowerCase() !== 'yaml') {
    throw new UsageError('--flat can only be used with -o json or -o yaml');
  }
  const special = ['count', 'missing', 'compare'].filter((name) => flags.isSet(name));
  if (special.length > 1) {
    throw new UsageError(`--${special[0]} and --${special[1]} are mutually exclusive`);
  }
  if (special.length === 1 && isWatch) {
    throw new UsageError(`--${special[0]} and --watch are mutually exclusive`);
  }
  if (args.length === 0 && !flags.isSet('filename') && !flags.isSet('kustomize')) {
    io.err(
      'You must specify the type of resource to get. Use "kubectl mc api-resources" for a complete list of supported resources.\n\n',
    );
    throw new UsageError(
      'Required resource not specified.\nUse "kubectl mc explain <resource>" for a detailed description of that resource (e.g. kubectl mc explain pods).\nSee \'kubectl mc get -h\' for help and examples',
    );
  }
}

function checkRaw({ args, flags }: Pick<Call, 'args' | 'flags'>): void {
  if (args.length > 0) {
    throw new UsageError('arguments may not be passed when --raw is specified');
  }
  if (flags.bool('watch') || flags.bool('watch-only') || (flags.text('selector') ?? '') !== '') {
    throw new UsageError(
      '--raw may not be specified with other flags that filter the server request or alter the output',
    );
  }
  if ((flags.text('output') ?? '') !== '') {
    throw new UsageError('--raw and --output are mutually exclusive');
  }
  const path = flags.text('raw') ?? '';
  if (!path.startsWith('/')) {
    throw new UsageError(
      `--raw must be a valid URL path: parse "${path}": invalid URI for request`,
    );
  }
}
