/** The Kubernetes release whose API this server speaks; clients gate features on it. */
export const serverVersion = {
  major: '1',
  minor: '34',
  emulationMajor: '1',
  emulationMinor: '34',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '33',
  gitVersion: 'v1.34.4+flotilla',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
} as const;
