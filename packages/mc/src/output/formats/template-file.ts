import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../usage-error.ts';

/** Where templates are, and who is told when they are not there. */
export interface TemplateSource {
  readonly template: string;
  readonly isFile: boolean;
}

/** The text of a template; `told` says what was to be read, as kubectl's error does. */
export async function templateText(
  { template, isFile }: TemplateSource,
  cwd: string,
  told = '--template',
): Promise<string> {
  if (!isFile) return template;
  try {
    return await readFile(resolve(cwd, template), 'utf8');
  } catch (error) {
    const prefix = `error reading ${told} ${template}`.replace('  ', ' ');
    throw new UsageError(`${prefix}, ${fileProblem(template, error)}`);
  }
}

/** What Go says of a file that cannot be read. */
export function fileProblem(path: string, error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  switch (code) {
    case 'ENOENT':
      return `open ${path}: no such file or directory`;
    case 'EACCES':
      return `open ${path}: permission denied`;
    case 'EISDIR':
      return `read ${path}: is a directory`;
    default:
      return message;
  }
}
