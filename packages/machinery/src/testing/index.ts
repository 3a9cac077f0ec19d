export { ManualClock } from './manual-clock.ts';
export { anyJson, type Seeded, seeded } from './seeded.ts';
