import { libraryCallCost } from './library-runtime.ts';
import {
  both,
  type CallCost,
  type CalledFunction,
  costSize,
  first,
  patternCost,
  smaller,
  walked,
} from './sizes.ts';

export { type CallCost, LIST_CREATE, MAP_CREATE } from './sizes.ts';

const BY_OVERLOAD: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['starts_with_string', first],
  ['ends_with_string', first],
  ['string_to_bytes', first],
  ['bytes_to_string', first],
  ['strings_quote', first],
  ['string_format', first],
  ['in_list', (args) => costSize(args[1])],
  ['equals', smaller],
  ['not_equals', smaller],
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name): [string, CallCost][] => [
    [`${name}_string`, smaller],
    [`${name}_bytes`, smaller],
  ]),
  ['add_string', both],
  ['add_bytes', both],
  ['matches_string', patternCost],
  ['contains_string', ([text, part]) => walked(text) * walked(part)],
]);

/** What a call of a function costs: one, or as much as its arguments make it. */
export function callCost(called: CalledFunction): CallCost | 1 {
  const byLibrary = libraryCallCost(called);
  if (byLibrary !== undefined) return byLibrary;
  return (called.overload !== undefined && BY_OVERLOAD.get(called.overload)) || 1;
}
