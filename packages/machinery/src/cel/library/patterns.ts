import { RE2JS } from 're2js';
import { CelFault, type CelValue } from '../values/value.ts';
import { NO_OVERLOAD } from './operators.ts';

/** Longer patterns are refused: compiling one costs time that no cost estimate covers. */
const MAX_PATTERN_LENGTH = 100_000;
const CACHED_PATTERNS = 64;

/**
 * Patterns that an expression computes from data are compiled on every use otherwise. Those in the
 * source of an expression are kept by its program.
 */
const cache = new Map<string, RE2JS | CelFault>();

/** Compiles a pattern of RE2's syntax; a fault in Go's words where it is not one. */
export function compilePattern(pattern: string): RE2JS | CelFault {
  const known = cache.get(pattern);
  if (known) return known;
  const compiled = compile(pattern);
  if (cache.size >= CACHED_PATTERNS) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): RE2JS | CelFault {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return new CelFault('error parsing regexp: expression too large');
  }
  try {
    return RE2JS.compile(pattern);
  } catch (err) {
    const message = err instanceof Error ? err.message : String(err);
    return new CelFault(message);
  }
}

/** Whether a part of the text matches. */
export function matches(text: CelValue, pattern: CelValue): CelValue {
  if (typeof text !== 'string' || typeof pattern !== 'string') return NO_OVERLOAD;
  const compiled = compilePattern(pattern);
  return compiled instanceof CelFault ? compiled : compiled.matcher(text).find();
}
