/** A server under test. */
export interface Target {
  readonly name: 'ours' | 'real';
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly ca: string;
}
