import { goQuote } from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';
import { chooseFormat, type Format } from './choose-format.ts';

/** A form of objects themselves: neither a table nor another program's. */
export type PlainFormat =
  | { readonly kind: 'json' | 'yaml' | 'ndjson' | 'name' }
  | {
      readonly kind: 'jsonpath' | 'jsonpath-as-json' | 'go-template';
      readonly template: string;
      readonly isFile: boolean;
    };

const NAMES =
  'go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,ndjson,template,templatefile,yaml';

/** Reads `-o` and `--template` for verbs that print no tables but their own; undefined where nothing is asked for. */
export function plainFormat(output = '', template = ''): PlainFormat | undefined {
  const format: Format = chooseFormat(output, template);
  switch (format.kind) {
    case 'json':
    case 'yaml':
    case 'ndjson':
    case 'name':
      return { kind: format.kind };
    case 'jsonpath':
    case 'jsonpath-as-json':
    case 'go-template':
      return { kind: format.kind, template: format.template, isFile: format.isFile };
    default:
      if (output === '') return undefined;
      throw new UsageError(
        `unable to match a printer suitable for the output format ${goQuote(output)}, allowed formats are: ${NAMES}`,
      );
  }
}
