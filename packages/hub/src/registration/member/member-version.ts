import { isJsonObject } from '@flotilla/machinery';
import type { Conceal } from './conceal.ts';

/** A Kubernetes version as the cluster Secret and the status carry it. */
export interface MemberVersion {
  major?: string;
  minor?: string;
  gitVersion?: string;
  platform?: string;
}

const FIELDS = ['major', 'minor', 'gitVersion', 'platform'] as const;
const LONGEST_FIELD = 128;

/** Reads what `/version` answered; undefined where it is no version. */
export function readVersion(answer: unknown, conceal: Conceal): MemberVersion | undefined {
  if (!isJsonObject(answer)) return undefined;
  const version: MemberVersion = {};
  for (const field of FIELDS) {
    const value = answer[field];
    if (typeof value === 'string') version[field] = conceal(value).slice(0, LONGEST_FIELD);
  }
  return version.gitVersion === undefined ? undefined : version;
}
