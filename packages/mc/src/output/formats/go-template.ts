import {
  executeGoTemplate,
  GoTemplateError,
  goQuote,
  type ParsedTemplate,
  ParseError,
  parseGoTemplate,
} from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';

/** Reads a template of `-o go-template` and gives what prints a list with it; errors are kubectl's. */
export function goTemplatePrinter(
  template: string,
  options: { readonly allowMissingKeys: boolean },
): (list: unknown) => string {
  const parsed = parseTemplate(template);
  return (list) => {
    try {
      return executeGoTemplate(parsed, list, options);
    } catch (error) {
      if (!(error instanceof GoTemplateError)) throw error;
      throw new UsageError(`error executing template ${goQuote(template)}: ${error.message}`);
    }
  };
}

function parseTemplate(template: string): ParsedTemplate {
  try {
    return parseGoTemplate(template);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`error parsing template ${template}, ${error.message}`);
  }
}
