import type { FlagSpec } from '../flags/flag.ts';

/** The flags of verbs that take manifests. */
export const manifestFlags: readonly FlagSpec[] = [
  {
    name: 'filename',
    short: 'f',
    kind: 'texts',
    value: 'PATH,...',
    help: 'Manifests: files, folders, patterns, or - for standard input',
  },
  {
    name: 'kustomize',
    short: 'k',
    kind: 'text',
    value: 'FOLDER',
    help: 'A kustomization, which kubectl builds',
  },
  { name: 'recursive', short: 'R', kind: 'bool', help: 'Folders with the folders in them' },
];
