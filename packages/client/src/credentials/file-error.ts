const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  ELOOP: 'too many levels of symbolic links',
  EEXIST: 'file exists',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on device',
  ENAMETOOLONG: 'file name too long',
  EMFILE: 'too many open files',
};

/** What went wrong with a file, in the words of kubectl: `open /x: no such file or directory`. */
export function fileErrorText(path: string, error: unknown, operation?: string): string {
  const code = errorCode(error);
  const cause = CAUSES[code] ?? (code === '' ? 'unreadable' : code);
  return `${operation ?? (code === 'EISDIR' ? 'read' : 'open')} ${path}: ${cause}`;
}

/** The system's name of an error, such as ENOENT; empty when it is none of the system's. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
