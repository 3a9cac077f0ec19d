import { goQuote } from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';

/** What is printed, and the template where there is one. Files and templates have not been read yet. */
export type Format =
  | { readonly kind: 'table'; readonly isWide: boolean }
  | { readonly kind: 'json' | 'yaml' | 'ndjson' | 'csv' | 'name' }
  | {
      readonly kind: 'jsonpath' | 'jsonpath-as-json' | 'go-template' | 'custom-columns';
      readonly template: string;
      /** The template is the path of a file. */
      readonly isFile: boolean;
    }
  | { readonly kind: 'plugin'; readonly name: string };

/** Every value of `-o`, as errors and help list them. */
export const formatNames: readonly string[] = [
  'csv',
  'custom-columns',
  'custom-columns-file',
  'go-template',
  'go-template-file',
  'json',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'name',
  'ndjson',
  'plugin',
  'template',
  'templatefile',
  'wide',
  'yaml',
];

/** The names that have a template behind them, and whether it is in a file. */
const TEMPLATED: Readonly<
  Record<
    string,
    readonly ['jsonpath' | 'jsonpath-as-json' | 'go-template' | 'custom-columns', boolean]
  >
> = {
  jsonpath: ['jsonpath', false],
  'jsonpath-as-json': ['jsonpath-as-json', false],
  'jsonpath-file': ['jsonpath', true],
  template: ['go-template', false],
  'go-template': ['go-template', false],
  'go-template-file': ['go-template', true],
  templatefile: ['go-template', true],
  'custom-columns': ['custom-columns', false],
  'custom-columns-file': ['custom-columns', true],
};

/** Reads `-o` and `--template` as kubectl does; throws its words for what they are not. */
export function chooseFormat(output = '', template = ''): Format {
  if (output === '' && template !== '') return { kind: 'go-template', template, isFile: false };
  if (output === '' || output === 'wide') return { kind: 'table', isWide: output === 'wide' };
  const lower = output.toLowerCase();
  if (lower === 'json' || lower === 'yaml') return { kind: lower };
  if (output === 'name' || output === 'ndjson' || output === 'csv') return { kind: output };
  const [, name = '', value] = /^([^=]*)(?:=([\s\S]*))?$/.exec(output) ?? [];
  if (name === 'plugin') return { kind: 'plugin', name: pluginName(value) };
  const found = Object.hasOwn(TEMPLATED, name) ? TEMPLATED[name] : undefined;
  // A template beside the format takes the place of one within it, which must then not be there.
  if (found === undefined || (template !== '' && value !== undefined)) throw noSuchFormat(output);
  const [kind, isFile] = found;
  const text = template === '' ? (value ?? '') : template;
  if (text === '') {
    throw new UsageError(
      kind === 'custom-columns'
        ? 'custom-columns format specified but no custom columns given'
        : 'template format specified but no template given',
    );
  }
  return { kind, template: text, isFile };
}

function pluginName(value: string | undefined): string {
  if (value !== undefined && /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(value)) return value;
  throw new UsageError(
    `plugin=${value ?? ''} names no output plugin: plugin=NAME runs the command kubectl-mc-output-NAME`,
  );
}

function noSuchFormat(output: string): UsageError {
  const allowed = formatNames.join(',');
  return new UsageError(
    `unable to match a printer suitable for the output format ${goQuote(output)}, allowed formats are: ${allowed}`,
  );
}
