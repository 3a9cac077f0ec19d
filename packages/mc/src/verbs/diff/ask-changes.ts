import { isJsonObject } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import { type ApplyOptions, askVersions, type ObjectVersions } from './ask-versions.ts';
import { prepareVersions, type VersionOptions } from './prepare-versions.ts';
import { unifiedDiff } from './unified-diff.ts';

/** One object on one cluster, as it is shown. */
export interface Change {
  readonly file: string;
  /** Empty when nothing would change. */
  readonly text: string;
  /** Kept only for a program that compares the texts itself. */
  readonly texts?: { readonly from: string; readonly to: string } | undefined;
}

/** How changes are asked for. */
export interface ChangeOptions extends ApplyOptions, VersionOptions {
  /** Objects that are asked for at once. */
  readonly concurrency: number;
  readonly keepsTexts: boolean;
  readonly warn: (text: string) => void;
}

/** Asks a cluster what manifests would change, a few at a time; of two that are the same object the last one counts. */
export async function askChanges(
  member: Member,
  manifests: readonly Manifest[],
  options: ChangeOptions,
): Promise<Change[]> {
  const changes: Change[] = [];
  const pending = manifests.entries();
  const work = async (): Promise<void> => {
    for (const [index, manifest] of pending) {
      const versions = await askVersions(member, manifest, options);
      if (isGoing(versions)) {
        options.warn(
          `Detected changes to resource ${manifest.name} which is currently being deleted.`,
        );
      }
      changes[index] = changeOf(versions, options);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, work));
  return [...new Map(changes.map((change) => [change.file, change])).values()];
}

function changeOf(versions: ObjectVersions, options: ChangeOptions): Change {
  const { file } = versions;
  const texts = prepareVersions(versions, options);
  const names = { from: `LIVE/${file}`, to: `MERGED/${file}` };
  const diff = unifiedDiff(texts.from, texts.to, names);
  const text = diff === '' ? '' : `diff -u -N ${names.from} ${names.to}\n${diff}`;
  return { file, text, ...(options.keepsTexts ? { texts } : {}) };
}

function isGoing({ live }: ObjectVersions): boolean {
  const metadata = live?.['metadata'];
  return isJsonObject(metadata) && metadata['deletionTimestamp'] !== undefined;
}
