import type { Io } from '../io.ts';
import type { Settings } from '../settings/settings.ts';

/** Colours of one stream; every function gives its text back as it is when there are none. */
export interface Colours {
  readonly isOn: boolean;
  /** In the cluster's own colour, the same in every run. `text` is what is shown, such as the name with its padding. */
  readonly cluster: (name: string, text?: string) => string;
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
}

/** Readable on dark and light grounds; red and yellow are for errors and warnings. */
const PALETTE: readonly string[] = ['32', '34', '35', '36', '92', '94', '95', '96'];

const plain = (text: string): string => text;

/** No colours. */
export const NO_COLOURS: Colours = {
  isOn: false,
  cluster: (name, text = name) => text,
  error: plain,
  warning: plain,
};

const COLOURS: Colours = {
  isOn: true,
  cluster: (name, text = name) => paint(PALETTE[hash(name) % PALETTE.length] ?? '', text),
  error: (text) => paint('31', text),
  warning: (text) => paint('33', text),
};

/** Which streams are coloured: all when asked for, else terminals that have colours and whose user did not refuse them. */
export function chooseColours(
  mode: Settings['output']['color'],
  { terminal, env }: Pick<Io, 'terminal' | 'env'>,
): { readonly out: Colours; readonly err: Colours } {
  const hasColours = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const choose = (isTerminal: boolean): Colours =>
    mode === 'always' || (mode === 'auto' && isTerminal && hasColours) ? COLOURS : NO_COLOURS;
  return { out: choose(terminal.out), err: choose(terminal.err) };
}

/** Line by line, so that a pager that shows the middle of a text has its colour. */
function paint(code: string, text: string): string {
  return text.replace(/[^\n]+/g, (line) => `\u001b[${code}m${line}\u001b[0m`);
}

/** FNV-1a: names that differ in one digit get different colours. */
function hash(name: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) {
    value = Math.imul(value ^ name.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
