import { UsageError } from '../../usage-error.ts';
import type { Verb } from '../../verb.ts';

/** `kubectl mc completion`: what a shell must know to complete `kubectl-mc`. */
export const completionVerb: Verb = {
  name: 'completion',
  usage: 'completion bash|zsh|fish',
  summary:
    'Print what makes a shell complete kubectl-mc (kubectl needs only kubectl_complete-mc on PATH)',
  examples: [
    'source <(kubectl-mc completion bash)',
    'source <(kubectl-mc completion zsh)',
    'kubectl-mc completion fish > ~/.config/fish/completions/kubectl-mc.fish',
  ],
  flags: [],
  run: async ({ args }, { io }) => {
    const [shell = '', ...others] = args;
    const { scripts } = await import('./scripts.ts');
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined || others.length > 0) {
      throw new UsageError(
        `Cannot print completion for "${args.join(' ')}": it is there for ${Object.keys(scripts).join(', ')}`,
      );
    }
    await io.out(script);
    return 0;
  },
};
