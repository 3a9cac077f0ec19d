import { resolvePlain } from './resolve-scalar.ts';

/** How a text is written: bare, in one of two quotes, or as a block of lines. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const TIMESTAMP =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}([.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/** Most texts of objects, which need no second look: they begin with a letter and have no sign that means something. */
const SIMPLE = /^[A-Za-z][A-Za-z0-9_./-]*$/;

/** Characters that Go's writer shows only as escapes: control characters, all beyond 16 bits, and the byte order mark. */
const SPECIAL = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

const BREAK = /[\r\n\u0085\u2028\u2029]/;
const FIRST_SIGN = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$)|---|\.\.\.)/;
const INNER_SIGN = /:(?:[ \t]|$)|[ \t\r\n\u2028\u2029]#/;

/** The style of a text; `isKey` for keys on one line with their value, which have no blocks. */
export function scalarStyle(text: string, isKey: boolean): ScalarStyle {
  const wanted = wantedStyle(text);
  const isMultiline = BREAK.test(text);
  if (wanted === 'double' || (isKey && isMultiline)) return 'double';
  if (text === '') return 'single';
  const isSpecial = SPECIAL.test(text) || / [\n\u2028\u2029]/.test(text);
  if (wanted === 'literal') return isSpecial || text.endsWith(' ') || isKey ? 'double' : 'literal';
  if (!isSpecial && !isMultiline && isPlain(text)) return 'plain';
  return isSpecial || /[\n\u2028\u2029] /.test(text) ? 'double' : 'single';
}

function wantedStyle(text: string): 'plain' | 'double' | 'literal' {
  if (text.includes('\n')) return 'literal';
  if (SIMPLE.test(text) && text.length > 5) return 'plain';
  const isText =
    resolvePlain(text).kind === '!!str' && !BASE_60.test(text) && !TIMESTAMP.test(text);
  return isText ? 'plain' : 'double';
}

function isPlain(text: string): boolean {
  if (SIMPLE.test(text)) return true;
  if (text.startsWith(' ') || text.endsWith(' ')) return false;
  return !FIRST_SIGN.test(text) && !INNER_SIGN.test(text);
}
