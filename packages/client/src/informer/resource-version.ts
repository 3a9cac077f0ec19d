const DIGITS = /^(0|[1-9][0-9]*)$/;

/**
 * Whether `candidate` is no newer than `reached`. Kubernetes' own resource versions are whole numbers without a bound
 * and can be compared since 1.35 says so; of anything else nothing is known, and nothing is held back.
 */
export function isNoNewer(candidate: string | undefined, reached: string | undefined): boolean {
  if (candidate === undefined || reached === undefined) return false;
  if (candidate === reached) return true;
  if (!DIGITS.test(candidate) || !DIGITS.test(reached)) return false;
  if (candidate.length !== reached.length) return candidate.length < reached.length;
  return candidate < reached;
}
