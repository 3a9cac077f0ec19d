import { goQuote, StatusError } from '@flotilla/machinery';
import { type Conflict, pathText } from '@flotilla/machinery/apply';
import { identityOf } from './entry.ts';

/** The answer to an apply that would change what others own. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
  return new StatusError(409, 'Conflict', conflictText(conflicts), { causes });
}

function conflictText(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].sort();
  const lines = managers.flatMap((manager) => [
    `conflicts with ${managerText(manager)}:`,
    ...conflicts
      .filter((conflict) => conflict.manager === manager)
      .map(({ path }) => `- ${pathText(path)}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText(identifier: string): string {
  const { manager, subresource, operation, apiVersion } = identityOf(identifier);
  const name =
    subresource === ''
      ? goQuote(manager)
      : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
