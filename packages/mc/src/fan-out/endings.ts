/** A cluster, or the whole run, took longer than it may; the message is for people and names no cluster. */
export class TimeLimit extends Error {
  override readonly name = 'TimeLimit';
  readonly whose: 'cluster' | 'run';
  readonly limitMs: number;

  constructor(whose: 'cluster' | 'run', limitMs: number) {
    super(whose === 'cluster' ? 'the time limit of a cluster' : 'the deadline of the run');
    this.whose = whose;
    this.limitMs = limitMs;
  }
}

/** Another cluster failed first, and `--fail-fast` ends the rest. */
export class FailedFast extends Error {
  override readonly name = 'FailedFast';
}
