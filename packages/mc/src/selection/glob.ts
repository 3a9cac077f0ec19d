/** One step of a glob: a character, any character, any number of them, or one of a set. */
type Step =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | {
      readonly kind: 'set';
      readonly isNot: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** A glob, read. */
export interface Glob {
  readonly alternatives: readonly (readonly Step[])[];
}

/** More would be a mistake, or an attempt to keep us busy. */
const MAX_ALTERNATIVES = 1_024;

/** Whether a text means more than itself as a glob. */
export function isGlob(text: string): boolean {
  return /[*?[{\\]/.test(text);
}

/** Reads `* ? [a-z] [!a-z] {a,b}`, with `\` before what is meant as it stands; undefined when it stands for too much. */
export function parseGlob(text: string): Glob | undefined {
  const expanded = expandBraces(text);
  return expanded === undefined ? undefined : { alternatives: expanded.map(stepsOf) };
}

/**
 * Whether a glob means a name, whole. Takes time in proportion to both lengths at worst, whoever chose the name. With
 * `keepsSlashes`, as for paths, only a slash means a slash.
 */
export function matchesGlob(glob: Glob, name: string, keepsSlashes = false): boolean {
  const chars = [...name];
  return glob.alternatives.some((steps) => matchesSteps(steps, chars, keepsSlashes));
}

function matchesSteps(
  steps: readonly Step[],
  chars: readonly string[],
  keepsSlashes: boolean,
): boolean {
  let step = 0;
  let at = 0;
  // Where the last star stands, and how much it has taken: only the last one ever needs to take more.
  let star = -1;
  let taken = 0;
  while (at < chars.length) {
    const current = steps[step];
    if (current?.kind === 'star') {
      star = step++;
      taken = at;
    } else if (current !== undefined && matchesStep(current, chars[at] ?? '', keepsSlashes)) {
      step += 1;
      at += 1;
    } else if (star >= 0 && !(keepsSlashes && chars[taken] === '/')) {
      step = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  while (steps[step]?.kind === 'star') step += 1;
  return step === steps.length;
}

function matchesStep(step: Step, char: string, keepsSlashes: boolean): boolean {
  if (step.kind === 'char') return step.char === char;
  if (keepsSlashes && char === '/') return false;
  if (step.kind !== 'set') return step.kind === 'any';
  return step.ranges.some(([from, to]) => from <= char && char <= to) !== step.isNot;
}

function stepsOf(text: string): Step[] {
  const chars = [...text];
  const steps: Step[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? '';
    if (char === '*') {
      if (steps.at(-1)?.kind !== 'star') steps.push({ kind: 'star' });
    } else if (char === '?') {
      steps.push({ kind: 'any' });
    } else if (char === '[') {
      const end = endOfSet(chars, at);
      // A bracket that nothing closes is a bracket.
      if (end === undefined) steps.push({ kind: 'char', char });
      else {
        steps.push(setOf(chars.slice(at + 1, end)));
        at = end;
      }
    } else if (char === '\\' && at + 1 < chars.length) {
      steps.push({ kind: 'char', char: chars[++at] ?? '' });
    } else {
      steps.push({ kind: 'char', char });
    }
  }
  return steps;
}

function endOfSet(chars: readonly string[], start: number): number | undefined {
  // The first one may be a closing bracket itself: `[]a]`, `[!]a]`.
  const isNegated = chars[start + 1] === '!' || chars[start + 1] === '^';
  const end = chars.indexOf(']', start + (isNegated ? 3 : 2));
  return end < 0 ? undefined : end;
}

function setOf(content: readonly string[]): Step {
  const isNot = content[0] === '!' || content[0] === '^';
  const chars = isNot ? content.slice(1) : content;
  const ranges: [string, string][] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const from = chars[at] ?? '';
    const to = chars[at + 1] === '-' ? chars[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return { kind: 'set', isNot, ranges };
}

/** `{a,b}-{c,d}` as its four texts; braces that nothing closes, or with nothing to choose from, are braces. */
function expandBraces(text: string): string[] | undefined {
  const waiting = [text];
  const done: string[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (waiting.length + done.length >= MAX_ALTERNATIVES) return undefined;
    const brace = firstBrace(next);
    if (brace === undefined) {
      done.push(next);
      continue;
    }
    const before = next.slice(0, brace.start);
    const after = next.slice(brace.end + 1);
    waiting.push(...brace.choices.map((choice) => `${before}${choice}${after}`));
  }
  return done.reverse();
}

function firstBrace(
  text: string,
):
  | { readonly start: number; readonly end: number; readonly choices: readonly string[] }
  | undefined {
  let from = 0;
  for (;;) {
    const start = indexUnescaped(text, '{', from);
    if (start < 0) return undefined;
    const cuts: number[] = [start];
    let depth = 0;
    for (let at = start; at < text.length; at += 1) {
      const char = text[at];
      if (char === '\\') at += 1;
      else if (char === '{') depth += 1;
      else if (char === ',' && depth === 1) cuts.push(at);
      else if (char === '}' && --depth === 0) {
        if (cuts.length === 1) break;
        cuts.push(at);
        const choices = cuts.slice(1).map((cut, index) => text.slice((cuts[index] ?? 0) + 1, cut));
        return { start, end: at, choices };
      }
    }
    from = start + 1;
  }
}

function indexUnescaped(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}
