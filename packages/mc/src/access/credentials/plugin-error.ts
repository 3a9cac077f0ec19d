import { CredentialError } from '@flotilla/client';

/** A credential command did not do its work. The message is one line and holds nothing of what the command printed. */
export class PluginError extends CredentialError {
  readonly command: string;
  /** True when there is no such command on this machine. */
  readonly isMissing: boolean;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(
    message: string,
    options: { command: string; isMissing?: boolean; hint?: string | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.command = options.command;
    this.isMissing = options.isMissing ?? false;
    this.hint = options.hint;
  }
}

/** The failure of a credential command behind an error of a request; undefined when it failed for another reason. */
export function pluginErrorOf(error: unknown): PluginError | undefined {
  for (let each = error, depth = 0; depth < 5; depth += 1) {
    if (each instanceof PluginError) return each;
    if (!(each instanceof Error)) return undefined;
    each = each.cause;
  }
  return undefined;
}
