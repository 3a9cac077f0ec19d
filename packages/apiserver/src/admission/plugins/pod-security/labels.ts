import { type FieldError, invalid, keyed } from '@flotilla/machinery';
import type { Level, Standard } from './standards.ts';

/** What a namespace asks of the pods in it. */
export interface Policy {
  /** Pods that do not meet it are refused. */
  readonly enforce: Standard;
  readonly audit: Standard;
  /** Whoever writes a pod that does not meet it is warned. */
  readonly warn: Standard;
}

const PREFIX = 'pod-security.kubernetes.io/';
const LEVELS: readonly string[] = ['privileged', 'baseline', 'restricted'];
const OPEN: Standard = { level: 'privileged', minor: undefined };
const NOTHING: Policy = { enforce: OPEN, audit: OPEN, warn: OPEN };

/**
 * Reads the labels. A label that cannot be read counts as the strictest where pods are refused, and as none where
 * they are only talked about; both are problems of the namespace.
 */
export function policyOf(labels: Readonly<Record<string, string>> | undefined): {
  policy: Policy;
  problems: FieldError[];
} {
  if (labels === undefined) return { policy: NOTHING, problems: [] };
  const problems: FieldError[] = [];
  const read = (mode: 'enforce' | 'audit' | 'warn'): Standard => ({
    level: levelOf(labels, mode, problems) ?? OPEN.level,
    minor: minorOf(labels, mode, problems),
  });
  const enforce = read('enforce');
  const audit = read('audit');
  const warn = read('warn');
  const isExplicit = LEVELS.includes(labels[`${PREFIX}enforce`] ?? '');
  const inherits =
    !has(labels, `${PREFIX}warn`) && isExplicit && strictness(enforce) > strictness(warn);
  return {
    policy: {
      enforce,
      audit,
      warn: inherits
        ? {
            level: enforce.level,
            minor: has(labels, `${PREFIX}warn-version`) ? warn.minor : enforce.minor,
          }
        : warn,
    },
    problems,
  };
}

/** How strict a standard's level is, as a number to compare. */
export function strictness({ level }: Standard): number {
  return LEVELS.indexOf(level);
}

/** As messages name it: `restricted:latest`. */
export function shownStandard({ level, minor }: Standard): string {
  return `${level}:${minor === undefined ? 'latest' : `v1.${minor}`}`;
}

/** True when both ask for the same. */
export function sameStandard(a: Standard, b: Standard): boolean {
  return a.level === b.level && a.minor === b.minor;
}

function has(labels: Readonly<Record<string, string>>, key: string): boolean {
  return Object.hasOwn(labels, key);
}

function levelOf(
  labels: Readonly<Record<string, string>>,
  mode: string,
  problems: FieldError[],
): Level | undefined {
  const key = PREFIX + mode;
  if (!has(labels, key)) return undefined;
  const text = labels[key] ?? '';
  if (LEVELS.includes(text)) return text as Level;
  problems.push(invalid(labelPath(key), text, `must be one of ${LEVELS.join(', ')}`));
  return mode === 'enforce' ? 'restricted' : 'privileged';
}

function minorOf(
  labels: Readonly<Record<string, string>>,
  mode: string,
  problems: FieldError[],
): number | undefined {
  const key = `${PREFIX}${mode}-version`;
  if (!has(labels, key)) return undefined;
  const text = labels[key] ?? '';
  if (text === 'latest') return undefined;
  const minor = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text)?.[1];
  if (minor !== undefined) return Number(minor);
  problems.push(invalid(labelPath(key), text, 'must be "latest" or "v1.x"'));
  return undefined;
}

function labelPath(key: string): string {
  return keyed('metadata.labels', key);
}
