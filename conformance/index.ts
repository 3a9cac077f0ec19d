export type { Difference } from './compare.ts';
export { compareText } from './compare-text.ts';
export { judge, type KnownDifference, parseKnownDifferences } from './known-differences.ts';
export { createNormaliser } from './normalise.ts';
export { REAL_OPTIONS } from './real-options.ts';
export { formatJudgement } from './report.ts';
export { readKubeconfig, startOurs } from './start-ours.ts';
