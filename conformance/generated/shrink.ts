import type { Case, Step } from '../case.ts';

const MOST_TRIES = 60;

/** The fewest steps of a case with which the servers still differ; every step is tried once and again. */
export async function shrink(
  each: Case,
  stillDiffers: (smaller: Case) => Promise<boolean>,
): Promise<Case> {
  let steps: readonly Step[] = each.steps;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < MOST_TRIES; ) {
    isSmaller = false;
    for (let at = steps.length - 1; at >= 0 && steps.length > 1 && tries < MOST_TRIES; at -= 1) {
      const fewer = steps.toSpliced(at, 1);
      if (isNeeded(steps[at], fewer)) continue;
      tries += 1;
      if (await stillDiffers({ ...each, steps: fewer })) {
        steps = fewer;
        isSmaller = true;
      }
    }
  }
  return { ...each, steps };
}

/** Whether others use what the step saves: without it they would be other requests. */
function isNeeded(step: Step | undefined, others: readonly Step[]): boolean {
  const text = JSON.stringify(others);
  return Object.keys(step?.save ?? {}).some((name) => text.includes(`{${name}}`));
}
