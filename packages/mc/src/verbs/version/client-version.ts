import { arch, platform } from 'node:os';
import { VERSION } from '../../version.ts';

/** This program in the form in which servers tell their version. */
export interface ClientVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly nodeVersion: string;
  readonly platform: string;
}

const GO_ARCH: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };
const GO_PLATFORM: Readonly<Record<string, string>> = { win32: 'windows' };

/** The version of this program. */
export function clientVersion(): ClientVersion {
  const [major = '', minor = ''] = VERSION.split('.');
  return {
    major,
    minor,
    gitVersion: `v${VERSION}`,
    nodeVersion: process.version,
    platform: `${GO_PLATFORM[platform()] ?? platform()}/${GO_ARCH[arch()] ?? arch()}`,
  };
}
