/** One clause of an Accept header. */
export interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/**
 * The clauses of an Accept header, most wanted first; of two wanted equally, the one that says more.
 * As with upstream's parser, what is no media range is left out, and quality 0 merely comes last.
 */
export function mediaRanges(accept: string): readonly MediaRange[] {
  return accept
    .split(',')
    .flatMap(mediaRange)
    .sort((a, b) => b.quality - a.quality || wildcards(a) - wildcards(b));
}

/** The media type that the most wanted of these ranges takes in, in our order. */
export function preferred(
  ranges: readonly MediaRange[],
  types: readonly string[],
): string | undefined {
  for (const range of ranges) {
    const found = types.find((candidate) => covers(range, candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}

function covers(range: MediaRange, candidate: string): boolean {
  const [type, subtype] = candidate.split('/');
  return [type, '*'].includes(range.type) && [subtype, '*'].includes(range.subtype);
}

function mediaRange(clause: string): MediaRange[] {
  const [name = '', ...parameters] = clause.split(';').map((part) => part.trim());
  const [type = '', subtype = '', ...rest] = (name === '*' ? '*/*' : name).split('/');
  if (subtype === '' || rest.length > 0) return [];
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [{ type: type.trim(), subtype: subtype.trim(), quality: Number.parseFloat(quality) || 0 }];
}

function wildcards({ type, subtype }: MediaRange): number {
  return Number(type === '*') + Number(subtype === '*');
}
