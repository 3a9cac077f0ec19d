import {
  goQuote,
  goSyntax,
  JsonPathError,
  ParseError,
  parseJsonPath,
  printJsonPath,
  printJsonPathAsJson,
} from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';

/** As much of an object as an error repeats; kubectl repeats all of it. */
const LONGEST_OBJECT = 16_384;

/** Reads a template of `-o jsonpath` and gives what prints a list with it; errors are kubectl's. */
export function jsonPathPrinter(
  template: string,
  options: { readonly asJson: boolean; readonly allowMissingKeys: boolean },
): (list: unknown) => string {
  const path = parsePath(template);
  const print = options.asJson ? printJsonPathAsJson : printJsonPath;
  return (list) => {
    try {
      return print(path, list, options);
    } catch (error) {
      if (!(error instanceof JsonPathError)) throw error;
      throw new UsageError(
        `error executing jsonpath ${goQuote(template)}: Error executing template: ${error.message}. ` +
          'Printing more information for debugging the template:\n' +
          `\ttemplate was:\n\t\t${template}\n` +
          `\tobject given to jsonpath engine was:\n\t\t${shortened(goSyntax(list))}\n\n`,
      );
    }
  };
}

function parsePath(template: string) {
  try {
    return parseJsonPath(template);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`error parsing jsonpath ${template}, ${error.message}`);
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST_OBJECT
    ? text
    : `${text.slice(0, LONGEST_OBJECT)}... (${text.length - LONGEST_OBJECT} more characters)`;
}
