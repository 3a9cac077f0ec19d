import { parseIP } from '../../validation/ip.ts';

/** An address as Go's mail.ParseAddress reads it: `a@b`, `"a b"@c`, `Name <a@b>`, with comments after it. */
export function isEmail(text: string): boolean {
  const bare = new Reader(text);
  if (bare.address() && bare.comments() && bare.isAtEnd()) return true;
  const named = new Reader(text);
  if (!named.startsWith('<') && !named.phrase()) return false;
  return (
    named.take('<') && named.address() && named.take('>') && named.comments() && named.isAtEnd()
  );
}

/** Reads an address from left to right, each function a piece of its grammar. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skipSpace();
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  startsWith(char: string): boolean {
    return this.#text[this.#at] === char;
  }

  take(char: string): boolean {
    if (!this.startsWith(char)) return false;
    this.#at++;
    return true;
  }

  /** local-part @ domain */
  address(): boolean {
    this.#skipSpace();
    const local = this.startsWith('"') ? this.#quoted() : this.#dotAtom();
    if (local === undefined || local === '' || !this.take('@')) return false;
    this.#skipSpace();
    return this.startsWith('[') ? this.#literal() : this.#dotAtom() !== undefined;
  }

  /** One or more words: atoms or quoted texts. */
  phrase(): boolean {
    let words = 0;
    for (;;) {
      this.#skipSpace();
      const word = this.startsWith('"') ? this.#quoted() : this.#atom();
      if (word === undefined) break;
      words++;
      if (!this.comments()) return false;
    }
    this.#skipSpace();
    return words > 0;
  }

  /** Spaces and comments in parentheses, which may be nested. */
  comments(): boolean {
    this.#skipSpace();
    while (this.take('(')) {
      for (let depth = 1; depth > 0; this.#at++) {
        const char = this.#text[this.#at];
        if (char === undefined) return false;
        if (char === '\\') this.#at++;
        else if (char === '(') depth++;
        else if (char === ')') depth--;
      }
      this.#skipSpace();
    }
    return true;
  }

  #skipSpace(): void {
    while (this.startsWith(' ') || this.startsWith('\t')) this.#at++;
  }

  #atom(): string | undefined {
    const start = this.#at;
    while (!this.isAtEnd() && isAtomCharacter(this.#text.charCodeAt(this.#at))) this.#at++;
    return this.#at === start ? undefined : this.#text.slice(start, this.#at);
  }

  #dotAtom(): string | undefined {
    const atom = this.#atom();
    if (atom === undefined || atom.startsWith('.') || atom.endsWith('.')) return undefined;
    return atom.includes('..') ? undefined : atom;
  }

  #quoted(): string | undefined {
    let content = '';
    for (this.#at++; !this.startsWith('"'); this.#at++) {
      if (this.startsWith('\\')) this.#at++;
      const char = this.#text[this.#at];
      if (char === undefined) return undefined;
      if (!isVisible(char.charCodeAt(0)) && char !== ' ' && char !== '\t') return undefined;
      content += char;
    }
    this.#at++;
    return content;
  }

  #literal(): boolean {
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) return false;
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return parseIP(inside) !== undefined;
  }
}

function isVisible(code: number): boolean {
  return (code > 0x20 && code < 0x7f) || code >= 0x80;
}

function isAtomCharacter(code: number): boolean {
  return isVisible(code) && !'()<>[]:;@\\,"'.includes(String.fromCharCode(code));
}
