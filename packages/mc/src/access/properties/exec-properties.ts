import { isJsonObject } from '@flotilla/machinery';
import { AccessError } from '../access-error.ts';

/** A command that a profile would like to have run. Nothing in it is believed. */
export interface ExecProposal {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  readonly installHint?: string | undefined;
  readonly provideClusterInfo: boolean;
}

/** What cloud CLIs speak, and what the documents of this format show. */
const USUAL_VERSION = 'client.authentication.k8s.io/v1beta1';
const INDEXED = /^auth\.exec\.args\.(0|[1-9]\d{0,3})$/;

/**
 * Reads the `auth.exec.*` properties of a profile; undefined when there are none. Arguments are a list with commas
 * between, a JSON array, or properties of their own (`auth.exec.args.0`, …), which count before the other two forms and
 * are not bound by the length of one property. Throws AccessError.
 */
export function readExecProperties(
  properties: Readonly<Record<string, string>>,
): ExecProposal | undefined {
  const read = (name: string): string | undefined =>
    Object.hasOwn(properties, `auth.exec.${name}`) ? properties[`auth.exec.${name}`] : undefined;
  const command = read('command');
  if (command === undefined || command === '') return undefined;
  return {
    command,
    args: indexedArgs(properties) ?? listedArgs(read('args')),
    env: environment(read('env')),
    apiVersion: read('apiVersion') ?? USUAL_VERSION,
    interactiveMode: interactiveMode(read('interactiveMode')),
    installHint: read('installHint'),
    provideClusterInfo: flag('provideClusterInfo', read('provideClusterInfo')),
  };
}

function indexedArgs(properties: Readonly<Record<string, string>>): string[] | undefined {
  const args: string[] = [];
  let count = 0;
  for (const [name, value] of Object.entries(properties)) {
    const index = INDEXED.exec(name)?.[1];
    if (index === undefined) continue;
    args[Number(index)] = value;
    count += 1;
  }
  if (count === 0) return undefined;
  if (args.length !== count) {
    const gap = Array.from<string | undefined>(args).indexOf(undefined);
    throw wrong(
      `auth.exec.args.${gap}`,
      `missing, though auth.exec.args.${args.length - 1} is there`,
    );
  }
  return args;
}

function listedArgs(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  if (!text.trimStart().startsWith('[')) return text.split(',');
  const value = json(text);
  if (!Array.isArray(value) || !value.every((arg) => typeof arg === 'string')) {
    throw wrong('auth.exec.args', 'not a JSON array of strings');
  }
  return value;
}

function environment(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined || text === '') return {};
  const value = json(text);
  if (value === null) return {};
  if (!isJsonObject(value)) throw wrong('auth.exec.env', 'not a JSON object of strings');
  const entries = Object.entries(value);
  for (const [name, each] of entries) {
    if (typeof each !== 'string' || name === '' || /[=\0]/.test(name) || each.includes('\0')) {
      throw wrong('auth.exec.env', 'not a JSON object of strings');
    }
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

function interactiveMode(text: string | undefined): ExecProposal['interactiveMode'] {
  if (text === undefined) return 'IfAvailable';
  if (text === 'Never' || text === 'IfAvailable' || text === 'Always') return text;
  throw wrong('auth.exec.interactiveMode', 'neither Never nor IfAvailable nor Always');
}

function flag(name: string, text: string | undefined): boolean {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  throw wrong(`auth.exec.${name}`, 'neither true nor false');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrong(name: string, state: string): AccessError {
  return new AccessError(`Cannot use property "${name}" of its profile: it is ${state}`);
}
