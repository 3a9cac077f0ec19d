// A Node process with nothing in it: what the others are measured above.
import { runJob } from './measure.ts';

await runJob(() => ({ request: async () => {}, startInformers: async () => {} }));
