import { bashScript } from './bash-script.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

/** The scripts by shell. Each hands the words to `kubectl-mc __complete` and does with the answer what kubectl's would. */
export const scripts: Readonly<Record<string, string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
