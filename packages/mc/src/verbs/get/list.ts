import { chooseFormat, type Format } from '../../output/formats/choose-format.ts';
import type { TableOptions } from '../../output/table/table-options.ts';
import type { Session } from '../../session.ts';
import { chooseColours } from '../../text/colour.ts';
import type { Call } from '../../verb.ts';
import type { GetPlan } from './plan.ts';

/** Lists what a plan asks for, once, in the form that flags ask for. */
export async function listResources(call: Call, plan: GetPlan, session: Session): Promise<number> {
  const { flags } = call;
  const format = chooseFormat(flags.text('output'), flags.text('template'));
  switch (format.kind) {
    case 'table':
    case 'csv': {
      const { listTables } = await import('./list-tables.ts');
      return await listTables(plan, session, {
        options: tableOptions(call, plan, session),
        isCsv: format.kind === 'csv',
        isStreamed:
          format.kind === 'table' && session.settings.output.stream && plan.sortPath === undefined,
      });
    }
    case 'name': {
      const { listNames } = await import('./list-names.ts');
      const showsCluster = session.settings.output.clusterColumn !== 'none';
      return await listNames(plan, session, { showsCluster });
    }
    case 'jsonpath':
    case 'jsonpath-as-json':
    case 'go-template': {
      const { listTemplate } = await import('./list-templates.ts');
      return await listTemplate(plan, session, await templatePrinter(format, call, session));
    }
    case 'custom-columns': {
      const { listCustomColumns } = await import('./list-custom-columns.ts');
      const columns = await customColumns(format, session);
      const options = { ...tableOptions(call, plan, session), isHeaderKept: true };
      return await listCustomColumns(plan, session, { columns, options });
    }
    case 'plugin':
      return await listForPlugin(format.name, plan, { call, session });
    default: {
      const { listDocuments } = await import('./list-documents.ts');
      const document = await documentFormat(format.kind, call, session);
      const isFlat = format.kind === 'ndjson' || flags.bool('flat');
      return await listDocuments(plan, session, {
        format: document,
        isFlat,
        write: session.io.out,
      });
    }
  }
}

/** How tables look, by flags and settings. */
export function tableOptions({ flags }: Call, plan: GetPlan, session: Session): TableOptions {
  const { settings, io } = session;
  return {
    isWide: flags.text('output') === 'wide',
    hasHeaders: !flags.bool('no-headers'),
    clusterColumn: settings.output.clusterColumn,
    showKind: flags.bool('show-kind'),
    sortPath: plan.sortPath,
    colours: chooseColours(settings.output.color, io).out,
  };
}

/** What prints a list, or one object, by the template of flags. */
export async function templatePrinter(
  format: Format & { readonly template: string; readonly isFile: boolean },
  { flags }: Call,
  { io }: Session,
): Promise<(list: unknown) => string> {
  const { templateText } = await import('../../output/formats/template-file.ts');
  const template = await templateText(format, io.cwd);
  const name = 'allow-missing-template-keys';
  const allowMissingKeys = !flags.isSet(name) || flags.bool(name);
  if (format.kind === 'go-template') {
    const { goTemplatePrinter } = await import('../../output/formats/go-template.ts');
    return goTemplatePrinter(template, { allowMissingKeys });
  }
  const { jsonPathPrinter } = await import('../../output/formats/jsonpath.ts');
  const asJson = format.kind === 'jsonpath-as-json';
  return jsonPathPrinter(template, { asJson, allowMissingKeys });
}

/** The columns that `-o custom-columns` describes. */
export async function customColumns(
  format: Format & { readonly template: string; readonly isFile: boolean },
  { io }: Session,
) {
  const { parseCustomColumns, parseCustomColumnsFile } = await import(
    '../../output/formats/custom-columns.ts'
  );
  if (!format.isFile) return parseCustomColumns(format.template);
  const { templateText } = await import('../../output/formats/template-file.ts');
  return parseCustomColumnsFile(await templateText(format, io.cwd, 'template'));
}

/** How `-o json`, `yaml` and `ndjson` are written, by flags. */
export async function documentFormat(
  kind: 'json' | 'yaml' | 'ndjson',
  { flags }: Call,
  { settings }: Session,
) {
  const showManagedFields = flags.bool('show-managed-fields');
  const { requireAll } = settings.execution;
  if (kind === 'ndjson') {
    const { ndjson } = await import('../../output/formats/ndjson.ts');
    return ndjson({ showManagedFields });
  }
  if (flags.bool('flat')) {
    const { flatDocument } = await import('../../output/formats/flat-document.ts');
    return flatDocument(kind, { showManagedFields });
  }
  if (kind === 'json') {
    const { jsonEnvelope } = await import('../../output/formats/json-envelope.ts');
    return jsonEnvelope({ showManagedFields, requireAll });
  }
  const { yamlEnvelope } = await import('../../output/formats/yaml-envelope.ts');
  return yamlEnvelope({ showManagedFields, requireAll });
}

/** The exit code is the fleet's, or the plugin's where the fleet's is good. */
async function listForPlugin(
  name: string,
  plan: GetPlan,
  { call, session }: { readonly call: Call; readonly session: Session },
): Promise<number> {
  const { startPlugin } = await import('../../output/formats/run-plugin.ts');
  const { listDocuments } = await import('./list-documents.ts');
  const format = await documentFormat('json', call, session);
  const plugin = await startPlugin(name, session.io);
  let code = 1;
  try {
    code = await listDocuments(plan, session, { format, isFlat: false, write: plugin.write });
  } finally {
    const own = await plugin.end();
    if (code === 0) code = own;
  }
  return code;
}
