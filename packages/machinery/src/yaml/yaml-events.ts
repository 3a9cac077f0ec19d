import { type Event, parseEvents, YAMLException } from 'js-yaml';
import { ParseError } from '../parse-error.ts';
import { MAX_YAML_DEPTH } from './yaml-decoder.ts';

/** What the parser says of a line in quotes or brackets that stands too far to the left for it. */
const TOO_FAR_LEFT = 'deficient indentation';

/** How many characters are parsed again for such lines, whoever wrote the text. */
const PARSED_AGAIN = 2 * 1024 * 1024;

/** A text as its parts follow each other, and the text that their positions are of. */
export interface YamlEvents {
  readonly events: Event[];
  readonly source: string;
}

/**
 * Takes a YAML text apart. In quotes and brackets upstream's parser does not look at indentation, and ours does: lines
 * that stand too far to the left for it are moved to the right, which changes no value and no line number. Throws
 * ParseError.
 */
export function yamlEvents(text: string): YamlEvents {
  let source = text;
  for (let budget = PARSED_AGAIN; ; budget -= source.length) {
    try {
      return { events: parseEvents(source, { maxDepth: MAX_YAML_DEPTH }), source };
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      const { mark, reason } = error;
      if (mark === undefined) throw new ParseError(`yaml: ${reason}`);
      if (reason !== TOO_FAR_LEFT || budget < 0) {
        throw new ParseError(`yaml: line ${mark.line + 1}: ${reason}`);
      }
      source = moveRight(source, mark.position);
    }
  }
}

/** Moves the line of a character further right than anything before it can ask for. */
function moveRight(text: string, position: number): string {
  const start =
    Math.max(text.lastIndexOf('\n', position - 1), text.lastIndexOf('\r', position - 1)) + 1;
  const before = text.slice(0, start);
  // Nodes begin behind blanks and the marks of lists and keys.
  let deepest = 0;
  for (const [marks] of before.matchAll(/^[ ?:-]*/gm)) deepest = Math.max(deepest, marks.length);
  return `${before}${' '.repeat(deepest + 1)}${text.slice(start)}`;
}
