import { goSprint, goSyntax, goTypeName } from '../go/values.ts';
import { type Directive, formatNumber } from './format-number.ts';
import { formatText, pad } from './format-text.ts';

const DIRECTIVE = /%([-+# 0]*)(\*|[0-9]+)?(\.(?:\*|[0-9]*))?([\s\S]|$)/gu;

/** Go's `fmt.Sprintf` over JSON data, mistakes included: `%!d(string=x)`, `%!s(MISSING)`, `%!(EXTRA int=1)`. */
export function goSprintf(format: string, args: readonly unknown[]): string {
  let next = 0;
  const take = () => args[next++];
  const text = format.replace(
    DIRECTIVE,
    // oxlint-disable-next-line max-params -- the groups of the pattern
    (_, flags: string, width: string | undefined, precision: string | undefined, verb: string) => {
      const wide = width === '*' ? integerOf(take()) : numberOf(width);
      const exact = precision === '.*' ? integerOf(take()) : numberOf(precision?.slice(1));
      const isLeft = flags.includes('-') || (wide ?? 0) < 0;
      const directive: Directive = {
        verb,
        flags: isLeft ? flags.replaceAll('0', '') : flags,
        isLeft,
        width: Math.abs(wide ?? 0),
        precision: precision === undefined ? undefined : (exact ?? 0),
      };
      if (verb === '') return '%!(NOVERB)';
      if (verb === '%') return '%';
      if (next >= args.length) return `%!${verb}(MISSING)`;
      return formatValue(take(), directive);
    },
  );
  if (next >= args.length) return text;
  const extra = args
    .slice(next)
    .map((arg) => (isNil(arg) ? '<nil>' : `${goTypeName(arg)}=${goSprint(arg)}`));
  return `${text}%!(EXTRA ${extra.join(', ')})`;
}

function formatValue(value: unknown, directive: Directive): string {
  const { verb, flags } = directive;
  if (verb === 'T') return pad(goTypeName(value), directive);
  if (verb === 'v') {
    if (flags.includes('#')) return pad(isNil(value) ? '<nil>' : goSyntax(value), directive);
    if (typeof value !== 'object' || value === null) return formatPlain(value, directive);
  }
  if (isNil(value)) return verb === 'v' ? pad('<nil>', directive) : `%!${verb}(<nil>)`;
  if (Array.isArray(value))
    return `[${value.map((item) => formatMember(item, directive)).join(' ')}]`;
  if (goTypeName(value).startsWith('map[')) {
    const object = value as Readonly<Record<string, unknown>>;
    const members = Object.keys(object)
      .sort()
      .map((key) => `${formatValue(key, directive)}:${formatMember(object[key], directive)}`);
    return `map[${members.join(' ')}]`;
  }
  return formatPlain(value, directive);
}

/** Nothing inside of something is no mistake, whatever the verb. */
function formatMember(value: unknown, directive: Directive): string {
  return isNil(value) ? '<nil>' : formatValue(value, directive);
}

/** A text, a number, a truth value or nothing. */
function formatPlain(value: unknown, directive: Directive): string {
  const { verb } = directive;
  if (isNil(value)) return verb === 'v' ? pad('<nil>', directive) : `%!${verb}(<nil>)`;
  if (typeof value === 'boolean') {
    return verb === 't' || verb === 'v' ? pad(String(value), directive) : wrongVerb(value, verb);
  }
  const text =
    typeof value === 'string' ? formatText(value, directive) : formatNumber(value, directive);
  return text ?? wrongVerb(value, verb);
}

function wrongVerb(value: unknown, verb: string): string {
  return `%!${verb}(${goTypeName(value)}=${goSprint(value)})`;
}

function isNil(value: unknown): boolean {
  return value === null || value === undefined;
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined || digits === '' ? undefined : Math.min(Number(digits), 1_000_000);
}

function integerOf(value: unknown): number | undefined {
  const number = Number(goSprint(value));
  return Number.isInteger(number) && Math.abs(number) <= 1_000_000 ? number : undefined;
}
